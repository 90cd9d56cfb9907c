package io.jsrpt.conf;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigMemorySize;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One block of settings, read key by key. A key that is not given has the default's value. A mistake is noted and a
 * stand-in returned, so that reading goes on and finds the rest; what was built of stand-ins must not be used once
 * there are mistakes.
 */
final class Section {
    private static final BigDecimal MAX_INT = BigDecimal.valueOf(Integer.MAX_VALUE);

    private final String path;
    private final ConfigObject given;
    private final String defaultsPath;
    private final ConfigObject defaults;
    private final List<Mistake> mistakes;
    private final TreeSet<String> known = new TreeSet<>();

    /**
     * A block.
     *
     * @param path its full name
     * @param given what the user wrote in it
     * @param defaultsPath the full name of the block that the defaults come from
     * @param defaults the value of each key that has a default
     * @param mistakes gets the mistakes
     */
    Section(String path, ConfigObject given, String defaultsPath, ConfigObject defaults, List<Mistake> mistakes) {
        this.path = path;
        this.given = given;
        this.defaultsPath = defaultsPath;
        this.defaults = defaults;
        this.mistakes = mistakes;
    }

    /** Whether the user wrote this key. */
    boolean isGiven(String key) {
        return given.containsKey(key);
    }

    /** The value of a key that is there, without asking what it is. */
    Optional<ConfigValue> value(String key) {
        known.add(key);
        ConfigValue value = given.get(key);
        if (value == null) {
            value = defaults.get(key);
        }
        return Optional.ofNullable(value).filter(v -> v.valueType() != ConfigValueType.NULL);
    }

    /** Notes a mistake at a key's line, be it here or in the user's defaults; at the block's where it is in neither. */
    void mistake(String key, String message) {
        ConfigValue value = given.get(key);
        ConfigValue byDefault = defaults.get(key);
        if (value == null && byDefault != null && byDefault.origin().resource() == null) {
            mistakes.add(Mistake.at(byDefault.origin(), defaultsPath + "." + key, message));
        } else {
            mistake(value != null ? value.origin() : given.origin(), key, message);
        }
    }

    void mistake(ConfigOrigin where, String key, String message) {
        mistakes.add(Mistake.at(where, path + "." + key, message));
    }

    /** Where a key is written, as {@code FILE:LINE}. */
    String place(String key) {
        ConfigOrigin origin = given.get(key).origin();
        return origin.filename() + ":" + origin.lineNumber();
    }

    /** The block of this name; an empty one where there is none. */
    Section section(String key) {
        String name = path + "." + key;
        return new Section(name, object(key, given), name, object(key, defaults), mistakes);
    }

    private ConfigObject object(String key, ConfigObject in) {
        known.add(key);
        ConfigValue value = in.get(key);
        if (value instanceof ConfigObject object) {
            return object;
        }
        if (value != null) {
            mistake(value.origin(), key, "is " + shown(value) + " but must be a block: " + key + " { ... }");
        }
        return ConfigValueFactory.fromMap(Map.of()).toConfig().root().withOrigin(given.origin());
    }

    /** The blocks of a list, each with the defaults that the block {@code defaultsKey} holds. */
    List<Section> sections(String key, String defaultsKey) {
        ConfigObject elementDefaults = object(defaultsKey, given).withFallback(object(defaultsKey, defaults));
        List<Section> sections = new ArrayList<>();
        int index = 0;
        for (ConfigValue element : list(key)) {
            String name = key + "[" + index++ + "]";
            if (element instanceof ConfigObject object) {
                sections.add(new Section(path + "." + name, object, path + "." + defaultsKey,
                    elementDefaults, mistakes));
            } else {
                mistake(element.origin(), name, "is " + shown(element) + " but must be a block: { ... }");
            }
        }
        return sections;
    }

    /** The elements of a list; none where the key is absent. */
    List<ConfigValue> list(String key) {
        ConfigValue value = value(key).orElse(null);
        if (value instanceof ConfigList list) {
            return list;
        }
        if (value != null) {
            mistake(value.origin(), key, "is " + shown(value) + " but must be a list: [ ... ]");
        }
        return List.of();
    }

    /** A text that need not be there. */
    Optional<String> optionalText(String key) {
        return value(key).flatMap(value -> scalar(key, value));
    }

    String text(String key) {
        Optional<String> text = optionalText(key);
        if (text.isEmpty() && value(key).isEmpty()) {
            mistake(key, "is missing");
        }
        return text.orElse("");
    }

