package io.jsrpt.conf;

import io.jsrpt.rdma.RdmaProvider;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "serve", description = "Runs a target until it is told to stop by SIGTERM or SIGINT.")
final class ServeCommand implements Callable<Integer> {
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
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        Configuration configuration = ConfigurationReader.read(file);
        Logging.level(configuration.logLevel(), verbose.length);
        RdmaProvider provider = Providers.choose(configuration.provider(), ServiceLoader.load(RdmaProvider.class));
        List<InetAddress> addresses = waitForAddresses(configuration);
        Server server = Server.start(configuration, provider, addresses);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
        status.ifPresent(to -> StatusFile.keep(to, server));
        announce(configuration, provider, addresses, spec.commandLine().getOut());
        if (!server.awaitStopped()) {
            throw new StartException("the target has stopped by itself, see the log");
        }
        return Main.DONE;
    }

    /** Report 26 (a target missing after a reboot): an address that comes up later than the target is waited for. */
    private List<InetAddress> waitForAddresses(Configuration configuration)
            throws ConfigurationException, InterruptedException {
        Duration wait = configuration.timeouts().waitForAddresses();
        long end = System.nanoTime() + wait.toNanos();
        LocalAddresses local = LocalAddresses.ofThisHost();
        List<Mistake> missing = local.missing(configuration.addresses());
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

    static void announce(Configuration configuration, RdmaProvider provider, List<InetAddress> addresses,
            PrintWriter out) {
        Configuration.Target target = configuration.target();
        out.println("target " + target.name() + ", provider " + provider.name() + ", "
            + configuration.logicalUnits().size() + " logical unit(s)");
        for (InetAddress address : addresses) {
            out.println("listening on " + LoginLine.endpoint(address, configuration.port())
                + "; to log in from Linux:");
            out.println("  " + LoginLine.of(target, address, configuration.port()));
        }
        out.println("ready");
    }
}
