package io.escapement.driver.guard;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether a sender receives at its source address, before memory is used for it. The address gets a cookie in
 * a round trip measurement of 40 bytes, no more than its setup had. Aeron senders echo it. A cookie is a keyed hash of
 * the address and the session, and costs no memory. Single-threaded.
 */
final class SourceCookies
{
    private static final long EPOCH_NS = TimeUnit.SECONDS.toNanos(8);
    /** Slots for cookies that were echoed. */
    private static final int PROVEN = 4_096;
    /**
     * A session sends its next setup up to 100 ms after its echo. Each cookie has three slots. Otherwise two sessions
     * with the same slot would evict each other's cookie repeatedly, until the epoch changes.
     */
    private static final int SLOTS = 3;
    private static final int SHIFT = 16;
    private static final int ROUNDS_PER_WORD = 2;
    private static final int LAST_ROUNDS = 4;

    private final long[] proven = new long[PROVEN];
    private final long key0;
    private final long key1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    SourceCookies()
    {
        final SecureRandom random = new SecureRandom();
        key0 = random.nextLong();
        key1 = random.nextLong();
    }

    long cookie(final InetSocketAddress source, final int streamId, final int sessionId, final long nowNs)
    {
        return hash(source, streamId, sessionId, Math.floorDiv(nowNs, EPOCH_NS));
    }

    /** An echo arrived. False when it is not the cookie of its sender and session, or too old. */
    boolean onEcho(
        final long echo, final InetSocketAddress source, final int streamId, final int sessionId, final long nowNs)
    {
        final long epoch = Math.floorDiv(nowNs, EPOCH_NS);
        if (echo != hash(source, streamId, sessionId, epoch) && echo != hash(source, streamId, sessionId, epoch - 1))
        {
            return false;
        }
        for (int i = 0; i < SLOTS; i++)
        {
            proven[slot(echo, i)] = echo;
        }
        return true;
    }

    /** Whether the session has echoed its cookie. */
    boolean isProven(final InetSocketAddress source, final int streamId, final int sessionId, final long nowNs)
    {
        final long epoch = Math.floorDiv(nowNs, EPOCH_NS);
        return contains(hash(source, streamId, sessionId, epoch)) ||
            contains(hash(source, streamId, sessionId, epoch - 1));
    }

    private boolean contains(final long cookie)
    {
        for (int i = 0; i < SLOTS; i++)
        {
            if (cookie == proven[slot(cookie, i)])
            {
                return true;
            }
        }
        return false;
    }

    private static int slot(final long cookie, final int number)
    {
        return (int)(cookie >>> number * SHIFT) & (PROVEN - 1);
    }

    /** SipHash-2-4 of the address, the port, the session and the epoch. */
    private long hash(final InetSocketAddress source, final int streamId, final int sessionId, final long epoch)
    {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
        final byte[] address = source.getAddress().getAddress();
        long word = source.getPort();
        for (int i = 0; i < address.length; i++)
        {
            word = (word << Byte.SIZE) | (address[i] & 0xFF);
            if (3 == i % 4)
            {
                add(word);
                word = 0;
            }
        }
        add(((long)streamId << Integer.SIZE) | (sessionId & 0xFFFF_FFFFL));
        add(epoch);
        v2 ^= 0xFF;
        mix(LAST_ROUNDS);
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void add(final long word)
    {
        v3 ^= word;
        mix(ROUNDS_PER_WORD);
        v0 ^= word;
    }

    private void mix(final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
