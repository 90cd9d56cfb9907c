package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.PathMtu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration file means, and what each mistake in it is answered with. */
class ConfigurationReaderTest {
    private static final String UNIT = "{ lun = 0, type = memory, size = \"64 MiB\" }";

    @TempDir
    private Path folder;

    private Configuration read(String text) throws ConfigurationException, IOException {
        return ConfigurationReader.read(Files.writeString(folder.resolve("t.conf"), text));
    }

    /** The mistakes, one a line, each without the folder's name. */
    private String mistakes(String text) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> read(text));
        return e.mistakes().stream().map(Mistake::toString).collect(Collectors.joining("\n"))
            .replace(folder + "/", "");
    }

    /** The mistakes of a file whose line 2 is {@code setting}, and which is right without it. */
    private String mistakesWith(String setting) {
        String addresses = setting.contains("addresses") && !setting.contains("wait") ? "" : "addresses = [127.0.0.1]";
        String units = setting.contains("logical-units") ? "" : "logical-units = [" + UNIT + "]";
        return mistakes("jsrpt {\n" + setting + "\n" + addresses + "\n" + units + "\n}\n");
    }

    private String mistakesOfUnit(String settings) {
        return mistakesWith("logical-units = [\n" + settings + "\n]");
    }

    @Test
    void smallestFileGetsTheDefaults() throws Exception {
        Configuration c = read("jsrpt { addresses = [127.0.0.1, eth7], logical-units = [" + UNIT + "] }");
        assertEquals("roce", c.provider());
        assertEquals(List.of("127.0.0.1", "eth7"), c.addresses().stream().map(Configuration.Listen::name).toList());
        assertEquals(5555, c.port());
        assertEquals(Optional.empty(), c.allowedInitiators());
        assertEquals(new Configuration.Limits(8276, 128, 64, 8 << 20, 1 << 20, true, PathMtu.MTU_4096, 4 << 20),
            c.limits());
        assertEquals(new Configuration.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(15),
            Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ZERO), c.timeouts());
        assertEquals(Duration.ofSeconds(5), c.capacityCheck());
        assertEquals(Configuration.LogLevel.INFO, c.logLevel());
        UnitConfiguration unit = c.logicalUnits().getFirst();
        assertEquals(new UnitConfiguration.Memory(64 << 20), unit.medium());
        assertEquals("JSRPT/disk/0001/512/4096/false/true", unit.vendor() + "/" + unit.product() + "/" + unit.revision()
            + "/" + unit.blockSize() + "/" + unit.physicalBlockSize() + "/" + unit.readOnly() + "/"
            + unit.writeCache());
        assertEquals(unit.naa().substring(16), unit.serial());
    }

    @Test
    void everySettingIsTaken() throws Exception {
        Files.createDirectory(folder.resolve("disks"));
        Configuration c = read("""
            jsrpt {
              provider = auto, addresses = ["fd77::1"], port = 5556, log-level = debug, capacity-check = 0 s
              target { name = x, id-ext = 0x0000000000000002, ioc-guid = "1000000000000003" }
              allowed-initiators = [192.0.2.7, "0002:c903:00a1:b2c3", "0x0002c90300a1b2c3", "fd77::2"]
              limits { max-it-iu-length = 1000, queue-depth = 2, channels-per-nexus = 1, path-mtu = 1024
                       buffer-memory-per-channel = 1 MiB, max-transfer = 65536, immediate-data = false
                       socket-buffer = 128 KiB }
              timeouts { login = 1 s, establish = 2 s, probe = 9 s, drain = 3 s, disconnect = 200 ms
                         shutdown = 1 minute, wait-for-addresses = 30 s }
              logical-unit-defaults { block-size = 4096, vendor = V }
              logical-units = [ { lun = 3, type = file, path = disks/a.img, size = 1 GiB, reservations = a.pr
                naa = "0x60000000000000000000000000000001"
                physical-block-size = 8 KiB, write-cache = off, product = p, revision = r, serial = s } ]
            }
            akka.loglevel = DEBUG
            """);
        assertEquals(new Configuration.Target("x", 2, 0x1000000000000003L), c.target());
        assertEquals(Optional.of(List.of("192.0.2.7", "0002:c903:00a1:b2c3", "0x0002c90300a1b2c3", "fd77::2")),
            c.allowedInitiators());
        assertEquals(new Configuration.Limits(1000, 2, 1, 1 << 20, 65_536, false, PathMtu.MTU_1024, 128 << 10),
            c.limits());
        assertEquals(new Configuration.Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(2),
            Duration.ofSeconds(9), Duration.ofMillis(200), Duration.ofSeconds(3),
            Duration.ofMinutes(1), Duration.ofSeconds(30)), c.timeouts());
        assertEquals(Duration.ZERO, c.capacityCheck());
        assertEquals(new UnitConfiguration(3, new UnitConfiguration.File(folder.resolve("disks/a.img"),
            Optional.of(1L << 30), 4, Optional.of(folder.resolve("a.pr"))), 4096, 8192, false, false, "V", "p", "r",
            "s", "60000000000000000000000000000001"),
            c.logicalUnits().getFirst());
        assertEquals("DEBUG", c.whole().getString("akka.loglevel"));
    }

    private Optional<Path> reservations(String settings) throws Exception {
        Configuration c = read("jsrpt { addresses = [127.0.0.1], logical-units = [ { lun = 0, type = file, " + settings
            + " } ] }");
        return ((UnitConfiguration.File) c.logicalUnits().getFirst().medium()).reservations();
    }

    @Test
    void reservationsAreKeptBesideAFile() throws Exception {
        Path disk = Files.write(folder.resolve("ok.img"), new byte[512]);
        Optional<Path> beside = Optional.of(folder.resolve("ok.img.reservations"));
        assertEquals(beside, reservations("path = ok.img"));
        assertEquals(Optional.of(folder.resolve("new.img.reservations")), reservations("path = new.img, size = 512"));
        assertEquals(Optional.empty(), reservations("path = ok.img, reservations = none"));
        assertEquals(Optional.empty(), reservations("path = ok.img, read-only = true"));
        assertEquals(Optional.empty(), reservations("path = /dev/null"));
        assertEquals(Optional.of(folder.resolve("x")), reservations("path = /dev/null, reservations = x"));

        String at = "t.conf:3: jsrpt.logical-units[0].reservations: ";
        assertEquals(at + "names " + folder + " which is not a regular file",
            mistakesOfUnit("{ lun = 0, type = file, path = ok.img, reservations = . }"));
        assertEquals(at + "names no/x but no is no directory in which this user may create files",
            mistakesOfUnit("{ lun = 0, type = file, path = ok.img, reservations = no/x }"));
        assertEquals(at + "is ok.img, which is a file of LUN 0 too",
            mistakesOfUnit("{ lun = 0, type = file, path = ok.img, reservations = " + disk + " }"));
        assertEquals(at + "is for units of type file; this one's type is memory",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, reservations = x }"));
    }

    @Test
    void settingsBehindNumberSignsInReferenceAreReal() throws Exception {
        String reference;
        try (var in = ConfigurationReader.class.getResourceAsStream("/reference.conf")) {
            reference = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
        String text = reference.replaceAll("(?m)^(\\s*)# ([a-z-]+ = )", "$1$2")
            .replace("addresses = []", "addresses = [lo]")
            .replace("logical-units = []", "logical-units = [" + UNIT + "]");
        Configuration c = read(text);
        assertEquals("storage-1", c.target().name());
        assertEquals(0x00a1b2c3d4e5f607L, c.target().iocGuid());
    }

    /** Report 7 (the identity must be settable and survive a change of hardware): it follows from the name alone. */
    @Test
    void identityFollowsFromTheName() throws Exception {
        String rest = "addresses = [lo], logical-units = [" + UNIT + "] }";
        Configuration a = read("jsrpt { target.name = a, port = 1, " + rest);
        Configuration again = read("jsrpt { target.name = a, port = 2, " + rest);
        Configuration b = read("jsrpt { target.name = b, " + rest);
        assertEquals(a.target(), again.target());
        assertEquals(a.logicalUnits(), again.logicalUnits());
        assertEquals(a.target().iocGuid(), a.target().idExt());
        assertNotEquals(a.target().iocGuid(), b.target().iocGuid());
        assertNotEquals(a.logicalUnits().getFirst().naa(), b.logicalUnits().getFirst().naa());
    }

    /** Report 6 (a service id with the locally assigned top byte cannot be listened on): the derived one has none. */
    @Test
    void derivedServiceGuidHasNoAssignerByte() {
        for (String name : List.of("a", "b", "c", "storage-1")) {
            assertEquals(0, Identities.guid(name) >>> 56, name);
            assertTrue(Identities.naa(name, 0).matches("6[0-9a-f]{31}"), name);
        }
    }

    @Test
    void allMistakesAreFoundInTheOrderOfTheLines() {
        assertEquals("""
            t.conf:2: jsrpt.prot: is not a setting; did you mean "port"?
            t.conf:3: jsrpt.addresses[0]: is "0.0.0.0" which stands for every address; each packet's checksum covers \
            the local address, so name the addresses or an interface
            t.conf:4: jsrpt.limits.queue-depth: is 0 but must be a whole number from 2 to 4096
            t.conf:6: jsrpt.logical-units[0].size: is missing; a unit of type memory needs one, such as "64 MiB"
            t.conf:7: jsrpt.logical-units[1].lun: is 0, which is taken by the unit at t.conf:6""",
            mistakes("""
                jsrpt {
                  prot = 5555
                  addresses = ["0.0.0.0"]
                  limits.queue-depth = 0
                  logical-units = [
                    { lun = 0, type = memory }
                    { lun = 0, type = memory, size = 1 MiB }
                  ]
                }
                """));
    }

    @Test
    void fileThatCannotBeReadIsNamed() throws Exception {
        Path missing = folder.resolve("none.conf");
        assertEquals(missing + ": there is no such file", message(missing));
        assertEquals(folder + ": is a directory, not a configuration file", message(folder));
    }

    private static String message(Path file) {
        return assertThrows(ConfigurationException.class, () -> ConfigurationReader.read(file)).getMessage();
    }

    @Test
    void syntaxErrorNamesItsLine() {
        assertTrue(mistakes("jsrpt {\n port = [1\n}\n").startsWith("t.conf:3: "));
        assertTrue(mistakes("jsrpt {\n port = ${nothing.there}\n}\n").startsWith("t.conf:2: "));
    }

    @Test
    void settingsOutsideTheBlockAreNoticed() {
        assertEquals("t.conf: jsrpt: the settings must be in a block: jsrpt { ... }", mistakes("port = 5555"));
        assertEquals("t.conf: jsrpt: the settings must be in a block: jsrpt { ... }; there is one named \"jsrtp\"",
            mistakes("jsrtp { port = 5555 }"));
        assertEquals("t.conf:1: jsrpt: the settings must be in a block: jsrpt { ... }", mistakes("jsrpt = 1"));
    }

    @Test
    void eachKindOfValueIsChecked() {
        assertEquals("t.conf:2: jsrpt.port: is 65536 but must be a whole number from 1 to 65535",
            mistakesWith("port = 65536"));
        assertEquals("t.conf:2: jsrpt.port: is 1.5 but must be a whole number from 1 to 65535",
            mistakesWith("port = 1.5"));
        assertEquals("t.conf:2: jsrpt.port: is http but must be a whole number from 1 to 65535",
            mistakesWith("port = http"));
        assertEquals("t.conf:2: jsrpt.port: is a list but must be a single value", mistakesWith("port = [1]"));
        assertEquals("t.conf:2: jsrpt.limits: is 3 but must be a block: limits { ... }", mistakesWith("limits = 3"));
        assertEquals("t.conf:2: jsrpt.addresses: is \"lo\" but must be a list: [ ... ]\n"
            + "t.conf:2: jsrpt.addresses: names nothing to listen on; give addresses of this host or names of its"
            + " interfaces, such as [\"192.0.2.1\", \"eth1\"]", mistakesWith("addresses = lo"));
        assertEquals("t.conf:2: jsrpt.provider: is \"rocce\" but must be one of auto, roce, verbs, disni; did you mean"
            + " \"roce\"?", mistakesWith("provider = rocce"));
        assertEquals("t.conf:2: jsrpt.log-level: is \"loud\" but must be one of trace, debug, info, warn, error",
            mistakesWith("log-level = loud"));
        assertEquals("t.conf:2: jsrpt.limits.socket-buffer: is \"4 MX\" but must be a size such as 65536 or \"64 MiB\"",
            mistakesWith("limits.socket-buffer = 4 MX"));
        assertEquals("t.conf:2: jsrpt.limits.socket-buffer: is 1 KiB but must be from 64 KiB to 1 GiB",
            mistakesWith("limits.socket-buffer = 1 KiB"));
        assertEquals("t.conf:2: jsrpt.timeouts.login: is 5 but must be a time span such as \"500 ms\" or \"5 s\"",
            mistakesWith("timeouts.login = 5"));
        assertEquals("t.conf:2: jsrpt.timeouts.login: is 1 ms but must be from 100 ms to 60 minutes",
            mistakesWith("timeouts.login = 1 ms"));
    }

    @Test
    void addressesAreChecked() {
        assertEquals("t.conf:2: jsrpt.addresses[0]: is \"10.0.0.256\" which is no IP address",
            mistakesWith("addresses = [10.0.0.256]"));
        assertEquals("t.conf:2: jsrpt.addresses[1]: names \"lo\" a second time", mistakesWith("addresses = [lo, lo]"));
        assertEquals("t.conf:2: jsrpt.addresses[0]: is \"a b\" but must be an IP address or the name of a network"
            + " interface", mistakesWith("addresses = [\"a b\"]"));
        assertEquals("t.conf:2: jsrpt.addresses[0]: is \"ff02::1\" which is a multicast address",
            mistakesWith("addresses = [\"ff02::1\"]"));
    }

    @Test
    void identitiesAreChecked() {
        assertEquals("t.conf:2: jsrpt.target.ioc-guid: is \"12\" but must be 16 hexadecimal digits, not all 0;"
            + " in quotes, since HOCON reads digits as a number", mistakesWith("target.ioc-guid = 12"));
        assertEquals("t.conf:2: jsrpt.target.ioc-guid: lies among the service ids of the RDMA/CM, 0000000001000000"
            + " to 0000000001ffffff; choose another", mistakesWith("target.ioc-guid = \"00000000010615b3\""));
        assertEquals("t.conf:2: jsrpt.target.name: is empty; leave it out to use the host's name",
            mistakesWith("target.name = \"\""));
    }

    /** Report 25 (names in the list that no login has): a name that cannot be one is refused. */
    @Test
    void initiatorNamesAreChecked() throws Exception {
        assertEquals("t.conf:2: jsrpt.allowed-initiators[0]: is \"host-a\" but must be an IP address, a port GUID such"
            + " as 0002:c903:00a1:b2c3, or an initiator port identifier such as 0x0002c90300a1b2c3 (0x and up to 32"
            + " hexadecimal digits, an even number)", mistakesWith("allowed-initiators = [host-a]"));
        assertTrue(mistakesWith("allowed-initiators = [\"0x123\"]").contains("an even number"));
        assertEquals("t.conf:2: jsrpt.allowed-initiators: is \"all\" but must be a list: [ ... ]",
            mistakesWith("allowed-initiators = all"));
        Configuration nobody = read("jsrpt { allowed-initiators = [], addresses = [lo], logical-units = [" + UNIT
            + "] }");
        assertEquals(Optional.of(List.of()), nobody.allowedInitiators());
    }

    @Test
    void limitsMustFitTogether() {
        assertEquals("t.conf:2: jsrpt.limits.buffer-memory-per-channel: is 1 MiB but must hold the data of one"
            + " command, max-transfer: 1 MiB, and 64 KiB", mistakesWith("limits.buffer-memory-per-channel = 1 MiB"));
    }

    @Test
    void logicalUnitsAreNeeded() {
        assertEquals("t.conf:2: jsrpt.logical-units: there is none; give at least one, such as"
            + " { lun = 0, type = memory, size = \"64 MiB\" }", mistakesWith("logical-units = []"));
        assertEquals("t.conf:2: jsrpt.logical-units[0]: is \"disk\" but must be a block: { ... }",
            mistakesWith("logical-units = [disk]"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].lun: is missing\n"
            + "t.conf:3: jsrpt.logical-units[0].type: is missing", mistakesOfUnit("{ size = 1 MiB }"));
    }

    @Test
    void unitsAreChecked() {
        assertEquals("t.conf:3: jsrpt.logical-units[0].type: is \"flie\" but must be one of memory, file; did you mean"
            + " \"file\"?", mistakesOfUnit("{ lun = 0, type = flie, size = 1 MiB }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].size: is 1000 bytes, which is not a multiple of the block size,"
            + " 512", mistakesOfUnit("{ lun = 0, type = memory, size = 1000 }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].block-size: is \"1024\" but must be one of 512, 4096",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, block-size = 1024 }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].physical-block-size: is 512 but must be a power of two and at"
            + " least the block size, 4096",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, block-size = 4096, physical-block-size = 512 }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].vendor: is \"123456789\" but must be 1 to 8 printable ASCII"
            + " characters", mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, vendor = \"123456789\" }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].serial: is \"ä\" but must be 1 to 64 printable ASCII"
            + " characters", mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, serial = ä }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].naa: is \"6000\" but must be 32 hexadecimal digits, the first a"
            + " 6; in quotes",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, naa = \"6000\" }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].read-only: is \"maybe\" but must be true or false",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, read-only = maybe }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].path: is for units of type file; this one's type is memory",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, path = x }"));
        assertEquals("t.conf:3: jsrpt.logical-units[0].blocksize: is not a setting; did you mean \"block-size\"?",
            mistakesOfUnit("{ lun = 0, type = memory, size = 1 MiB, blocksize = 512 }"));
    }

    @Test
    void defaultsOfUnitsAreCheckedOnce() {
        assertEquals("t.conf:2: jsrpt.logical-unit-defaults.block-size: is \"1024\" but must be one of 512, 4096",
            mistakes("jsrpt { addresses = [lo]\nlogical-unit-defaults.block-size = 1024\n logical-units = ["
                + UNIT + ", { lun = 1, type = memory, size = 1 MiB } ] }"));
        assertEquals("t.conf:2: jsrpt.logical-unit-defaults.serial: is not a setting",
            mistakesWith("logical-unit-defaults.serial = x"));
    }

    @Test
    void identitiesOfUnitsAreUnique() {
        assertEquals("t.conf:4: jsrpt.logical-units[1].naa: is the name of LUN 0 too; an initiator would take both for"
            + " one disk", mistakesOfUnit("""
                { lun = 0, type = memory, size = 1 MiB, naa = "60000000000000000000000000000001" }
                { lun = 1, type = memory, size = 1 MiB, naa = "60000000000000000000000000000001" }"""));
    }

    @Test
    void filesAreChecked() throws Exception {
        Files.write(folder.resolve("odd.img"), new byte[1000]);
        Files.write(folder.resolve("ok.img"), new byte[1024]);
        String file = "t.conf:3: jsrpt.logical-units[0].";
        assertEquals(file + "path: is missing; a unit of type file needs one",
            mistakesOfUnit("{ lun = 0, type = file, size = 1 MiB }"));
        assertEquals(file + "path: names no/a.img but there is no directory no; create it first".replace("directory no",
            "directory " + folder.resolve("no")).replace(folder + "/", ""),
            mistakesOfUnit("{ lun = 0, type = file, size = 1 MiB, path = no/a.img }"));
        assertEquals(file + "size: is missing; a.img does not exist and is created with this size",
            mistakesOfUnit("{ lun = 0, type = file, path = a.img }"));
        assertEquals(file + "path: names a.img which does not exist; a read-only unit is not created",
            mistakesOfUnit("{ lun = 0, type = file, path = a.img, read-only = true }"));
        assertEquals(file + "path: is a directory: " + folder, mistakesOfUnit("{ lun = 0, type = file, path = . }"));
        assertEquals(file + "path: names odd.img whose size, 1000 bytes, is not a multiple of the block size, 512",
            mistakesOfUnit("{ lun = 0, type = file, path = odd.img }"));
        assertEquals(file + "size: is 1 MiB but ok.img exists with 1 KiB; leave size out to take the file as it is",
            mistakesOfUnit("{ lun = 0, type = file, path = ok.img, size = 1 MiB }"));
        assertEquals("t.conf:4: jsrpt.logical-units[1].path: is the file of LUN 0 too; only read-only units may share a"
            + " file",
            mistakesOfUnit("{ lun = 0, type = file, path = ok.img }\n{ lun = 1, type = file, path = ok.img }"));
        assertEquals(2, read("jsrpt { addresses = [lo], logical-unit-defaults.read-only = true, logical-units = [ "
            + "{ lun = 0, type = file, path = ok.img }, { lun = 1, type = file, path = ok.img } ] }")
            .logicalUnits().size());
    }
}
