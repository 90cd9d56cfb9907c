package io.jsrpt.conf;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with all its mistakes. */
public final class ConfigurationException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Mistake> mistakes;

    ConfigurationException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining(System.lineSeparator())));
        this.mistakes = List.copyOf(mistakes);
    }

    /** The mistakes in the order of the file's lines; at least one. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
