package io.escapement.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;

/**
 * Where secrets come from: a file or the environment, never a command line, which every user of a host can read.
 * Complaints name the place, and say nothing of what was found there.
 */
public final class Secrets
{
    /** A shorter one could be guessed. */
    public static final int MIN_LENGTH = 16;

    private Secrets()
    {
    }

    /**
     * Read a secret from a file that nobody but its owner may read. White space around it does not count.
     *
     * @param file with the secret.
     * @return the secret.
     */
    public static byte[] fromFile(final Path file)
    {
        final byte[] bytes;
        try
        {
            if (Files.getFileStore(file).supportsFileAttributeView("posix"))
            {
                final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
                if (permissions.contains(PosixFilePermission.OTHERS_READ) ||
                    permissions.contains(PosixFilePermission.GROUP_READ))
                {
                    throw new EngineException("secret file " + file + ": others may read it (chmod 600 " + file + ")");
                }
            }
            bytes = Files.readAllBytes(file);
        }
        catch (final IOException ex)
        {
            throw new EngineException("secret file " + file + ": cannot be read");
        }
        return checked(stripped(bytes), "secret file " + file);
    }

    /**
     * Read a secret from the environment.
     *
     * @param name of the variable.
     * @return the secret.
     */
    public static byte[] fromEnvironment(final String name)
    {
        final String value = System.getenv(name);
        if (null == value)
        {
            throw new EngineException("environment variable " + name + ": not set");
        }
        return checked(stripped(value.getBytes(StandardCharsets.UTF_8)), "environment variable " + name);
    }

    private static byte[] checked(final byte[] secret, final String place)
    {
        if (secret.length < MIN_LENGTH)
        {
            throw new EngineException(place + ": the secret is shorter than " + MIN_LENGTH + " bytes");
        }
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