    private Optional<String> scalar(String key, ConfigValue value) {
        return switch (value.valueType()) {
            case STRING, NUMBER, BOOLEAN -> Optional.of(value.unwrapped().toString());
            case OBJECT, LIST, NULL -> {
                mistake(value.origin(), key, "is " + shown(value) + " but must be a single value");
                yield Optional.empty();
            }
        };
    }

    boolean bool(String key) {
        String text = text(key);
        return switch (text) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off", "" -> false;
            default -> {
                mistake(key, "is \"" + text + "\" but must be true or false");
                yield false;
            }
        };
    }

    int integer(String key, int min, int max) {
        String text = text(key);
        if (text.isEmpty()) {
            return min;
        }
        BigDecimal number = number(text);
        boolean whole = number.remainder(BigDecimal.ONE).signum() == 0;
        if (number.abs().compareTo(MAX_INT) > 0 || !whole || number.intValue() < min || number.intValue() > max) {
            mistake(key, "is " + text + " but must be a whole number from " + min + " to " + max);
            return min;
        }
        return number.intValue();
    }

    /** A number that no range holds stands for what is not a number. */
    private static BigDecimal number(String text) {
        try {
            return new BigDecimal(text.strip());
        } catch (NumberFormatException expected) {
            return MAX_INT.add(BigDecimal.ONE);
        }
    }

    /** One of some names. */
    <T> T choice(String key, Map<String, T> choices) {
        String text = text(key);
        T chosen = choices.get(text);
        if (chosen != null) {
            return chosen;
        }
        if (!text.isEmpty()) {
            mistake(key, "is \"" + text + "\" but must be one of " + String.join(", ", choices.keySet())
                + Suggestion.didYouMean(text, choices.keySet()));
        }
        return choices.values().iterator().next();
    }

    /** A size in bytes, written as a number or with a unit, such as {@code 64 MiB}. */
    long bytes(String key, long min, long max) {
        return optionalBytes(key, min, max).orElseGet(() -> {
            if (value(key).isEmpty()) {
                mistake(key, "is missing");
            }
            return min;
        });
    }

    Optional<Long> optionalBytes(String key, long min, long max) {
        return quantity(key, "a size such as 65536 or \"64 MiB\"", v -> v.atKey("q").getMemorySize("q"))
            .map(ConfigMemorySize::toBytesBigInteger)
            .filter(size -> {
                boolean fits = size.bitLength() < Long.SIZE && size.longValue() >= min && size.longValue() <= max;
                if (!fits) {
                    mistake(key, "is " + value(key).orElseThrow().unwrapped() + " but must be from " + Sizes.text(min)
                        + " to " + Sizes.text(max));
                }
                return fits;
            })
            .map(size -> size.longValue());
    }

    /** A time span, written with a unit, such as {@code 5 s}. */
    Duration duration(String key, Duration min, Duration max) {
        Optional<Duration> span = quantity(key, "a time span such as \"500 ms\" or \"5 s\"",
            v -> v.valueType() == ConfigValueType.STRING ? v.atKey("q").getDuration("q") : null);
        if (span.isPresent() && (span.get().compareTo(min) < 0 || span.get().compareTo(max) > 0)) {
            mistake(key, "is " + value(key).orElseThrow().unwrapped() + " but must be from " + Sizes.text(min) + " to "
                + Sizes.text(max));
            return min;
        }
        if (span.isEmpty() && value(key).isEmpty()) {
            mistake(key, "is missing");
        }
        return span.orElse(min);
    }

    /** What {@code parse} makes of the value; a mistake where it throws or makes nothing. */
    private <T> Optional<T> quantity(String key, String form, Function<ConfigValue, T> parse) {
        return value(key).flatMap(value -> {
            Optional<T> parsed;
            try {
                parsed = Optional.ofNullable(parse.apply(value));
            } catch (ConfigException expected) {
                parsed = Optional.empty();
            }
            if (parsed.isEmpty()) {
                mistake(key, "is " + shown(value) + " but must be " + form);
            }
            return parsed;
        });
    }

    static String shown(ConfigValue value) {
        return switch (value.valueType()) {
            case OBJECT -> "a block";
            case LIST -> "a list";
            case STRING -> "\"" + value.unwrapped() + "\"";
            case NUMBER, BOOLEAN -> value.unwrapped().toString();
            case NULL -> "null";
        };
    }

    /** Notes every key that nobody asked for. To be called after the last read. */
    void noteUnknownKeys() {
        noteKeysOtherThan(known);
    }

    /** Notes every key that is not one of these. */
    void noteKeysOtherThan(Collection<String> known) {
        given.forEach((key, value) -> {
            if (!known.contains(key)) {
                mistake(value.origin(), key, "is not a setting" + Suggestion.didYouMean(key, known));
            }
        });
    }
}
