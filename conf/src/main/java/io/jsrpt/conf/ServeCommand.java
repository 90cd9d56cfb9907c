package io.jsrpt.conf;

import io.jsrpt.rdma.RdmaProvider;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "serve", description = "Runs a target until it is told to stop by SIGTERM or SIGINT. Prints where it"
    + " listens and how to log in, then \"ready\"; the log goes to the standard error.")
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
    private static final int POLL_MILLIS = 200;

    @Spec
    private CommandSpec spec;

    @Option(names = {"-v", "--verbose"}, description = "log one level more than the file says; -vv two levels")
    private boolean[] verbose = {};

    @Option(names = "--status", paramLabel = "FILE",
        description = "write what the target is doing to this file, every second")
    private Optional<Path> status = Optional.empty();

    @Parameters(paramLabel = "FILE", description = "the configuration file")
    private Path file;

    @Override
    public Integer call() throws ConfigurationException, StartException, EndedException, InterruptedException {
        Configuration configuration = ConfigurationReader.read(file);
        Logging.level(configuration.logLevel(), verbose.length);
        List<InetAddress> addresses = waitForAddresses(configuration);
        RdmaProvider provider = Providers.choose(
            configuration.provider(), addresses, ServiceLoader.load(RdmaProvider.class));
        Server server = Server.start(configuration, provider, addresses);
        closeWithJvm(server);
        if (status.isPresent()) {
            StatusFile.keep(status.get(), server);
        }
        announce(configuration, provider, addresses, server.problems(), spec.commandLine().getOut());
        if (!server.awaitStopped()) {
            throw new EndedException("the target has stopped by itself, see the log");
        }
        return Main.DONE;
    }

    /** A signal ends the JVM once its hooks have run. What a hook throws would be lost to the log. */
    private static void closeWithJvm(Server server) {
        Thread hook = new Thread(() -> {
            try {
                server.close();
            } catch (IllegalStateException e) {
                LOG.error("not ended in order: {}", e.getMessage(), e);
                Runtime.getRuntime().halt(Main.FAILED);
            }
        }, "shutdown");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException _) {
            // the signal came while the target started
            hook.start();
        }
    }

    /** At boot an address may come up later than the target; it is waited for as long as the file says. */
    private List<InetAddress> waitForAddresses(Configuration configuration)
            throws ConfigurationException, InterruptedException {
        Duration wait = configuration.timeouts().waitForAddresses();
        long end = System.nanoTime() + wait.toNanos();
        LocalAddresses local = LocalAddresses.ofThisHost();
        List<Mistake> missing = local.missing(configuration.addresses());
        if (!missing.isEmpty() && wait.isPositive()) {
            LOG.info("waiting up to {} s: {}", wait.toSeconds(), missing);
        }
        while (!missing.isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(POLL_MILLIS);
            local = LocalAddresses.ofThisHost();
            missing = local.missing(configuration.addresses());
        }
        if (!missing.isEmpty()) {
            throw new ConfigurationException(missing);
        }
        return local.resolve(configuration.addresses());
    }

    /** What a script waits for is the last line, {@code ready}. */
    private static void announce(Configuration configuration, RdmaProvider provider, List<InetAddress> addresses,
            Map<InetAddress, String> problems, PrintWriter out) {
        Configuration.Target target = configuration.target();
        out.println("target " + target.name() + ", provider " + provider.name() + ", "
            + units(configuration.logicalUnits().size()));
        for (InetAddress address : addresses) {
            String endpoint = LoginLine.endpoint(address, configuration.port());
            String problem = problems.get(address);
            if (problem == null) {
                out.println("listening on " + endpoint + "; a Linux initiator logs in with");
                out.println("  " + LoginLine.of(target, address, configuration.port()));
            } else {
                out.println("not listening on " + endpoint + " (it is tried again): " + problem);
            }
        }
        out.println("rxe0 stands for the initiator's RDMA device: ls /sys/class/infiniband_srp");
        out.println("ready");
    }

    private static String units(int count) {
        return count + (count == 1 ? " logical unit" : " logical units");
    }
}
