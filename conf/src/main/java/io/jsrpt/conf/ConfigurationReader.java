package io.jsrpt.conf;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import io.jsrpt.rdma.PathMtu;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a configuration file and finds all its mistakes. Opens nothing. */
public final class ConfigurationReader {
    static final String ROOT = "jsrpt";
    private static final Pattern LINE = Pattern.compile(": (\\d+): ");
    private static final Duration NONE = Duration.ZERO;
    /** Registered memory that a channel needs besides that of one command. */
    private static final int TABLE_BYTES = 65_536;

    private final Path file;
    private final List<Mistake> mistakes = new ArrayList<>();

    private ConfigurationReader(Path file) {
        this.file = file;
    }

    /**
     * Reads {@code file}.
     *
     * @throws ConfigurationException with every mistake that the file has
     */
    public static Configuration read(Path file) throws ConfigurationException {
        return new ConfigurationReader(file).read();
    }

    private Configuration read() throws ConfigurationException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            String what = Files.isDirectory(file) ? "is a directory, not a configuration file"
                : Files.exists(file) ? "cannot be read by this user" : "there is no such file";
            throw new ConfigurationException(List.of(new Mistake(file.toString(), 0, "", what)));
        }
        Config given;
        Config whole;
        try {
            ConfigParseOptions options = ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF)
                .setAllowMissing(false);
            Config parsed = ConfigFactory.parseFile(file.toFile(), options);
            whole = parsed.withFallback(ConfigFactory.defaultReferenceUnresolved()).resolve();
            given = parsed.resolveWith(whole);
        } catch (ConfigException e) {
            throw new ConfigurationException(List.of(syntaxMistake(e)));
        }
        Configuration configuration = settings(root(given), whole);
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(mistakes.stream().distinct().sorted().toList());
        }
        return configuration;
    }

    /** The library names the line either as an origin or within its message. */
    private Mistake syntaxMistake(ConfigException e) {
        String message = e.getMessage();
        ConfigOrigin origin = e.origin();
        int line = origin == null ? 0 : Math.max(0, origin.lineNumber());
        Matcher inMessage = LINE.matcher(message);
        if (inMessage.find()) {
            line = line > 0 ? line : Integer.parseInt(inMessage.group(1));
            message = message.substring(inMessage.end());
        }
        return new Mistake(file.toString(), line, "", message);
    }

    private Section root(Config given) throws ConfigurationException {
        ConfigObject defaults = (ConfigObject) ConfigFactory.defaultReference().root().get(ROOT);
        ConfigValue value = given.root().get(ROOT);
        if (value instanceof ConfigObject object) {
            return new Section(ROOT, object, ROOT, defaults, mistakes);
        }
        String similar = Suggestion.nearest(ROOT, given.root().keySet()).filter(name -> !name.equals(ROOT))
            .map(name -> "; there is one named \"" + name + "\"").orElse("");
        int line = value == null ? 0 : value.origin().lineNumber();
        throw new ConfigurationException(List.of(new Mistake(file.toString(), line, ROOT,
            "the settings must be in a block: " + ROOT + " { ... }" + similar)));
    }

    private Configuration settings(Section root, Config whole) {
        Map<String, String> providers = new LinkedHashMap<>();
        List.of("auto", "roce", "verbs", "disni").forEach(name -> providers.put(name, name));
        String provider = root.choice("provider", providers);
        List<Configuration.Listen> addresses = Names.addresses(root, "addresses");
        int port = root.integer("port", 1, 65_535);
        Configuration.Target target = target(root.section("target"));
        Optional<List<String>> allowed = Names.initiators(root, "allowed-initiators");
        Configuration.Limits limits = limits(root.section("limits"));
        Configuration.Timeouts timeouts = timeouts(root.section("timeouts"));
        Duration capacityCheck = root.duration("capacity-check", NONE, Duration.ofDays(1));
        Map<String, Configuration.LogLevel> levels = new LinkedHashMap<>();
        for (Configuration.LogLevel level : Configuration.LogLevel.values()) {
            levels.put(level.name().toLowerCase(Locale.ROOT), level);
        }
        Configuration.LogLevel level = root.choice("log-level", levels);
        List<UnitConfiguration> units = logicalUnits(root, target.name());
        root.value("actor"); // dispatchers, which the actor system reads; see target-actors' reference.conf
        root.noteUnknownKeys();
        return new Configuration(file, provider, addresses, port, target, allowed, limits, timeouts,
            capacityCheck, units, level, whole);
    }

    private Configuration.Target target(Section section) {
        String name = section.optionalText("name").orElseGet(() -> hostName(section));
        if (name.isBlank() && section.isGiven("name")) {
            section.mistake("name", "is empty; leave it out to use the host's name");
        }
        long iocGuid = Names.serviceGuid(section, "ioc-guid", Identities.guid(name));
        long idExt = Names.guid(section, "id-ext", iocGuid);
        section.noteUnknownKeys();
        return new Configuration.Target(name, idExt, iocGuid);
    }

    private static String hostName(Section section) {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            section.mistake("name", "is missing, and this host does not know its own name (" + e.getMessage()
                + "); give the target one");
            return "";
        }
    }

    private static Configuration.Limits limits(Section section) {
        int maxIu = section.integer("max-it-iu-length", 996, 65_536);
        int depth = section.integer("queue-depth", 2, 4096);
        int channels = section.integer("channels-per-nexus", 1, 1024);
        int memory = (int) section.bytes("buffer-memory-per-channel", 65_536, 1L << 30);
        int maxTransfer = (int) section.bytes("max-transfer", 65_536, 1L << 24);
        Map<String, PathMtu> mtus = new LinkedHashMap<>();
        for (PathMtu mtu : PathMtu.values()) {
            mtus.put(Integer.toString(mtu.bytes()), mtu);
        }
        PathMtu mtu = section.choice("path-mtu", mtus);
        int socketBuffer = (int) section.bytes("socket-buffer", 65_536, 1L << 30);
        boolean immediate = section.bool("immediate-data");
        if (memory < maxTransfer + TABLE_BYTES) {
            section.mistake("buffer-memory-per-channel", "is " + Sizes.text(memory) + " but must hold the data of one"
                + " command, max-transfer: " + Sizes.text(maxTransfer) + ", and " + Sizes.text(TABLE_BYTES));
        }
        section.noteUnknownKeys();
        return new Configuration.Limits(maxIu, depth, channels, memory, maxTransfer, immediate, mtu, socketBuffer);
    }

    private static Configuration.Timeouts timeouts(Section section) {
        Duration least = Duration.ofMillis(100);
        Duration hour = Duration.ofHours(1);
        Configuration.Timeouts timeouts = new Configuration.Timeouts(section.duration("login", least, hour),
            section.duration("establish", least, hour), section.duration("probe", least, hour),
            section.duration("disconnect", least, hour), section.duration("drain", least, hour),
            section.duration("shutdown", least, hour),
            section.duration("wait-for-addresses", NONE, Duration.ofDays(1)));
        section.noteUnknownKeys();
        return timeouts;
    }

    private List<UnitConfiguration> logicalUnits(Section root, String targetName) {
        UnitReader reader = new UnitReader(file.toAbsolutePath().getParent(), targetName);
        List<UnitConfiguration> units = new ArrayList<>();
        for (Section unit : root.sections("logical-units", "logical-unit-defaults")) {
            units.add(reader.read(unit));
        }
        root.section("logical-unit-defaults").noteKeysOtherThan(UnitReader.SHARED);
        if (root.list("logical-units").isEmpty()) {
            root.mistake("logical-units", "there is none; give at least one, such as"
                + " { lun = 0, type = memory, size = \"64 MiB\" }");
        }
        return units;
    }
}
