package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The vital product data (VPD) pages, SPC-4 7.8 and SBC-3 6.5. */
final class VitalProductData {
    private static final int SUPPORTED_PAGES = 0x00;
    private static final int UNIT_SERIAL_NUMBER = 0x80;
    private static final int DEVICE_IDENTIFICATION = 0x83;
    private static final int EXTENDED_INQUIRY = 0x86;
    private static final int MODE_PAGE_POLICY = 0x87;
    private static final int SCSI_PORTS = 0x88;
    private static final int BLOCK_LIMITS = 0xB0;
    private static final int BLOCK_DEVICE_CHARACTERISTICS = 0xB1;
    private static final int LOGICAL_BLOCK_PROVISIONING = 0xB2;

    private static final byte[] OF_UNIT = {SUPPORTED_PAGES, (byte) UNIT_SERIAL_NUMBER, (byte) DEVICE_IDENTIFICATION,
        (byte) EXTENDED_INQUIRY, (byte) MODE_PAGE_POLICY, (byte) SCSI_PORTS, (byte) BLOCK_LIMITS,
        (byte) BLOCK_DEVICE_CHARACTERISTICS, (byte) LOGICAL_BLOCK_PROVISIONING};
    private static final byte[] OF_WELL_KNOWN = {SUPPORTED_PAGES};

    private static final int HEADER = 4;
    private static final int LONG_PAGE = 60;

    private static final int BINARY = 1;
    private static final int ASCII = 2;
    private static final int UTF_8 = 3;
    private static final int T10_VENDOR = 1;
    private static final int NAA = 3;
    private static final int SCSI_NAME = 8;
    private static final int PORT_NAME_LENGTH = 40;
    private static final int RELATIVE_TARGET_PORT = 4;
    private static final int TARGET_PORT_GROUP = 5;
    /** Of a designator for the target port: the protocol identifier is valid, the association is 1. */
    private static final int OF_TARGET_PORT = 0x90;
    private static final int SRP = 0x40;

    /** WRITE SAME of no blocks is refused. */
    private static final byte WSNZ = 1;
    /** UGAVALID, with an unmap granularity alignment of zero. */
    private static final int UNMAP_ALIGNMENT_VALID = 0x8000_0000;
    private static final int LBPU = 0x80;
    private static final int LBPWS = 0x40;
    private static final int LBPWS10 = 0x20;
    private static final int LBPRZ = 0x04;
    private static final byte THIN = 2;

    /**
     * SPC-4 7.8.7: simple, ordered and head of queue tasks (byte 5), a volatile cache (byte 6), unit attentions cleared
     * by the loss of an I_T nexus only (LUICLR, byte 7), the longest sense data (byte 13).
     */
    private static final byte[] EXTENDED = extended();
    /** SPC-4 7.8.9: all pages and subpages are shared by all nexuses. */
    private static final byte[] ALL_PAGES_SHARED = {0x3F, (byte) 0xFF, 0, 0};

    private VitalProductData() {
    }

    /** Peripheral qualifier and device type: a disk, a well known logical unit, or nothing that could be one. */
    static byte peripheral(Addressee addressee) {
        return switch (addressee) {
            case UNIT -> 0x00;
            case WELL_KNOWN -> 0x1E;
            case NOTHING -> 0x7F;
        };
    }

    /**
     * A page with its header; empty when the addressee has no such page.
     *
     * @param unit the addressee when that is a unit
     * @param nexus through which it is asked for: its target port is one of the unit's ports
     */
    static Optional<byte[]> page(Addressee addressee, LogicalUnit unit, Nexus nexus, int code) {
        Optional<byte[]> content = addressee == Addressee.UNIT
            ? ofUnit(unit, nexus, code)
            : code == SUPPORTED_PAGES ? Optional.of(OF_WELL_KNOWN) : Optional.empty();
        return content.map(bytes -> withHeader(addressee, code, bytes));
    }

    private static Optional<byte[]> ofUnit(LogicalUnit unit, Nexus nexus, int code) {
        return switch (code) {
            case SUPPORTED_PAGES -> Optional.of(OF_UNIT);
            case UNIT_SERIAL_NUMBER ->
                Optional.of(unit.identity().serial().getBytes(StandardCharsets.US_ASCII));
            case DEVICE_IDENTIFICATION -> Optional.of(designators(unit, nexus));
            case EXTENDED_INQUIRY -> Optional.of(EXTENDED);
            case MODE_PAGE_POLICY -> Optional.of(ALL_PAGES_SHARED);
            case SCSI_PORTS -> Optional.of(ports(unit, nexus));
            case BLOCK_LIMITS -> Optional.of(blockLimits(unit));
            case BLOCK_DEVICE_CHARACTERISTICS -> Optional.of(characteristics(unit.settings()));
            case LOGICAL_BLOCK_PROVISIONING -> Optional.of(provisioning(unit));
            default -> Optional.empty();
        };
    }

