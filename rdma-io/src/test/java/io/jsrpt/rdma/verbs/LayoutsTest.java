package io.jsrpt.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jsrpt.rdma.verbs.Layouts.Member;
import io.jsrpt.rdma.verbs.Layouts.Structure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The structures are those that this host's C compiler sees in rdma-core's headers. */
class LayoutsTest {
    private static final Path COMPILER = Path.of("/usr/bin/gcc");
    private static final Path HEADER = Path.of("/usr/include/rdma/rdma_cma.h");

    @TempDir
    private Path folder;

    private static final String PROGRAM = """
        #include <stddef.h>
        #include <stdio.h>
        #include <rdma/rdma_cma.h>
        int main(void) {
        %s    return 0;
        }
        """;

    private static String line(String format, String... expressions) {
        return "    printf(\"" + format + "\\n\", " + String.join(", ", expressions) + ");\n";
    }

    private String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    @Test
    void matchTheHeaders() throws Exception {
        assumeTrue(Files.isExecutable(COMPILER) && Files.exists(HEADER), "no gcc or no librdmacm-dev on this host");
        StringBuilder body = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (Structure structure : Layouts.STRUCTURES) {
            String type = structure.type();
            if (structure.bytes() > 0) {
                body.append(line(type + " %zu", "sizeof(" + type + ")"));
                expected.add(type + " " + structure.bytes());
            }
            for (Member member : structure.members()) {
                String of = "((" + type + " *) 0)->" + member.name();
                body.append(line(type + " " + member.name() + " %zu %zu",
                    "offsetof(" + type + ", " + member.name() + ")", "sizeof(" + of + ")"));
                expected.add(type + " " + member.name() + " " + member.offset() + " " + member.bytes());
            }
        }
        assertFalse(expected.isEmpty());
        Path source = folder.resolve("layouts.c");
        Files.writeString(source, PROGRAM.formatted(body));
        Path program = folder.resolve("layouts");
        run(COMPILER.toString(), "-o", program.toString(), source.toString());
        assertEquals(String.join("\n", expected), run(program.toString()).strip());
    }

    @Test
    void constantsMatchTheHeaders() throws Exception {
        assumeTrue(Files.isExecutable(COMPILER) && Files.exists(HEADER), "no gcc or no librdmacm-dev on this host");
        Object[][] constants = {
            {"RDMA_PS_TCP", Rdmacm.PS_TCP},
            {"RDMA_CM_EVENT_CONNECT_REQUEST", Rdmacm.EVENT_CONNECT_REQUEST},
            {"RDMA_CM_EVENT_CONNECT_RESPONSE", Rdmacm.EVENT_CONNECT_RESPONSE},
            {"RDMA_CM_EVENT_REJECTED", Rdmacm.EVENT_REJECTED},
            {"RDMA_CM_EVENT_ESTABLISHED", Rdmacm.EVENT_ESTABLISHED},
            {"RDMA_CM_EVENT_DISCONNECTED", Rdmacm.EVENT_DISCONNECTED},
            {"RDMA_CM_EVENT_DEVICE_REMOVAL", Rdmacm.EVENT_DEVICE_REMOVAL},
            {"RDMA_CM_EVENT_ADDR_CHANGE", Rdmacm.EVENT_ADDR_CHANGE},
            {"RDMA_CM_EVENT_TIMEWAIT_EXIT", Rdmacm.EVENT_TIMEWAIT_EXIT},
            {"IBV_QPT_RC", Ibverbs.QPT_RC},
            {"IBV_QPS_INIT", Ibverbs.QPS_INIT},
            {"IBV_QPS_RTR", Ibverbs.QPS_RTR},
            {"IBV_QPS_RTS", Ibverbs.QPS_RTS},
            {"IBV_QPS_ERR", Ibverbs.QPS_ERR},
            {"IBV_QP_STATE", Ibverbs.QP_STATE},
            {"IBV_WR_SEND", Ibverbs.WR_SEND},
            {"IBV_WR_RDMA_READ", Ibverbs.WR_RDMA_READ},
            {"IBV_WR_RDMA_WRITE", Ibverbs.WR_RDMA_WRITE},
            {"IBV_SEND_SIGNALED", Ibverbs.SEND_SIGNALED},
            {"IBV_SEND_SOLICITED", Ibverbs.SEND_SOLICITED},
            {"IBV_ACCESS_LOCAL_WRITE", Ibverbs.ACCESS_LOCAL_WRITE},
            {"IBV_ACCESS_REMOTE_READ", Ibverbs.ACCESS_REMOTE_READ},
            {"IBV_ACCESS_REMOTE_WRITE", Ibverbs.ACCESS_REMOTE_WRITE},
            {"IBV_WC_WR_FLUSH_ERR", Statuses.WR_FLUSH_ERR},
            {"IBV_PORT_ACTIVE", Ibverbs.PORT_ACTIVE},
            {"IBV_LINK_LAYER_ETHERNET", Ibverbs.LINK_LAYER_ETHERNET},
        };
        StringBuilder body = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (Object[] constant : constants) {
            body.append(line(constant[0] + " %d", "(int) " + constant[0]));
            expected.add(constant[0] + " " + constant[1]);
        }
        Path source = folder.resolve("constants.c");
        Files.writeString(source, PROGRAM.formatted(body));
        Path program = folder.resolve("constants");
        run(COMPILER.toString(), "-o", program.toString(), source.toString());
        assertEquals(String.join("\n", expected), run(program.toString()).strip());
    }
}
