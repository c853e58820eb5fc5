package io.escapement.gateway;

import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The resume tokens of the sessions of all workers. An upgrade may arrive at any worker, which asks here whether its
 * token is known. Hello then moves the connection to the session's own worker. Thread safe.
 */
final class ResumeTokens
{
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{32}");

    private record Token(long high, long low)
    {
    }

    private final ConcurrentHashMap<Token, PlayerSession> sessionByTokenMap = new ConcurrentHashMap<>();

    void put(final PlayerSession session)
    {
        sessionByTokenMap.put(new Token(session.tokenHigh, session.tokenLow), session);
    }

    void remove(final PlayerSession session)
    {
        sessionByTokenMap.remove(new Token(session.tokenHigh, session.tokenLow));
    }

    /** The session of a token, or null. Its player must have logged in, because strangers also get sessions. */
    PlayerSession find(final String digits)
    {
        if (!DIGITS.matcher(digits).matches())
        {
            return null;
        }
        final int half = digits.length() / 2;
        final PlayerSession session = sessionByTokenMap.get(new Token(
            HexFormat.fromHexDigitsToLong(digits, 0, half), HexFormat.fromHexDigitsToLong(digits, half, 2 * half)));
        return null != session && session.isLoggedIn ? session : null;
    }
}
