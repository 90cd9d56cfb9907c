package io.jsrpt.conf;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line. Exit status: 0 done; 1 it failed while running; 2 the command line or the file is wrong, or
 * something that the file names cannot be had. A signal that ends the target in order gives 128 and the signal's
 * number, as shells do: 143 for SIGTERM, 130 for SIGINT.
 */
@Command(name = "jsrpt", description = "A SCSI RDMA Protocol (SRP) target.", synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true, versionProvider = VersionCommand.class,
    subcommands = {ServeCommand.class, CheckCommand.class, DevicesCommand.class, VersionCommand.class},
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:it failed while running",
        "2:the command line or the configuration is wrong, or what it names cannot be had",
        "143, 130:the target was ended by SIGTERM, SIGINT"})
public final class Main {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG = 2;

    /** Runs the command line and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), arguments));
    }

    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.setOut(out);
        line.setErr(err);
        line.setExecutionExceptionHandler((exception, command, parsed) -> report(exception, command.getErr()));
        if (arguments.length == 0) {
            line.usage(err);
            return WRONG;
        }
        return line.execute(arguments);
    }

    private static int report(Exception exception, PrintWriter err) throws Exception {
        switch (exception) {
            case ConfigurationException e -> {
                e.mistakes().forEach(err::println);
                return WRONG;
            }
            case StartException e -> {
                err.println("jsrpt: " + e.getMessage());
                return WRONG;
            }
            case EndedException e -> {
                err.println("jsrpt: " + e.getMessage());
                return FAILED;
            }
            default -> throw exception;
        }
    }
}
