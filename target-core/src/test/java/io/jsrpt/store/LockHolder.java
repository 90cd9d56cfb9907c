package io.jsrpt.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Another program that has a store open until its input ends; for {@link FileStoreTest}. */
final class LockHolder {
    private LockHolder() {
    }

    public static void main(String[] arguments) throws IOException {
        boolean readOnly = arguments.length > 1;
        try (FileStore store = FileStore.open(Path.of(arguments[0]), OptionalLong.empty(), 512, readOnly, 1)) {
            System.out.println("open " + store.blockCount());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}
