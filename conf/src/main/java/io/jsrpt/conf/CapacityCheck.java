package io.jsrpt.conf;

import io.jsrpt.scsi.LogicalUnit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks now and then whether stores have grown, on a thread of its own, so that an operator need only grow a file. */
final class CapacityCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CapacityCheck.class);
    /** A file system that does not answer holds up the check, not the end. */
    private static final Duration END = Duration.ofSeconds(5);

    private final Map<Integer, LogicalUnit> units;
    private final Duration period;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().daemon().name("capacity-check").unstarted(this::run);

    private CapacityCheck(Map<Integer, LogicalUnit> units, Duration period) {
        this.units = Map.copyOf(units);
        this.period = period;
    }

    /** Checks the units, by logical unit number, at intervals of {@code period}; never when that is zero. */
    static CapacityCheck start(Map<Integer, LogicalUnit> units, Duration period) {
        CapacityCheck check = new CapacityCheck(units, period);
        if (period.isPositive()) {
            check.thread.start();
        }
        return check;
    }

    private void run() {
        try {
            while (!ending.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
                units.forEach(CapacityCheck::look);
            }
        } catch (InterruptedException e) {
            LOG.error("capacities are checked no more", e);
        }
    }

    private static void look(int number, LogicalUnit unit) {
        try {
            if (unit.refreshCapacity()) {
                LOG.info("LUN {} has grown to {} blocks of {} bytes", number, unit.blockCount(), unit.blockSize());
            }
        } catch (RuntimeException e) {
            LOG.error("the capacity of LUN {} cannot be checked", number, e);
        }
    }

    /** Waits for the check that is under way, and does not interrupt it: that would close the file it looks at. */
    @Override
    public void close() {
        ending.countDown();
        try {
            thread.join(END.toMillis());
            if (thread.isAlive()) {
                LOG.warn("the check of capacities has not ended within {}", END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
