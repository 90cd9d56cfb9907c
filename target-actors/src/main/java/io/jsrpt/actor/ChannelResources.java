package io.jsrpt.actor;

import io.jsrpt.channel.ChannelIo;
import io.jsrpt.rdma.CmId;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * What a channel actor holds, and the one way in which all of it is released, whatever ends the actor: a drained
 * connection, a refused login, a crash, a stop from above.
 */
final class ChannelResources {
    private final Logger log;
    private Optional<Ownership.Offer<CmId>> offer = Optional.empty();
    private Optional<Ownership<CmId>> id = Optional.empty();
    private Optional<ChannelIo> io = Optional.empty();

    ChannelResources(Logger log) {
        this.log = log;
    }

    /**
     * Accepts an offer.
     *
     * @return false when it was withdrawn
     */
    boolean accept(Ownership.Offer<CmId> offered) {
        id = offered.accept();
        offer = id.map(_ -> offered);
        return id.isPresent();
    }

    /** From now on the id does not go back to who offered it: it is destroyed with the rest. */
    void own() {
        offer = Optional.empty();
    }

    void opened(ChannelIo opened) {
        io = Optional.of(opened);
    }

    /** The id; only between {@link #accept} and {@link #release}. */
    CmId id() {
        return id.orElseThrow().get();
    }

    /** The data path, once it is open. */
    ChannelIo io() {
        return io.orElseThrow();
    }

    boolean isOpen() {
        return io.isPresent();
    }

    /**
     * Frees everything, once; later calls do nothing. The order: the data path closes the queue pair, then the
     * completion queue, then the memory; the id is last, because the connection manager may look at the queue pair for
     * as long as the id is there. (An SRP target that destroyed its queue pair while the connection manager's handle
     * lived on, and still took events through it, crashed.) While a store operation is under way its memory outlives
     * this call.
     *
     * @param whenFreed called when the memory is freed too, from any thread; not called when there is none
     */
    void release(Runnable whenFreed) {
        Optional<ChannelIo> closing = io;
        Optional<Ownership<CmId>> destroying = id;
        Optional<Ownership.Offer<CmId>> returning = offer;
        io = Optional.empty();
        id = Optional.empty();
        offer = Optional.empty();
        try {
            closing.ifPresent(open -> open.abandon(whenFreed));
        } catch (RuntimeException e) {
            log.error("the data path did not close cleanly", e);
            if (!closing.orElseThrow().storesWork()) {
                whenFreed.run();
            }
        } finally {
            destroying.ifPresent(owned -> returning.ifPresentOrElse(
                    giver -> giver.giveBack(owned), () -> owned.take().destroy()));
        }
    }
}
