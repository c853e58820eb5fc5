package io.escapement.driver;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DriverProfileTest
{
    private static final List<String> SAMPLES =
        List.of("true", "false", "7", "64k", "8m", "3s", "noop", "SHARED_NETWORK", "127.0.0.1:1");

    @TempDir
    private Path directory;

    @Test
    void shouldRefuseAMissingFileByName()
    {
        assertEquals("profile: /no/such/file.properties: " +
            "expected one of [dedicated, shared, solo, cloud] or an existing file",
            refusal(() -> DriverProfile.load("/no/such/file.properties")));
    }

    @Test
    void shouldRefuseAnUnknownKeyByName()
    {
        assertRefused("unknown key aeron.term.bufer.length", "aeron.term.bufer.length=1m");
        assertRefused("unknown key escapement.guard.max", "escapement.guard.max=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "aeron.threading.mode=SPINNING",
        "aeron.sender.idle.strategy=sometimes",
        "aeron.term.buffer.length=300k",
        "aeron.term.buffer.length=4g",
        "aeron.mtu.length=much",
        "aeron.mtu.length=-1",
        "aeron.image.liveness.timeout=3 weeks",
        "aeron.dir.delete.on.shutdown=yes",
        "aeron.driver.timeout=soon",
        "escapement.trunks=0",
        "escapement.gso=maybe",
        "escapement.guard.setup.rate=1.5"})
    void shouldRefuseAnInvalidValueByKeyAndValue(final String line)
    {
        final String path = write(line);
        final String message = refusal(() -> DriverProfile.load(path));
        assertTrue(message.startsWith(line.replace("=", ": ") + ": invalid in profile " + path + ": "), message);
    }

    @Test
    void shouldRefuseGuardLimitsThatContradictEachOther()
    {
        assertRefused("maxMtu: 600: at least 1000", "escapement.guard.max.mtu=600\nescapement.guard.min.mtu=1000");
    }

    @Test
    void shouldRefuseAKeyWithoutAValue()
    {
        assertRefused("aeron.mtu.length has no value", "aeron.mtu.length=");
    }

    @Test
    void shouldRefuseADuplicateKey()
    {
        assertRefused("duplicate key aeron.mtu.length", "aeron.mtu.length=4k\naeron.mtu.length=8k");
    }

    @Test
    void shouldOverrideAeronsDefault()
    {
        final MediaDriver.Context context = DriverProfile.load("dedicated").newContext();
        assertEquals(1 << 20, context.publicationTermBufferLength());
        assertEquals(ThreadingMode.DEDICATED, context.threadingMode());
        assertSame(BusySpinIdleStrategy.INSTANCE, context.senderIdleStrategy());
    }

    @Test
    void shouldOverrideTheProfileByASystemProperty()
    {
        SystemProperties.with(Map.of(
            "aeron.term.buffer.length", "128k",
            "aeron.threading.mode", "INVOKER",
            "aeron.sender.idle.strategy", "noop",
            "escapement.trunks", "3",
            "escapement.guard.session.limit", "11"), () ->
        {
            final DriverProfile profile = DriverProfile.load("dedicated");
            final MediaDriver.Context context = profile.newContext();
            assertEquals(128 << 10, context.publicationTermBufferLength());
            assertEquals(ThreadingMode.INVOKER, context.threadingMode());
            assertNull(context.senderIdleStrategy());
            assertSame(NoOpIdleStrategy.INSTANCE, Configuration.senderIdleStrategy(null));
            assertEquals(3, profile.trunks());
            assertEquals(11, profile.guardLimits().sessionLimit());
            assertEquals(2 << 20, profile.guardLimits().maxTermLength());
        });
    }

    @Test
    void shouldOverrideASystemPropertyByASetter()
    {
        SystemProperties.with(Map.of(
            "aeron.term.buffer.length", "128k",
            "aeron.threading.mode", "INVOKER",
            "aeron.sender.idle.strategy", "noop"), () ->
        {
            final MediaDriver.Context context = DriverProfile.load("dedicated").applyTo(new MediaDriver.Context()
                .publicationTermBufferLength(64 << 10)
                .threadingMode(ThreadingMode.SHARED)
                .senderIdleStrategy(BusySpinIdleStrategy.INSTANCE));
            assertEquals(64 << 10, context.publicationTermBufferLength());
            assertEquals(ThreadingMode.SHARED, context.threadingMode());
            assertSame(BusySpinIdleStrategy.INSTANCE, context.senderIdleStrategy());
        });
    }

    @Test
    void shouldOverrideTheProfileByASetter()
    {
        final MediaDriver.Context context = DriverProfile.load("shared").applyTo(new MediaDriver.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .socketRcvbufLength(77 << 10)
            .receiverIdleStrategy(NoOpIdleStrategy.INSTANCE)
            .asyncExecutorIdleStrategy(BusySpinIdleStrategy.INSTANCE));
        assertEquals(ThreadingMode.INVOKER, context.threadingMode());
        assertEquals(77 << 10, context.socketRcvbufLength());
        assertSame(NoOpIdleStrategy.INSTANCE, context.receiverIdleStrategy());
        assertSame(BusySpinIdleStrategy.INSTANCE, context.asyncExecutorIdleStrategy());
        assertEquals(1 << 20, context.socketSndbufLength());
    }

    @ParameterizedTest
    @CsvSource({
        "aeron.threading.mode, SPINNING",
        "aeron.mtu.length, much",
        "escapement.trunks, few",
        "escapement.guard.max.mtu, -1"})
    void shouldNameAnInvalidSystemProperty(final String key, final String value)
    {
        SystemProperties.with(Map.of(key, value), () ->
        {
            final ConfigException refused = assertThrows(ConfigException.class,
                () -> DriverProfile.load(write("aeron.dir.delete.on.shutdown=true")).newContext());
            assertTrue(refused.getMessage().startsWith(key + ": " + value + ": invalid in a system property: "),
                refused.getMessage());
        });
    }

    @Test
    void shouldApplyEachKey()
    {
        for (final ProfileKey<?> key : ProfileKeys.BY_NAME_MAP.values())
        {
            final Object otherwise = key.getter().apply(new MediaDriver.Context());
            final String sample = SAMPLES.stream()
                .filter((text) -> !Objects.equals(otherwise, valueSet(key, text)))
                .findFirst().orElseThrow(() -> new AssertionError(key.name() + " has no effect on its getter"));
            SystemProperties.with(Map.of(key.name(), sample), () ->
            {
                final Object read = key.getter().apply(new MediaDriver.Context());
                // Null if Aeron reads the property later. It reads the driver's timeout once, when its class is loaded.
                assertTrue(null == read || "aeron.driver.timeout".equals(key.name()) ||
                    read.equals(valueSet(key, sample)),
                    () -> key.name() + " is not the name of Aeron's property: " + read);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldExplainEachValue(final String name) throws IOException
    {
        final List<String> lines = lines(name);
        final DriverProfile profile = DriverProfile.load(name);
        assertFalse(profile.jvmFlags().isEmpty());
        int values = 0;
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            if (!line.isEmpty() && !line.startsWith("#"))
            {
                values++;
                assertTrue(lines.get(i - 1).matches("# \\S.{15,}"), "no comment above " + name + ": " + line);
            }
        }
        assertTrue(values > 10, name + " has " + values + " values");
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldNotRepeatAeronsDefaults(final String name) throws IOException
    {
        final List<String> lines = lines(name);
        final MediaDriver.Context context = DriverProfile.load(name).newContext();
        final MediaDriver.Context defaults = new MediaDriver.Context();
        for (int i = 0; i < lines.size(); i++)
        {
            final ProfileKey<?> key = ProfileKeys.BY_NAME_MAP.get(lines.get(i).split("=")[0]);
            if (null != key && !lines.get(i - 1).contains("although it is the default"))
            {
                assertNotEquals(key.getter().apply(defaults), key.getter().apply(context), name + ": " + key.name());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldChooseACollectorAndAHeap(final String name)
    {
        final String flags = DriverProfile.load(name).jvmFlags();
        assertTrue(flags.matches(".*-XX:\\+Use(Serial|Parallel|Z)GC.*"), flags);
        assertTrue(flags.contains("-Xmx"), flags);
    }

    private static List<String> names()
    {
        return DriverProfile.NAMES;
    }

    private static List<String> lines(final String name) throws IOException
    {
        try (InputStream in = DriverProfile.class.getResourceAsStream("profiles/" + name + ".properties"))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** The getter's value after a text was applied; unchanged if the text is invalid. */
    private static Object valueSet(final ProfileKey<?> key, final String text)
    {
        final MediaDriver.Context context = new MediaDriver.Context();
        final String property = System.clearProperty(key.name());
        try
        {
            final MediaDriver.Context defaults = new MediaDriver.Context();
            final MediaDriver.Context fresh = new MediaDriver.Context();
            key.apply(text, fresh, defaults);
            return key.getter().apply(fresh);
        }
        catch (final IllegalArgumentException | ArithmeticException | IllegalStateException ex)
        {
            return key.getter().apply(context);
        }
        finally
        {
            if (null != property)
            {
                System.setProperty(key.name(), property);
            }
        }
    }

    private void assertRefused(final String reason, final String text)
    {
        final String path = write(text);
        final String message = refusal(() -> DriverProfile.load(path));
        assertTrue(message.startsWith("profile: " + path + ": "), message);
        assertTrue(message.contains(reason), message);
    }

    private static String refusal(final Executable load)
    {
        return assertThrows(ConfigException.class, load).getMessage();
    }

    private String write(final String text)
    {
        try
        {
            return Files.writeString(directory.resolve("a.properties"), text).toString();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
