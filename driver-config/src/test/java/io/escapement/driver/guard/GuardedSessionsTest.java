package io.escapement.driver.guard;

import io.aeron.AeronCounters;
import io.aeron.driver.status.StreamCounter;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Hashing;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Places of sessions: the shares of hosts, and when a place is free again. The times are the test's. */
class GuardedSessionsTest
{
    private static final int STREAM = 1_001;
    private static final int LIMIT = 16;
    /** A host that is not established gets two thirds of the places that are not for established ones. */
    private static final int SHARE = 8;
    private static final long INACTIVE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ESTABLISHED_NS = TimeUnit.SECONDS.toNanos(10);

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * CountersReader.COUNTER_LENGTH)));
    private final Int2IntHashMap counterBySessionMap = new Int2IntHashMap(-1);
    private final ResponsePins pins = new ResponsePins(ESTABLISHED_NS);
    private final GuardedSessions sessions =
        new GuardedSessions(LIMIT, INACTIVE_NS, pins, new LiveImages(counters), 0);
    private int nextSession = 1;
    private long nowNs;

    @Test
    void shouldLeaveAThirdOfTheRestForTheNextHost()
    {
        assertEquals(SHARE, fill("10.0.0.1"));
        assertEquals(GuardCounter.SOURCE_LIMIT, refusal("10.0.0.1"));
        assertEquals(3, fill("10.0.0.2"));
        assertEquals(1, fill("10.0.0.3"));
        assertEquals(0, fill("10.0.0.4"), "the rest is for hosts that are established");
    }

    @Test
    void shouldKeepAQuarterForHostsThatAreEstablished()
    {
        final GuardedSession first = add("10.0.0.9");
        sessions.pinResponse(first, 77, nowNs);
        nowNs += ESTABLISHED_NS;
        touch(first);
        assertEquals(SHARE - 1, fill("10.0.0.9"), "not before it has lasted");
        final int ofHost = SHARE;
        nowNs += 1;
        touchAll();
        int strangers = 0;
        for (int host = 1; host <= 20; host++)
        {
            strangers += fill("10.0.0." + host);
        }
        assertEquals(LIMIT - ofHost, strangers, "its own places count no longer against strangers");
        assertEquals(GuardCounter.SESSION_LIMIT, refusal("10.0.0.9"));
    }

    @Test
    void shouldAdmitAnEstablishedHostAmongStrangers()
    {
        sessions.pinResponse(add("10.0.0.9"), 77, nowNs);
        nowNs += ESTABLISHED_NS + 1;
        touchAll();
        for (int host = 1; host <= 20; host++)
        {
            if (9 != host)
            {
                fill("10.0.0." + host);
            }
        }
        assertEquals(GuardCounter.SOURCE_LIMIT, refusal("10.0.0.99"));
        assertEquals(LIMIT / 4 - 1, fill("10.0.0.9"), "the quarter, of which it had one");
    }

    @Test
    void shouldRememberAHostForAWhile()
    {
        sessions.pinResponse(add("10.0.0.9"), 77, nowNs);
        nowNs += ESTABLISHED_NS + 1;
        pins.unpin(77, nowNs);
        assertEquals(LIMIT, 1 + fill("10.0.0.9"));
        nowNs += TimeUnit.MINUTES.toNanos(3);
        closeImages();
        assertEquals(SHARE, fill("10.0.0.9"), "forgotten");
    }

    @Test
    void shouldNotRememberAHostWhoseResponseWasShort()
    {
        sessions.pinResponse(add("10.0.0.9"), 77, nowNs);
        pins.unpin(77, nowNs + ESTABLISHED_NS);
        assertEquals(SHARE - 1, fill("10.0.0.9"));
    }

    @Test
    void shouldFreeAPlaceWhenItsImageIsGone()
    {
        for (int round = 0; round < 4; round++)
        {
            assertEquals(SHARE, fill("10.0.0.1"), "round " + round);
            nowNs += 2 * INACTIVE_NS;
            assertEquals(GuardCounter.SOURCE_LIMIT, refusal("10.0.0.1"), "their images are there");
            closeImages();
            nowNs += INACTIVE_NS;
        }
        assertEquals(SHARE, fill("10.0.0.1"));
    }

    @Test
    void shouldNotFreeThePlaceOfASessionThatIsActive()
    {
        fill("10.0.0.1");
        closeImages();
        nowNs += INACTIVE_NS;
        assertEquals(GuardCounter.SOURCE_LIMIT, refusal("10.0.0.1"), "Aeron makes the image after the setup");
    }

    /** Open sessions until one is refused. */
    private int fill(final String host)
    {
        int count = 0;
        while (count <= LIMIT && null == refusal(host))
        {
            add(host);
            count++;
        }
        return count;
    }

    private GuardCounter refusal(final String host)
    {
        return sessions.refusal(new InetSocketAddress(host, 1), nowNs);
    }

    private GuardedSession add(final String host)
    {
        assertNull(refusal(host));
        final int sessionId = nextSession++;
        final long key = Hashing.compoundKey(STREAM, sessionId);
        final SetupFlyweight setup = new SetupFlyweight(ByteBuffer.allocate(SetupFlyweight.HEADER_LENGTH));
        sessions.add(key, new InetSocketAddress(host, 1), setup.termLength(65_536).mtuLength(1_408), nowNs);
        counterBySessionMap.put(sessionId, counters.allocate("rcv-pos", AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID,
            (buffer) ->
            {
                buffer.putInt(StreamCounter.SESSION_ID_OFFSET, sessionId);
                buffer.putInt(StreamCounter.STREAM_ID_OFFSET, STREAM);
            }));
        return sessions.get(key);
    }

    private void touch(final GuardedSession session)
    {
        session.onActivity(nowNs);
    }

    private void touchAll()
    {
        counterBySessionMap.keySet().forEach((id) -> touch(sessions.get(Hashing.compoundKey(STREAM, id))));
    }

    private void closeImages()
    {
        counterBySessionMap.values().forEach(counters::free);
        counterBySessionMap.clear();
    }
}
