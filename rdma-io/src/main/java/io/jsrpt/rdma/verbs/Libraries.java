package io.jsrpt.rdma.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/** Finds the libraries and their functions, in the symbol versions whose structures {@link Layouts} describes. */
final class Libraries {
    static final String VERBS = "libibverbs.so.1";
    static final String CM = "librdmacm.so.1";

    /** The options of a call that tells an error by {@code errno}. */
    static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final Linker LINKER = Linker.nativeLinker();
    private static final int RTLD_NOW = 2;

    private Libraries() {}

    /** Why the libraries cannot be used on this host, in one line; empty when they can. */
    static Optional<String> problem() {
        return Loaded.PROBLEM;
    }

    /** The processor's name, if its structures are described here. */
    static Optional<String> unsupportedHost(String system, String processor) {
        boolean known = processor.equals("amd64") || processor.equals("aarch64");
        if (!system.equals("Linux") || !known || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return Optional.of("rdma-core's structures are known for Linux on amd64 and aarch64, not for " + system
                    + " on " + processor);
        }
        return Optional.empty();
    }

    /** Links a function of the C library. */
    static MethodHandle c(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(() -> new UnsatisfiedLinkError("libc has no " + name)),
                type,
                options);
    }

    /** Links an exported function of one of the two libraries. */
    static MethodHandle function(String library, String name, FunctionDescriptor type, Linker.Option... options) {
        SymbolLookup lookup = SymbolLookup.libraryLookup(library, Arena.global());
        MemorySegment address = lookup.find(name).orElseThrow(() -> new UnsatisfiedLinkError(
                library + " has no function " + name + ": rdma-core 18 or newer is needed"));
        return LINKER.downcallHandle(address, type, options);
    }

    /** Links a function whose address is an argument of each call, one that a context's function table names. */
    static MethodHandle tableFunction(FunctionDescriptor type) {
        return LINKER.downcallHandle(type);
    }

    private static Optional<String> load() {
        Optional<String> host = unsupportedHost(System.getProperty("os.name"), System.getProperty("os.arch"));
        if (host.isPresent()) {
            return host;
        }
        for (String library : new String[] {VERBS, CM}) {
            try {
                SymbolLookup.libraryLookup(library, Arena.global());
            } catch (IllegalArgumentException e) {
                return Optional.of(library + " is not installed: rdma-core's libraries are needed (Debian packages"
                        + " libibverbs1, ibverbs-providers, librdmacm1)");
            }
        }
        try {
            return symbolVersions().or(Libraries::linkAll);
        } catch (Throwable e) {
            return Optional.of("rdma-core's libraries cannot be called: " + e);
        }
    }

    /** The symbol versions that stand for the structures described here: a new layout would come with new ones. */
    private static Optional<String> symbolVersions() throws Throwable {
        if (LINKER.defaultLookup().find("dlvsym").isEmpty()) {
            return Optional.empty();
        }
        String[][] needed = {
            {VERBS, "ibv_open_device", "IBVERBS_1.1"},
            {VERBS, "ibv_create_qp", "IBVERBS_1.1"},
            {VERBS, "ibv_modify_qp", "IBVERBS_1.1"},
            {CM, "rdma_get_cm_event", "RDMACM_1.0"},
            {CM, "rdma_init_qp_attr", "RDMACM_1.2"},
            {CM, "rdma_establish", "RDMACM_1.2"},
        };
        FunctionDescriptor open = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT);
        FunctionDescriptor find = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        MethodHandle dlopen = c("dlopen", open);
        MethodHandle dlvsym = c("dlvsym", find);
        try (Arena arena = Arena.ofConfined()) {
            for (String[] symbol : needed) {
                long library = (long) dlopen.invokeExact(arena.allocateFrom(symbol[0]), RTLD_NOW);
                long found = (long) dlvsym.invokeExact(
                    library, arena.allocateFrom(symbol[1]), arena.allocateFrom(symbol[2]));
                if (found == 0) {
                    return Optional.of(symbol[0] + " has no " + symbol[1] + " of version " + symbol[2]
                        + ": this rdma-core is not one whose structures are known");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> linkAll() {
        try {
            Ibverbs.link();
            Rdmacm.link();
            return Optional.empty();
        } catch (LinkageError e) {
            return Optional.of(e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
        }
    }

    /** The first use looks, and only that. */
    private static final class Loaded {
        static final Optional<String> PROBLEM = load();
    }
}
