package io.jsrpt.conf;

import com.typesafe.config.ConfigOrigin;

/**
 * One mistake in a configuration file.
 *
 * @param file the file it is in, as the user named it; or what stands for it, such as {@code reference.conf}
 * @param line the line, counted from 1; 0 when the mistake has no line, as when the file is missing
 * @param setting the full path of the setting, such as {@code jsrpt.port}; empty when no setting is concerned
 * @param message what is wrong and what would be right
 */
public record Mistake(String file, int line, String setting, String message) implements Comparable<Mistake> {
    static Mistake at(ConfigOrigin origin, String setting, String message) {
        String file = origin.filename() != null ? origin.filename() : origin.description();
        return new Mistake(file, Math.max(0, origin.lineNumber()), setting, message);
    }

    @Override
    public int compareTo(Mistake other) {
        int byFile = file.compareTo(other.file);
        return byFile != 0 ? byFile : Integer.compare(line, other.line);
    }

    /** The form that compilers use: {@code FILE:LINE: SETTING: MESSAGE}. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + (setting.isEmpty() ? "" : setting + ": ") + message;
    }
}
