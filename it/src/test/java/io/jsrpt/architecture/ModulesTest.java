package io.jsrpt.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/**
 * The modules look one way: {@code conf} to {@code target-actors}, that to {@code target-core} and {@code rdma-io}, and
 * those two to nothing of ours. What each must not know keeps it usable without the others.
 */
class ModulesTest {
    private static final String[] RDMA_IO = {"io.jsrpt.rdma.."};
    private static final String[] TARGET_CORE = {"io.jsrpt.srp..", "io.jsrpt.scsi..", "io.jsrpt.store..",
        "io.jsrpt.dm.."};
    private static final String[] TARGET_ACTORS = {"io.jsrpt.actor..", "io.jsrpt.channel.."};
    private static final String[] CONF = {"io.jsrpt.conf.."};
    private static final String[] AKKA = {"akka..", "com.typesafe.config..", "scala.."};
    private static final String[] PROVIDERS = {"io.jsrpt.rdma.roce..", "io.jsrpt.rdma.verbs..",
        "io.jsrpt.rdma.disni.."};
    private static final JavaClasses MAIN = MainClasses.all();

    @Test
    void packagesHaveNoCycle() {
        slices().matching("io.jsrpt.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void eachPackageBelongsToOneModule() {
        classes().should().resideInAnyPackage(of(RDMA_IO, TARGET_CORE, TARGET_ACTORS, CONF)).check(MAIN);
    }

    @Test
    void rdmaKnowsNoSrpNoScsiAndNoAkka() {
        never(RDMA_IO, of(TARGET_CORE, TARGET_ACTORS, CONF, AKKA));
    }

    @Test
    void coreKnowsNoRdmaAndNoAkka() {
        never(TARGET_CORE, of(RDMA_IO, TARGET_ACTORS, CONF, AKKA));
    }

    /**
     * The device server and the codecs are pure: what they are told is all they know. A keeper of reservations is given
     * to them, too: the one that has a file is named by nothing here.
     */
    @Test
    void protocolsOpenNoSocketAndStartNoThread() {
        String keeper = "io.jsrpt.scsi.reservation.ReservationFile";
        noClasses().that().resideInAnyPackage("io.jsrpt.srp..", "io.jsrpt.scsi..", "io.jsrpt.dm..")
            .and().doNotHaveFullyQualifiedName(keeper)
            .should().dependOnClassesThat().resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..")
            .orShould().dependOnClassesThat().haveFullyQualifiedName(keeper)
            .orShould().dependOnClassesThat().areAssignableTo(Executor.class)
            .orShould().callConstructorWhere(target(owner(assignableTo(Thread.class))))
            .orShould().callMethodWhere(target(owner(assignableTo(Thread.class)))
                .and(target(nameMatching("start|startVirtualThread|ofPlatform|ofVirtual|sleep|join"))))
            .check(MAIN);
    }

    @Test
    void actorsKnowNoConfigurationFile() {
        never(TARGET_ACTORS, of(CONF, new String[] {"picocli..", "ch.qos.logback.."}));
    }

    /** Providers are found by the service loader. */
    @Test
    void nobodyNamesAProvider() {
        noClasses().that().resideOutsideOfPackages(PROVIDERS).should().dependOnClassesThat()
            .resideInAnyPackage(PROVIDERS).check(MAIN);
    }

    @Test
    void ofAProviderNothingButItselfIsPublic() {
        classes().that().resideInAnyPackage(PROVIDERS).and().areTopLevelClasses().and().arePublic()
            .should().implement("io.jsrpt.rdma.RdmaProvider").check(MAIN);
    }

    /** Above {@code rdma-io} only the service interface is used, never what providers share. */
    @Test
    void targetUsesTheServiceInterfaceOnly() {
        noClasses().that().resideInAnyPackage(of(TARGET_ACTORS, CONF)).should().dependOnClassesThat(
            resideInAPackage("io.jsrpt.rdma..").and(are(not(resideInAPackage("io.jsrpt.rdma"))))).check(MAIN);
    }

    private static void never(String[] from, String[] to) {
        noClasses().that().resideInAnyPackage(from).should().dependOnClassesThat().resideInAnyPackage(to).check(MAIN);
    }

    private static String[] of(String[]... groups) {
        return Arrays.stream(groups).flatMap(Arrays::stream).toArray(String[]::new);
    }
}
