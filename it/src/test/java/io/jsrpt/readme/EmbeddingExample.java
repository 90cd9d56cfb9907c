package io.jsrpt.readme;

import io.jsrpt.actor.SrpTarget;
import io.jsrpt.actor.TargetSettings;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import io.jsrpt.rdma.roce.RoceProvider;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.LogicalUnitIdentity;
import io.jsrpt.scsi.LogicalUnitSettings;
import io.jsrpt.store.BlockStore;
import io.jsrpt.store.MemoryStore;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/** The example of README.md, which shows the lines between the brackets. */
public final class EmbeddingExample {
    private EmbeddingExample() {
    }

    /** Runs a target at an address of this host until the JVM ends. */
    public static void main(String[] arguments) throws RdmaException {
        serve(InetAddress.ofLiteral(arguments[0]));
    }

    private static void serve(InetAddress address) throws RdmaException {
        // [
        BlockStore store = new MemoryStore(64L << 20, 512);
        LogicalUnit disk = new LogicalUnit(
                LogicalUnitIdentity.derived("volume", "vault-1, volume 0"), store, LogicalUnitSettings.defaults(512));
        TargetSettings settings = TargetSettings.of("vault-1", 0x0002c90300a1b2c3L, 5555, Map.of(0, disk));

        RdmaService rdma = new RoceProvider().open(RdmaSettings.of(List.of(address)));
        try (store; SrpTarget target = SrpTarget.start(rdma, settings)) {
            target.whenStopped().toCompletableFuture().join();
        }
        // ]
    }
}
