package io.jsrpt.conf;

import io.jsrpt.scsi.LogicalUnitIdentity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Identities that follow from a name alone, so that a restart, or another network card, keeps them. */
final class Identities {
    private static final long LOW_56_BITS = 0x00ff_ffff_ffff_ffffL;

    private Identities() {
    }

    /**
     * A GUID for a target of this name. Its first byte is 0: the GUID is also a service id, whose first byte says who
     * assigned it (IBTA volume 1, annex A3).
     */
    static long guid(String targetName) {
        return (hash("target", targetName) & LOW_56_BITS) | 1;
    }

    /** A world-wide name for a logical unit, 32 hexadecimal digits. */
    static String naa(String targetName, int lun) {
        return LogicalUnitIdentity.derived("disk", targetName + "/" + lun).naa();
    }

    private static long hash(String kind, String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((kind + ":" + name).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
