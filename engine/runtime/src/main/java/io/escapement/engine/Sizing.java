package io.escapement.engine;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.driver.HostFacts;
import org.agrona.BitUtil;

/**
 * What an engine's trunks need of the host, added up before anything is opened: a configuration that does not fit is
 * refused with the sum, since shared memory that runs out later is only found by a fault.
 */
final class Sizing
{
    /** Fewer than a handful of datagrams, and every sender waits for a round trip at every other one. */
    static final int MIN_WINDOW = 8 * 1_024;

    /** What windows are, if they fit, when nothing is known of the frames. */
    static final int DEFAULT_WINDOW = 128 * 1_024;

    private static final int WINDOW_UNIT = 1_024;
    /** One frame is on its way while the next is sent. */
    private static final int FRAMES_A_WINDOW = 2;
    /** More datagrams than the socket holds are lost and asked for again: half of it is for the windows of all. */
    private static final int SHARE_OF_SOCKET = 2;
    /** Terms of a publication or an image. */
    private static final int TERMS = 3;
    /** A connection has a way in and a way back. */
    private static final int WAYS = 2;

    private Sizing()
    {
    }

    /** The socket buffer that the host gives when this much is asked for. */
    static int socketBuffer(final int asked, final HostFacts facts)
    {
        return HostFacts.UNKNOWN == facts.receiveBufferMax() ?
            asked : (int)Math.min(asked, facts.receiveBufferMax());
    }

    /** The window that holds what one trunk is sent in the time of two frames. */
    static int windowFor(final int largestFrame)
    {
        return Math.max(MIN_WINDOW, BitUtil.align(FRAMES_A_WINDOW * largestFrame, WINDOW_UNIT));
    }

    /** How much one trunk may have under way to a loop, so that all of them together do not overflow the socket. */
    static int window(final int wanted, final int trunkLimit, final int askedSocketBuffer, final int socketBuffer)
    {
        final int share = socketBuffer / (SHARE_OF_SOCKET * trunkLimit);
        final int window = Math.min(wanted, share - share % WINDOW_UNIT);
        if (window < MIN_WINDOW)
        {
            throw new EngineException("trunks.limit: " + trunkLimit + " trunks share a socket buffer of " +
                socketBuffer + " bytes, which leaves each a window of " + window + ", less than " + MIN_WINDOW +
                (socketBuffer < askedSocketBuffer ?
                    ": raise net.core.rmem_max (sysctl -w net.core.rmem_max=" + askedSocketBuffer + ")" :
                    ": raise trunks.socketBuffer, or lower trunks.limit"));
        }
        return window;
    }

    /** The bytes of shared memory that all trunks on all loops take when they send. */
    static long trunkMemory(final int trunkLimit, final int loops, final int termLength)
    {
        final long stream = (long)TERMS * termLength + LogBufferDescriptor.LOG_META_DATA_LENGTH;
        // A control stream beside one a loop.
        return trunkLimit * (loops + 1L) * WAYS * stream;
    }

    static void checkMemory(
        final HostFacts.Store store, final int trunkLimit, final int loops, final int termLength)
    {
        final long needed = trunkMemory(trunkLimit, loops, termLength);
        if (HostFacts.UNKNOWN != store.free() && needed > store.free())
        {
            throw new EngineException("trunks.limit: " + trunkLimit + " trunks x (" + loops +
                " loops + 1) x 2 ways x (3 x " + termLength + " + " + LogBufferDescriptor.LOG_META_DATA_LENGTH +
                ") bytes = " + needed + " bytes, and " + store.path() + " has " + store.free() +
                " left: lower trunks.limit or trunks.termLength, or enlarge the file system");
        }
    }
}
