package io.jsrpt.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.it.initiator.InitiatorChannel;
import io.jsrpt.it.initiator.InitiatorSettings;
import io.jsrpt.it.initiator.LoginOutcome;
import io.jsrpt.it.initiator.SrpInitiator;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.roce.RoceProvider;
import io.jsrpt.srp.PortId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README.md and docs/ say what is true. */
class ReadmeTest {
    /** No other test uses it. */
    private static final String ADDRESS = "127.0.77.2";
    private static final Path ROOT = Path.of("..");
    private static final Path EXAMPLE = Path.of("src/test/java/io/jsrpt/readme/EmbeddingExample.java");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    @Test
    void embeddingExampleIsTheOneThatCompiles() throws IOException {
        String source = Files.readString(EXAMPLE);
        String example = source.substring(source.indexOf("// [\n") + 5, source.lastIndexOf("\n        // ]"))
            .stripIndent();
        assertTrue(Files.readString(ROOT.resolve("README.md")).contains("```java\n" + example + "\n```\n"),
            "README.md should contain\n" + example);
    }

    /** An initiator of its own logs in to it, as a Linux one would. */
    @Test
    void embeddingExampleTakesLogins(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(a -> a.startsWith("--")).toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"),
            EmbeddingExample.class.getName(), ADDRESS));
        Path log = folder.resolve("log");
        Process target = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
            while (!Files.readString(log).contains("listening to")) {
                assertTrue(target.isAlive() && System.nanoTime() - end < 0, "it does not listen:\n"
                    + Files.readString(log));
                Thread.sleep(50);
            }
            assertEquals(LoginOutcome.LoggedIn.class, login().getClass());
        } finally {
            target.destroy();
            target.waitFor();
        }
    }

    private static LoginOutcome login() throws Exception {
        long guid = 0x0002c90300a1b2c3L;
        RdmaSettings local = RdmaSettings.of(List.of(InetAddress.ofLiteral("127.0.77.1")));
        try (RdmaService rdma = new RoceProvider().open(local);
                SrpInitiator initiator = new SrpInitiator(rdma.devices().getFirst())) {
            InitiatorSettings settings = InitiatorSettings.likeLinux(Gid.of(InetAddress.ofLiteral(ADDRESS)),
                ServiceId.rdmaTcp(5555), new PortId(1, 2), new PortId(guid, guid));
            InitiatorChannel channel = initiator.connect(settings,
                settings.request(false).encode(settings.form()));
            return channel.outcome();
        }
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        TreeSet<String> broken = new TreeSet<>();
        List<Path> pages;
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            pages = Stream.concat(Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md")), docs)
                .filter(p -> p.toString().endsWith(".md")).toList();
        }
        assertTrue(pages.size() > 5, pages::toString);
        for (Path page : pages) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                if (!Files.exists(page.resolveSibling(link.group(1)))) {
                    broken.add(page + ": " + link.group(1));
                }
            }
        }
        assertEquals(new TreeSet<String>(), broken);
    }
}