    private static byte[] withHeader(Addressee addressee, int code, byte[] content) {
        byte[] page = new byte[HEADER + content.length];
        page[0] = peripheral(addressee);
        page[1] = (byte) code;
        BigEndian.putShort(page, 2, content.length);
        System.arraycopy(content, 0, page, HEADER, content.length);
        return page;
    }

    private static byte[] designators(LogicalUnit unit, Nexus nexus) {
        LogicalUnitIdentity identity = unit.identity();
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        designator(list, BINARY, NAA, identity.naaBytes());
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        name.writeBytes(LogicalUnitIdentity.padded(identity.vendor(), 8));
        name.writeBytes(LogicalUnitIdentity.padded(identity.product(), 16));
        name.writeBytes(identity.serial().getBytes(StandardCharsets.US_ASCII));
        designator(list, ASCII, T10_VENDOR, name.toByteArray());
        byte[] port = new byte[4];
        BigEndian.putShort(port, 2, unit.settings().relativeTargetPort());
        designator(list, SRP | BINARY, OF_TARGET_PORT | RELATIVE_TARGET_PORT, port);
        byte[] group = new byte[4];
        BigEndian.putShort(group, 2, unit.settings().targetPortGroup());
        designator(list, SRP | BINARY, OF_TARGET_PORT | TARGET_PORT_GROUP, group);
        designator(list, SRP | UTF_8, OF_TARGET_PORT | SCSI_NAME, portName(nexus));
        return list.toByteArray();
    }

    /**
     * The name of a target port, SPC-4 7.8.6.11: its identifier, which is an extension and an EUI-64 (SRP r16a 4.4), in
     * hexadecimal; a string of UTF-8 that ends with a zero and has a multiple of four bytes.
     */
    private static byte[] portName(Nexus nexus) {
        String name = String.format("eui.%016X%016X", nexus.targetHigh(), nexus.targetLow());
        return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), PORT_NAME_LENGTH);
    }

    /** SPC-4 7.8.14: the port that is asked through; others of the unit have it asked through them. */
    private static byte[] ports(LogicalUnit unit, Nexus nexus) {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        designator(target, SRP | UTF_8, OF_TARGET_PORT | SCSI_NAME, portName(nexus));
        byte[] content = new byte[12 + target.size()];
        BigEndian.putShort(content, 2, unit.settings().relativeTargetPort());
        BigEndian.putShort(content, 10, target.size());
        System.arraycopy(target.toByteArray(), 0, content, 12, target.size());
        return content;
    }

    private static void designator(ByteArrayOutputStream list, int codeSet, int type, byte[] designator) {
        list.write(codeSet);
        list.write(type);
        list.write(0);
        list.write(designator.length);
        list.writeBytes(designator);
    }

    /** SBC-3 6.5.3. */
    private static byte[] blockLimits(LogicalUnit unit) {
        LogicalUnitSettings settings = unit.settings();
        byte[] content = new byte[LONG_PAGE];
        content[4 - HEADER] = WSNZ;
        content[5 - HEADER] = (byte) CompareAndWriteCommand.maximum(unit);
        BigEndian.putShort(content, 6 - HEADER, settings.optimalGranularityBlocks());
        BigEndian.putInt(content, 8 - HEADER, (int) settings.maxTransferBlocks());
        BigEndian.putInt(content, 12 - HEADER, (int) settings.optimalTransferBlocks());
        if (unit.thin()) {
            BigEndian.putInt(content, 20 - HEADER, (int) UnmapCommand.maximum(unit));
            BigEndian.putInt(content, 24 - HEADER, UnmapCommand.MOST_DESCRIPTORS);
            BigEndian.putInt(content, 28 - HEADER, 1 << settings.physicalBlockExponent());
            BigEndian.putInt(content, 32 - HEADER, UNMAP_ALIGNMENT_VALID);
        }
        BigEndian.putLong(content, 36 - HEADER, WriteSameCommand.maximum(unit));
        return content;
    }

    /** SBC-3 6.5.4: a unit that is not thin is fully provisioned, which is all zeros. */
    private static byte[] provisioning(LogicalUnit unit) {
        byte[] content = new byte[4];
        if (unit.thin()) {
            content[5 - HEADER] = (byte) (LBPU | LBPWS | LBPWS10 | LBPRZ);
            content[6 - HEADER] = THIN;
        }
        return content;
    }

    private static byte[] extended() {
        byte[] content = new byte[LONG_PAGE];
        content[5 - HEADER] = 0x07;
        content[6 - HEADER] = 0x01;
        content[7 - HEADER] = 0x01;
        content[13 - HEADER] = SenseData.MAX_LENGTH;
        return content;
    }

    private static byte[] characteristics(LogicalUnitSettings settings) {
        byte[] content = new byte[LONG_PAGE];
        BigEndian.putShort(content, 4 - HEADER, settings.rotationRate());
        return content;
    }
}
