package io.jsrpt.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of all modules without their tests. */
final class MainClasses {
    private MainClasses() {
    }

    static JavaClasses all() {
        JavaClasses classes = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar")).importPackages("io.jsrpt");
        for (String module : new String[] {"io.jsrpt.rdma.RdmaProvider", "io.jsrpt.srp.SrpCommand",
            "io.jsrpt.scsi.ScsiTask", "io.jsrpt.store.BlockStore", "io.jsrpt.actor.SrpTarget",
            "io.jsrpt.channel.ChannelIo", "io.jsrpt.conf.Main"}) {
            if (!classes.contain(module)) {
                throw new AssertionError("the import does not find " + module + ", so no rule would be checked");
            }
        }
        return classes;
    }
}
