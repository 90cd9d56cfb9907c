package io.jsrpt.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A medium in memory that counts its calls, moves few bytes at a time, fails and blocks when told to. */
final class FakeMedium implements Medium {
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile int most = Integer.MAX_VALUE;
    volatile int end;
    /** The parts that have space taken, beginning and end, in order. */
    final List<long[]> edges = new CopyOnWriteArrayList<>();
    volatile long length;
    volatile boolean sparse;
    volatile String reason = "injected";
    volatile boolean failForce;
    volatile boolean failTransfer;
    volatile CountDownLatch gate = new CountDownLatch(0);
    private final byte[] bytes;

    FakeMedium(int size) {
        bytes = new byte[size];
        end = size;
        length = size;
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        call("read " + position + " " + into.remaining(), failTransfer);
        int count = Math.min(Math.min(most, into.remaining()), end - (int) position);
        if (count <= 0) {
            return -1;
        }
        into.put(bytes, (int) position, count);
        return count;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        call("write " + position + " " + from.remaining(), failTransfer);
        int count = Math.min(Math.min(most, from.remaining()), end - (int) position);
        from.get(bytes, (int) position, count);
        return count;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean sparse() {
        return sparse;
    }

    @Override
    public void punch(long position, long length) throws IOException {
        call("punch " + position + " " + length, failTransfer);
        Arrays.fill(bytes, (int) position, (int) (position + length), (byte) 0);
    }

    @Override
    public long nextData(long position) {
        return edges.stream().filter(edge -> edge[1] > position).mapToLong(edge -> Math.max(edge[0], position))
            .findFirst().orElse(-1);
    }

    @Override
    public long nextHole(long position) {
        return edges.stream().filter(edge -> edge[0] <= position && edge[1] > position).mapToLong(edge -> edge[1])
            .findFirst().orElse(position);
    }

    @Override
    public void force() throws IOException {
        call("force", failForce);
    }

    @Override
    public void close() {
        calls.add("close");
    }

    private void call(String what, boolean fail) throws IOException {
        calls.add(what);
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (fail) {
            throw new IOException(reason);
        }
    }
}
