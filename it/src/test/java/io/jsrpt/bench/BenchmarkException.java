package io.jsrpt.bench;

/** The benchmark cannot be run, or its figures would mean nothing; the message is for the person who started it. */
final class BenchmarkException extends Exception {
    private static final long serialVersionUID = 1;

    BenchmarkException(String message) {
        super(message);
    }

    BenchmarkException(String message, Throwable cause) {
        super(message, cause);
    }
}
