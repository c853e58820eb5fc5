package io.escapement.driver;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.agrona.SystemUtil;
import org.agrona.concurrent.IdleStrategy;

/**
 * An Aeron setting that a profile may hold: how to parse it and which property of a driver's context it sets.
 *
 * @param name   of Aeron's system property.
 * @param parser of the value. Throws any RuntimeException.
 * @param getter of the context's property.
 * @param setter of the context's property.
 */
record ProfileKey<T>(
    String name,
    Function<String, T> parser,
    Function<MediaDriver.Context, Object> getter,
    BiConsumer<MediaDriver.Context, T> setter)
{
    private static final Set<String> IDLE_STRATEGIES = Set.of(
        "noop", "spin", "yield", "backoff", "sleep-ns", "sleep-ms");

    static ProfileKey<Long> size(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, Integer> setter)
    {
        return new ProfileKey<>(name, (text) -> (long)Math.toIntExact(SystemUtil.parseSize(name, text)), getter,
            (context, value) -> setter.accept(context, value.intValue()));
    }

    static ProfileKey<Long> termLength(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, Integer> setter)
    {
        return new ProfileKey<>(name, (text) -> parseTermLength(name, text), getter,
            (context, value) -> setter.accept(context, value.intValue()));
    }

    static ProfileKey<String> text(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, String> setter)
    {
        return new ProfileKey<>(name, Function.identity(), getter, setter);
    }

    static ProfileKey<Long> longSize(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, Long> setter)
    {
        return new ProfileKey<>(name, (text) -> SystemUtil.parseSize(name, text), getter, setter);
    }

    static ProfileKey<Long> duration(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, Long> setter)
    {
        return new ProfileKey<>(name, (text) -> SystemUtil.parseDuration(name, text), getter, setter);
    }

    static ProfileKey<Long> number(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, Long> setter)
    {
        return new ProfileKey<>(name, Long::valueOf, getter, setter);
    }

    static ProfileKey<Boolean> flag(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, Boolean> setter)
    {
        return new ProfileKey<>(name, ProfileKey::parseFlag, getter, setter);
    }

    static ProfileKey<ThreadingMode> threadingMode(final String name)
    {
        return new ProfileKey<>(name, (text) -> ThreadingMode.valueOf(text.toUpperCase(Locale.ROOT)),
            MediaDriver.Context::threadingMode, MediaDriver.Context::threadingMode);
    }

    static ProfileKey<String> idle(
        final String name,
        final Function<MediaDriver.Context, Object> getter,
        final BiConsumer<MediaDriver.Context, IdleStrategy> setter)
    {
        // An idle strategy has state and one owner. Each context gets its own strategy.
        return new ProfileKey<>(name, ProfileKey::parseIdle, getter,
            (context, value) -> setter.accept(context, Configuration.agentIdleStrategy(value, null)));
    }

    /** Set the context's property unless a setter or a system property has set it. */
    void apply(final String text, final MediaDriver.Context context, final MediaDriver.Context defaults)
    {
        final boolean isSet = !Objects.equals(getter.apply(context), getter.apply(defaults));
        if (!isSet && null == System.getProperty(name))
        {
            setter.accept(context, parser.apply(text));
        }
    }

    private static long parseTermLength(final String name, final String text)
    {
        final int length = Math.toIntExact(SystemUtil.parseSize(name, text));
        LogBufferDescriptor.checkTermLength(length);
        return length;
    }

    private static boolean parseFlag(final String text)
    {
        return switch (text)
        {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    private static String parseIdle(final String text)
    {
        if (!IDLE_STRATEGIES.contains(text))
        {
            throw new IllegalArgumentException("expected one of " + IDLE_STRATEGIES.stream().sorted().toList());
        }
        return text;
    }
}
