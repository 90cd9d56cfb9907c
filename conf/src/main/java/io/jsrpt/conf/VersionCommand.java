package io.jsrpt.conf;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Prints the version, and that of the Java that runs it.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        for (String line : getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        return Main.DONE;
    }

    @Override
    public String[] getVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new String[] {
            "jsrpt " + (version == null ? "(not packaged)" : version),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")};
    }
}
