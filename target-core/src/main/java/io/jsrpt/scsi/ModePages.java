package io.jsrpt.scsi;

import java.util.List;
import java.util.Optional;

/** The mode pages (SPC-4 7.5, SBC-3 6.4): their bytes from {@link ModeParameters}, and back. */
final class ModePages {
    /** A page's code and, in the lower byte, its subpage's. */
    record Code(int page, int subpage) {
    }

    /** In the order in which they are given; a page comes before its subpages (SPC-4 6.12.1). */
    static final List<Code> ALL = List.of(new Code(0x01, 0), new Code(0x08, 0), new Code(0x0A, 0),
        new Code(0x0A, 0x01), new Code(0x1C, 0));

    private static final int CACHING = 0x08;
    private static final int CONTROL = 0x0A;
    private static final int SUBPAGE_FORMAT = 0x40;
    private static final int WCE = 0x04;
    private static final int D_SENSE = 0x04;
    private static final int SWP = 0x08;

    private ModePages() {
    }

    /** The page with its header; empty when there is none such. */
    static Optional<byte[]> page(Code code, ModeParameters parameters) {
        if (!ALL.contains(code)) {
            return Optional.empty();
        }
        return Optional.of(code.subpage() == 0 ? page(code.page(), parameters) : controlExtension());
    }

    /** A 1 for each bit of the page that MODE SELECT can change, and the page's header; empty as above. */
    static Optional<byte[]> changeable(Code code) {
        return page(code, new ModeParameters(true, true, true)).map(page -> {
            byte[] most = page.clone();
            byte[] least = page(code, new ModeParameters(false, false, false)).orElseThrow();
            for (int i = headerLength(code); i < most.length; i++) {
                most[i] ^= least[i];
            }
            return most;
        });
    }

    /** How many bytes of a page come before its parameters. */
    static int headerLength(Code code) {
        return code.subpage() == 0 ? 2 : 4;
    }

    /** The parameters with what a page says, which differs from theirs in changeable bits only. */
    static ModeParameters changed(ModeParameters parameters, Code code, byte[] page) {
        if (code.page() == CACHING) {
            return new ModeParameters((page[2] & WCE) != 0, parameters.descriptorSense(),
                parameters.writeProtected());
        }
        if (code.page() == CONTROL && code.subpage() == 0) {
            return new ModeParameters(parameters.writeCache(), (page[2] & D_SENSE) != 0, (page[4] & SWP) != 0);
        }
        return parameters;
    }

    private static byte[] page(int code, ModeParameters parameters) {
        byte[] page = new byte[code == CACHING ? 20 : 12];
        page[0] = (byte) code;
        page[1] = (byte) (page.length - 2);
        switch (code) {
            case CACHING -> page[2] = (byte) (parameters.writeCache() ? WCE : 0);
            case CONTROL -> control(page, parameters);
            // read-write error recovery: nothing to recover, no limits; informational exceptions: none are reported
            default -> { }
        }
        return page;
    }

    /**
     * SPC-4 7.5.8: no log parameters are saved (GLTSD), commands may be reordered (queue algorithm modifier 1), the
     * busy timeout is unlimited.
     */
    private static void control(byte[] page, ModeParameters parameters) {
        page[2] = (byte) (0x02 | (parameters.descriptorSense() ? D_SENSE : 0));
        page[3] = 0x10;
        page[4] = (byte) (parameters.writeProtected() ? SWP : 0);
        BigEndian.putShort(page, 8, 0xFFFF);
    }

    /** SPC-4 7.5.9, with the longest sense data that there is. */
    private static byte[] controlExtension() {
        byte[] page = new byte[32];
        page[0] = SUBPAGE_FORMAT | CONTROL;
        page[1] = 1;
        BigEndian.putShort(page, 2, page.length - 4);
        page[6] = SenseData.MAX_LENGTH;
        return page;
    }
}
