package io.jsrpt.actor;

import io.jsrpt.channel.ChannelSettings;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.LogicalUnitIdentity;
import io.jsrpt.scsi.LogicalUnitSettings;
import io.jsrpt.srp.BufferFormats;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.PortId;
import io.jsrpt.srp.SrpOpcode;
import io.jsrpt.store.BlockStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

/** A small target for tests, and what initiators send to it. */
final class TestUnits {
    static final long GUID = 0x0200_c903_00a1_b2c3L;
    static final ServiceId SERVICE = ServiceId.rdmaTcp(5555);
    static final TargetTimeouts TIMEOUTS = new TargetTimeouts(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(15), Duration.ofSeconds(5),
            Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(5));
    static final int IU_LENGTH = 64;

    private static final ChannelSettings SMALL = new ChannelSettings(3, 4, IU_LENGTH, IU_LENGTH, 4096, 4096 + 65_536);

    private TestUnits() {}

    /** A target with one small logical unit and small channels, three to a nexus. */
    static TargetSettings target(BlockStore store) {
        LogicalUnit unit = new LogicalUnit(
                LogicalUnitIdentity.derived("disk", "test"), store,
                LogicalUnitSettings.defaults(512).withMaxTransferBlocks(8));
        return TargetSettings.of("test", GUID, 5555, Map.of(0, unit))
                .withChannel(SMALL)
                .withMaxChannels(3)
                .withTimeouts(TIMEOUTS);
    }

    /** The port that an initiator logs in from. */
    static Gid remote(int host) {
        return new Gid(0, 0xffff_0a00_0100L + host);
    }

    static PortId initiator(int host) {
        return new PortId(0, 0x1000L + host);
    }

    static LoginRequest login(int host, int action) {
        return new LoginRequest(SrpOpcode.LOGIN_REQ, 7, IU_LENGTH, BufferFormats.SUPPORTED, action, 0, initiator(host),
                new PortId(GUID, GUID));
    }

    static byte[] single(int host) {
        return login(host, LoginRequest.ACTION_SINGLE).encode(LoginRequest.Form.SHORT);
    }

    static byte[] multi(int host) {
        return login(host, LoginRequest.ACTION_MULTI).encode(LoginRequest.Form.SHORT);
    }

    /** READ(10) or WRITE(10) of the first block. */
    static byte[] command(long tag, boolean read) {
        return command(tag, read, 0);
    }

    /** READ(10) or WRITE(10) of one block. */
    static byte[] command(long tag, boolean read, int block) {
        return ByteBuffer.allocate(64)
                .put(0, (byte) SrpOpcode.CMD)
                .put(5, (byte) (read ? 0x01 : 0x10))
                .putLong(8, tag)
                .put(32, (byte) (read ? 0x28 : 0x2a))
                .putInt(34, block)
                .put(40, (byte) 1)
                .putLong(48, 0x1000)
                .putInt(56, 1)
                .putInt(60, 512)
                .array();
    }

    /** A command of six bytes without data, such as RESERVE(6), 16h, or TEST UNIT READY, 00h. */
    static byte[] sixBytes(long tag, int operationCode) {
        return ByteBuffer.allocate(48)
                .put(0, (byte) SrpOpcode.CMD)
                .putLong(8, tag)
                .put(32, (byte) operationCode)
                .array();
    }

    /** A task management function on LUN 0. */
    static byte[] function(long tag, int function, long taskTag) {
        return ByteBuffer.allocate(48)
                .put(0, (byte) SrpOpcode.TSK_MGMT)
                .putLong(8, tag)
                .put(30, (byte) function)
                .putLong(32, taskTag)
                .array();
    }

    static byte[] logout() {
        return ByteBuffer.allocate(16).put(0, (byte) SrpOpcode.I_LOGOUT).array();
    }
}
