package io.jsrpt.conf;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "check", description =
    "Checks a configuration file and opens nothing. Prints each mistake with its line. Whether this host has the"
        + " addresses is printed too, but is no mistake: the file may be for another host.")
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "the configuration file")
    private Path file;

    @Override
    public Integer call() throws ConfigurationException {
        PrintWriter out = spec.commandLine().getOut();
        Configuration configuration = ConfigurationReader.read(file);
        for (Mistake absent : LocalAddresses.ofThisHost().missing(configuration.addresses())) {
            out.println(absent + " (this is no mistake if the file is for another host)");
        }
        int units = configuration.logicalUnits().size();
        out.println(file + ": correct, " + units + (units == 1 ? " logical unit" : " logical units"));
        return Main.DONE;
    }
}
