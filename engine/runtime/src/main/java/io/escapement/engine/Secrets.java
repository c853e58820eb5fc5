package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Reads secrets from a file or the environment, never from a command line, which all users of a host can read. Error
 * messages name the place and never its content.
 */
public final class Secrets
{
    /** Minimum length in bytes: shorter secrets can be guessed. */
    public static final int MIN_LENGTH = 16;

    private static final int MIN_KEY_LENGTH = 32;
    /** The signing key, and the previous key. */
    private static final int MAX_KEYS = 2;

    private Secrets()
    {
    }

    /**
     * Read a secret from a file that only its owner can read. Leading and trailing white space is ignored.
     *
     * @param file with the secret.
     */
    public static byte[] fromFile(final Path file)
    {
        return fromFile("secret file", file);
    }

    /**
     * As {@link #fromFile(Path)}, with the option that messages name.
     *
     * @param option that names the file.
     * @param file   with the secret.
     */
    public static byte[] fromFile(final String option, final Path file)
    {
        return checked(stripped(read(option, file)), option, file);
    }

    /**
     * Read one or two keys, a key per line, from a file that only its owner can read.
     *
     * @param option that names the file.
     * @param file   with the keys.
     */
    public static List<byte[]> keysOf(final String option, final Path file)
    {
        final List<byte[]> keys = new String(read(option, file), StandardCharsets.UTF_8).lines().map(String::strip)
            .filter((line) -> !line.isEmpty()).map((line) -> line.getBytes(StandardCharsets.UTF_8)).toList();
        ConfigException.check(!keys.isEmpty() && keys.size() <= MAX_KEYS, option, file,
            "has " + keys.size() + " keys, expected one or two, one a line");
        for (final byte[] key : keys)
        {
            ConfigException.check(
                key.length >= MIN_KEY_LENGTH, option, file, "a key is shorter than " + MIN_KEY_LENGTH + " bytes");
        }
        return keys;
    }

    private static byte[] read(final String option, final Path file)
    {
        PrivateFiles.requirePrivate(option, file);
        try
        {
            return Files.readAllBytes(file);
        }
        catch (final IOException ex)
        {
            throw new ConfigException(option, file, "cannot be read");
        }
    }

    /**
     * Read a secret from the environment.
     *
     * @param name of the variable.
     */
    public static byte[] fromEnvironment(final String name)
    {
        final String value = System.getenv(name);
        if (null == value)
        {
            throw new ConfigException("environment variable", name, "not set");
        }
        return checked(stripped(value.getBytes(StandardCharsets.UTF_8)), "environment variable", name);
    }

    private static byte[] checked(final byte[] secret, final String option, final Object value)
    {
        ConfigException.check(
            secret.length >= MIN_LENGTH, option, value, "the secret is shorter than " + MIN_LENGTH + " bytes");
        return secret;
    }

    private static byte[] stripped(final byte[] bytes)
    {
        int from = 0;
        int to = bytes.length;
        while (to > from && Character.isWhitespace(bytes[to - 1]))
        {
            to--;
        }
        while (from < to && Character.isWhitespace(bytes[from]))
        {
            from++;
        }
        return Arrays.copyOfRange(bytes, from, to);
    }
}
