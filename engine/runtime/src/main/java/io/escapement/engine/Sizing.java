package io.escapement.engine;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.config.ConfigException;
import io.escapement.driver.HostFacts;
import org.agrona.BitUtil;

/**
 * Computes the memory and socket buffers that trunks need, before anything is opened. Configurations that do not fit
 * are refused with the sum, since shared memory that runs out later is a SIGBUS.
 */
final class Sizing
{
    /** With fewer than a handful of datagrams in flight, a sender waits for a round trip at every other one. */
    static final int MIN_WINDOW = 8 * 1_024;

    /** Window when trunks.largestFrame is not set. */
    static final int DEFAULT_WINDOW = 128 * 1_024;

    private static final int WINDOW_UNIT = 1_024;
    /** One frame is in flight while the next is sent. */
    private static final int FRAMES_A_WINDOW = 2;
    /** Datagrams that overflow the socket buffer are lost, so all windows together take half of it at most. */
    private static final int SHARE_OF_SOCKET = 2;
    /** Terms of a publication or an image. */
    private static final int TERMS = 3;
    /** A stream has a publication to the engine and one back. */
    private static final int WAYS = 2;

    private Sizing()
    {
    }

    /** The socket buffer that the host grants. */
    static int socketBuffer(final int requested, final HostFacts facts)
    {
        return HostFacts.UNKNOWN == facts.receiveBufferMax() ?
            requested : (int)Math.min(requested, facts.receiveBufferMax());
    }

    /** The window for two frames of a trunk. */
    static int windowFor(final int largestFrame)
    {
        return Math.max(MIN_WINDOW, BitUtil.align(FRAMES_A_WINDOW * largestFrame, WINDOW_UNIT));
    }

    /** The window of one stream: those of all trunks together must not overflow the socket buffer. */
    static int window(
        final int requested, final int trunkLimit, final int requestedSocketBuffer, final int socketBuffer)
    {
        final int share = socketBuffer / (SHARE_OF_SOCKET * trunkLimit);
        final int window = Math.min(requested, share - share % WINDOW_UNIT);
        if (window < MIN_WINDOW)
        {
            throw new ConfigException("trunks.limit", trunkLimit + " trunks share a socket buffer of " +
                socketBuffer + " bytes, which leaves each a window of " + window + ", less than " + MIN_WINDOW,
                socketBuffer < requestedSocketBuffer ?
                    "raise net.core.rmem_max (sysctl -w net.core.rmem_max=" + requestedSocketBuffer + ")" :
                    "raise trunks.socketBuffer, or lower trunks.limit");
        }
        return window;
    }

    /** Bytes of shared memory for all trunks, each attached to all loops. */
    static long trunkMemory(final int trunkLimit, final int loops, final int termLength)
    {
        final long stream = (long)TERMS * termLength + LogBufferDescriptor.LOG_META_DATA_LENGTH;
        // One stream per loop and the control stream.
        return trunkLimit * (loops + 1L) * WAYS * stream;
    }

    static void checkMemory(
        final HostFacts.Store store, final int trunkLimit, final int loops, final int termLength)
    {
        final long needed = trunkMemory(trunkLimit, loops, termLength);
        if (HostFacts.UNKNOWN != store.free() && needed > store.free())
        {
            throw new ConfigException("trunks.limit", trunkLimit + " trunks x (" + loops +
                " loops + 1) x 2 ways x (3 x " + termLength + " + " + LogBufferDescriptor.LOG_META_DATA_LENGTH +
                ") bytes = " + needed + " bytes, and " + store.path() + " has " + store.free() + " left",
                "lower trunks.limit or trunks.termLength, or enlarge the file system");
        }
    }
}
