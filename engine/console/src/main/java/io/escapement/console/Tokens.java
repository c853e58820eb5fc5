package io.escapement.console;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Properties;

/** The tokens of the two roles. They are compared in a time that depends only on their length. */
final class Tokens
{
    private static final int RANDOM_BYTES = 16;
    private static final int MIN_LENGTH = 2 * RANDOM_BYTES;
    private static final int MAX_LENGTH = 256;
    private static final String OPTION = "console.tokenFile";
    private static final String BEARER = "Bearer ";

    /** The role that a token gives. */
    enum Role
    {
        VIEW, OPERATE
    }

    private final String view;
    private final String operate;

    private Tokens(final String view, final String operate)
    {
        this.view = view;
        this.operate = operate;
    }

    /** Draw tokens of 128 bits. */
    static Tokens random(final SecureRandom random)
    {
        return new Tokens(draw(random), draw(random));
    }

    /** Read a file with the lines view=... and operate=... */
    static Tokens fromFile(final Path file)
    {
        PrivateFiles.requirePrivate(OPTION, file);
        final Properties lines = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.US_ASCII))
        {
            lines.load(reader);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new ConfigException(OPTION, file, "cannot be read as lines view=... and operate=...", ex);
        }
        final Tokens tokens = new Tokens(token(lines, "view", file), token(lines, "operate", file));
        ConfigException.check(!tokens.view.equals(tokens.operate), OPTION, file, "give the roles two tokens");
        return tokens;
    }

    String view()
    {
        return view;
    }

    String operate()
    {
        return operate;
    }

    /** The role of a request, or null. */
    Role roleOf(final String authorization)
    {
        if (null == authorization || !authorization.startsWith(BEARER))
        {
            return null;
        }
        final String token = authorization.substring(BEARER.length()).trim();
        final boolean isView = isEqual(view, token);
        final boolean isOperate = isEqual(operate, token);
        return isOperate ? Role.OPERATE : isView ? Role.VIEW : null;
    }

    private static boolean isEqual(final String expected, final String given)
    {
        return MessageDigest.isEqual(
            expected.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.UTF_8));
    }

    private static String draw(final SecureRandom random)
    {
        final byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String token(final Properties lines, final String role, final Path file)
    {
        final String token = lines.getProperty(role, "").trim();
        ConfigException.check(token.matches("[0-9A-Za-z._~-]{" + MIN_LENGTH + "," + MAX_LENGTH + "}"),
            OPTION, file, "needs a line " + role + "=, with " + MIN_LENGTH + " to " + MAX_LENGTH +
            " letters, digits, dots, dashes, underscores or tildes");
        return token;
    }
}
