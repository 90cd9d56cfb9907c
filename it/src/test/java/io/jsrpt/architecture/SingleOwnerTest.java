package io.jsrpt.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.MonitorInstruction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In {@code target-actors} each mutable thing has one owner, so there is nothing to lock and nothing to share. */
class SingleOwnerTest {
    private static final JavaClasses MAIN = MainClasses.all();
    private static final String[] TARGET_ACTORS = {"io.jsrpt.actor..", "io.jsrpt.channel.."};

    @Test
    void noLocksAndNoSharedCollections() {
        ArchRule rule = noClasses().that().resideInAnyPackage(TARGET_ACTORS).should().dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent.locks..")
            .orShould().dependOnClassesThat().haveNameMatching("java\\.util\\.concurrent\\.(Concurrent|CopyOnWrite|"
                + "[A-Za-z]*Blocking|Semaphore|CountDownLatch|Phaser|CyclicBarrier|Exchanger).*")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.Vector")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.Hashtable")
            .orShould().callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching(
                    "wait|notify|notifyAll|synchronized(Map|List|Set|Collection|SortedMap|SortedSet)")));
        rule.check(MAIN);
    }

    @Test
    void noSynchronizedMethods() {
        noMethods().that().areDeclaredInClassesThat().resideInAnyPackage(TARGET_ACTORS)
            .should().haveModifier(JavaModifier.SYNCHRONIZED).check(MAIN);
    }

    /** The instruction of a {@code synchronized} block, which ArchUnit does not look at. */
    @Test
    void noSynchronizedBlocks() {
        List<JavaClass> classes = MAIN.stream().filter(c -> c.getPackageName().startsWith("io.jsrpt.actor")
            || c.getPackageName().startsWith("io.jsrpt.channel")).toList();
        assertTrue(classes.size() > 20, "too few classes: " + classes);
        assertEquals(List.of(), classes.stream().flatMap(c -> ClassFile.of().parse(bytes(c)).methods().stream()
            .filter(SingleOwnerTest::entersMonitor).map(method -> c.getName() + "." + method.methodName())).toList());
    }

    private static boolean entersMonitor(MethodModel method) {
        return method.code().map(CodeModel::elementList).orElse(List.of()).stream()
            .anyMatch(MonitorInstruction.class::isInstance);
    }

    private static byte[] bytes(JavaClass c) {
        try (InputStream in = c.getSource().orElseThrow().getUri().toURL().openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
