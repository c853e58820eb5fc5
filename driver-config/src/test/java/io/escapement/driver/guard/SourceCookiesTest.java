package io.escapement.driver.guard;

import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A cookie is good for one address, port, stream and session, for a short time, at the endpoint that made it. */
class SourceCookiesTest
{
    private static final InetSocketAddress SOURCE = new InetSocketAddress("10.1.2.3", 40_000);
    private static final int STREAM = 7_000;
    private static final int SESSION = -9;
    private static final int SESSIONS = 64;
    private static final int ROUNDS = 10;
    private static final long NOW_NS = TimeUnit.SECONDS.toNanos(1_000);

    private final SourceCookies cookies = new SourceCookies();
    private final long cookie = cookies.cookie(SOURCE, STREAM, SESSION, NOW_NS);

    @Test
    void shouldProveTheSessionThatEchoes()
    {
        assertFalse(cookies.isProven(SOURCE, STREAM, SESSION, NOW_NS));
        assertTrue(cookies.onEcho(cookie, SOURCE, STREAM, SESSION, NOW_NS));
        assertTrue(cookies.isProven(SOURCE, STREAM, SESSION, NOW_NS));
    }

    @Test
    void shouldNotTakeTheCookieOfAnother()
    {
        for (final InetSocketAddress other : new InetSocketAddress[]{
            new InetSocketAddress("10.1.2.4", 40_000), new InetSocketAddress("11.1.2.3", 40_000),
            new InetSocketAddress("10.1.2.3", 40_001), new InetSocketAddress("::1", 40_000)})
        {
            refused(cookie, other, STREAM, SESSION);
        }
        refused(cookie, SOURCE, STREAM + 1, SESSION);
        refused(cookie, SOURCE, STREAM, SESSION + 1);
        refused(cookie + 1, SOURCE, STREAM, SESSION);
        refused(0, SOURCE, STREAM, SESSION);
        assertNotEquals(cookie, new SourceCookies().cookie(SOURCE, STREAM, SESSION, NOW_NS), "the key is random");
    }

    @Test
    void shouldExpire()
    {
        assertTrue(cookies.onEcho(cookie, SOURCE, STREAM, SESSION, NOW_NS + TimeUnit.SECONDS.toNanos(7)));
        final long laterNs = NOW_NS + TimeUnit.SECONDS.toNanos(16);
        assertFalse(cookies.onEcho(cookie, SOURCE, STREAM, SESSION, laterNs));
        assertFalse(cookies.isProven(SOURCE, STREAM, SESSION, laterNs));
        assertNotEquals(cookie, cookies.cookie(SOURCE, STREAM, SESSION, laterNs));
        assertEquals(cookie, cookies.cookie(SOURCE, STREAM, SESSION, NOW_NS));
    }

    @Test
    void shouldAdmitManySessionsThatSetUpAtTheSameTime()
    {
        // Each sends its setups in its place of every 100 ms: one echo comes before the next setup of every other.
        final Set<Integer> sessions = new LinkedHashSet<>();
        for (int session = 0; session < SESSIONS; session++)
        {
            sessions.add(session);
        }
        for (int round = 0; round < ROUNDS; round++)
        {
            sessions.removeIf((session) -> cookies.isProven(SOURCE, STREAM, session, NOW_NS) ||
                !cookies.onEcho(cookies.cookie(SOURCE, STREAM, session, NOW_NS), SOURCE, STREAM, session, NOW_NS));
        }
        assertEquals(Set.of(), sessions);
    }

    private void refused(final long echo, final InetSocketAddress source, final int streamId, final int sessionId)
    {
        assertFalse(cookies.onEcho(echo, source, streamId, sessionId, NOW_NS));
        assertFalse(cookies.isProven(source, streamId, sessionId, NOW_NS));
    }
}
