package io.escapement.engine;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.config.ConfigException;
import io.escapement.driver.HostFacts;
import io.escapement.engine.internal.loop.LinkQueues;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import org.agrona.BitUtil;

/**
 * Computes the memory and socket buffers for the trunks, before any resource is opened. Refuses configurations that do
 * not fit, with the sum, because shared memory that runs out later is a SIGBUS.
 */
final class Sizing
{
    /** With fewer than a handful of datagrams in flight, a sender waits for a round trip at every other one. */
    static final int MIN_WINDOW = 8 * 1_024;

    /** Window when trunks.largestFrame is not set. */
    static final int DEFAULT_WINDOW = 128 * 1_024;

    private static final int RELEASES = 100;
    private static final long RELEASE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final int WINDOW_UNIT = 1_024;
    /** One frame is in flight while the next is sent. */
    private static final int FRAMES_A_WINDOW = 2;
    /** Because datagrams that overflow the socket buffer are lost, all windows together take half of it at most. */
    private static final int SHARE_OF_SOCKET = 2;
    /** Terms of a publication or an image. */
    private static final int TERMS = 3;
    /** Of each socket. The guard leaves an unknown host half of the places. Its trunks need that half. */
    private static final int PLACES_PER_SESSION = 2;
    /** Replies queued for a control stream. */
    private static final int REPLIES_LENGTH = 16 * 1_024;
    /** Of its output's length: a room also has seats, timers and logic, and a collector needs free space. */
    private static final long ROOM_SHARE = 2;
    /**
     * Of tables without a limit, and of each room, seat and timer, with G1, in which large arrays fill whole regions.
     */
    private static final long TABLES_LENGTH = 1_024 * 1_024;
    private static final long ROOM_LENGTH = 400;
    private static final long SEAT_LENGTH = 112;
    private static final long TIMER_LENGTH = 80;
    /** Queues of a trunk in a loop: events and states. */
    private static final int QUEUES = 2;

    private Sizing()
    {
    }

    /** Freeze the options of trunks, with windows that fit the socket buffer. Refuse an engine that does not fit. */
    static void conclude(
        final TrunkServerContext trunks,
        final HostFacts facts,
        final int loops,
        final long driverLength,
        final int maxTermLength)
    {
        final int frame = trunks.largestFrame();
        final int requested = 0 == frame ? DEFAULT_WINDOW : windowFor(frame);
        final int ipcWindow = Math.min(requested, trunks.termLength() / 2);
        final int granted = HostFacts.UNKNOWN == facts.receiveBufferMax() ? trunks.socketBuffer() :
            (int)Math.min(trunks.socketBuffer(), facts.receiveBufferMax());
        final boolean isOverUdp = !trunks.ports().isEmpty();
        final int window = isOverUdp ? window(ipcWindow, trunks, granted) : ipcWindow;
        if (0 != frame && window < requested)
        {
            LOGGER.log(System.Logger.Level.WARNING, "trunks.largestFrame: " + frame + " requires windows of " +
                requested + " bytes, but they are " + window + ": half of trunks.termLength is " +
                trunks.termLength() / 2 + (isOverUdp ? ", and trunks.limit " + trunks.limit() +
                " shares half of a trunks.socketBuffer of " + granted : ""));
        }
        checkMemory(facts.store(), trunks, loops, driverLength, maxTermLength);
        checkDirectMemory(Sizing::freeDirectMemory, trunks, loops);
        trunks.conclude(granted, window, ipcWindow);
    }

    /** The window for two frames of a trunk. */
    static int windowFor(final int largestFrame)
    {
        return Math.max(MIN_WINDOW, BitUtil.align(FRAMES_A_WINDOW * largestFrame, WINDOW_UNIT));
    }

    /** The window of one stream: the windows of all trunks together must not overflow the socket buffer. */
    static int window(final int requested, final TrunkServerContext trunks, final int socketBuffer)
    {
        final int share = socketBuffer / (SHARE_OF_SOCKET * trunks.limit());
        final int window = Math.min(requested, share - share % WINDOW_UNIT);
        if (window < MIN_WINDOW)
        {
            throw new ConfigException("trunks.limit", trunks.limit() + " trunks share a socket buffer of " +
                socketBuffer + " bytes, which leaves each a window of " + window + ", less than " + MIN_WINDOW,
                socketBuffer < trunks.socketBuffer() ?
                    "raise net.core.rmem_max (sysctl -w net.core.rmem_max=" + trunks.socketBuffer() + ")" :
                    "raise trunks.socketBuffer, or lower trunks.limit");
        }
        return window;
    }

    /** Streams from trunks: each has a control stream, and a stream per loop. */
    static int sessions(final int trunkLimit, final int loops)
    {
        return (int)Math.min(Integer.MAX_VALUE / PLACES_PER_SESSION, trunkLimit * (loops + 1L));
    }

    /** Refuse an engine if its driver, journal tails, responses, feeds and admitted sessions do not fit the store. */
    static void checkMemory(
        final HostFacts.Store store,
        final TrunkServerContext trunks,
        final int loops,
        final long driverLength,
        final int maxTermLength)
    {
        final long responses = sessions(trunks.limit(), loops) + (long)trunks.handshakeLimit();
        final long feeds = feeds(trunks, loops);
        final long places = places(trunks, loops);
        final long needed = driverLength + responses * streamLength(trunks.termLength()) +
            feeds * streamLength(trunks.feedTermLength()) + places * streamLength(maxTermLength);
        if (HostFacts.UNKNOWN != store.free() && needed > store.free())
        {
            throw new ConfigException("trunks.limit", driverLength + " bytes of the driver and tails + " +
                responses + " responses x " + terms(trunks.termLength()) + " + " +
                (0 == feeds ? "" : feeds + " feeds x " + terms(trunks.feedTermLength()) + " + ") + places +
                " sessions of trunks and strangers x " + terms(maxTermLength) + " = " + needed + " bytes, and " +
                store.path() + " has " + store.free() + " left",
                "lower trunks.limit, trunks.termLength or escapement.guard.max.term.length, or enlarge the file " +
                "system (in a container: --shm-size)");
        }
    }

    /** Publications of feeds, which a loop has for each kind of trunk. */
    static long feeds(final TrunkServerContext trunks, final int loops)
    {
        return trunks.mayFeed() ? (long)loops * ((trunks.ports().isEmpty() ? 0 : 1) + (trunks.isIpc() ? 1 : 0)) : 0;
    }

    /** Refuse an engine if its queues do not fit the JVM's direct memory. */
    static void checkDirectMemory(final LongUnaryOperator freeMemory, final TrunkServerContext trunks, final int loops)
    {
        final int queueMemory = trunks.queueMemory();
        final long queues = (long)QUEUES * trunks.limit() * loops;
        final long places = places(trunks, loops);
        final long needed = (long)loops * queueMemory + queues * LinkQueues.LENGTH + places * REPLIES_LENGTH;
        final long free = freeMemory.applyAsLong(needed);
        if (needed > free)
        {
            throw new ConfigException("trunks.limit", loops + " loops x " + queueMemory + " + " + queues +
                " queues x " + LinkQueues.LENGTH + " + " + places + " control streams x " + REPLIES_LENGTH + " = " +
                needed + " bytes of direct memory, and " + free + " are left",
                "lower trunks.limit or trunks.queueMemory, or raise -XX:MaxDirectMemorySize");
        }
    }

    /** Sessions that the driver's guard must have places for, on all sockets. */
    static long places(final TrunkServerContext trunks, final int loops)
    {
        // A client in shared memory makes its publication itself, with the driver's terms.
        return Math.max(1L, trunks.ports().size()) * PLACES_PER_SESSION * sessions(trunks.limit(), loops);
    }

    /** Direct memory that this JVM may still use. If it seems to be less than asked for, garbage is collected first. */
    static long freeDirectMemory(final long asked)
    {
        if (freeDirectMemory() < asked)
        {
            // The memory of buffers is released after the collection, in another thread.
            System.gc();
            for (int i = 0; i < RELEASES && freeDirectMemory() < asked; i++)
            {
                LockSupport.parkNanos(RELEASE_NS);
            }
        }
        return freeDirectMemory();
    }

    private static long freeDirectMemory()
    {
        final String option = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize").getValue();
        final long limit = "0".equals(option) ? Runtime.getRuntime().maxMemory() : Long.parseLong(option);
        return limit - ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter((pool) -> "direct".equals(pool.getName())).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }

    /**
     * Refuse an engine that could not open its first rooms.
     *
     * @param freeHeap that is left of the heap.
     * @param tables   of a loop, in bytes.
     */
    static void checkHeap(
        final LongUnaryOperator freeHeap, final int loops, final Collection<RoomType> types, final long tables)
    {
        final long rooms = ROOM_SHARE * types.stream().mapToLong(RoomType::outputLimit).sum();
        final long needed = loops * (rooms + tables);
        final long free = freeHeap.applyAsLong(needed);
        if (needed > free)
        {
            throw new ConfigException("-Xmx", loops + " loops x (" + tables + " of tables + " + rooms +
                " of a room of each type) = " + needed + " bytes of heap, and " + free + " are left",
                "raise it, or lower the limits of the loops or the output of the types");
        }
    }

    /** Heap that the tables of a loop take before any room is open. */
    static long tables(final int rooms, final int seats, final int timers)
    {
        return TABLES_LENGTH + rooms * ROOM_LENGTH + seats * SEAT_LENGTH + timers * TIMER_LENGTH;
    }

    /** Heap that this JVM may still use. If it seems to be less than asked for, garbage is collected first. */
    static long freeHeap(final long asked)
    {
        final Runtime runtime = Runtime.getRuntime();
        if (runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory() < asked)
        {
            System.gc();
        }
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }

    private static long streamLength(final int termLength)
    {
        return (long)TERMS * termLength + LogBufferDescriptor.LOG_META_DATA_LENGTH;
    }

    private static String terms(final int termLength)
    {
        return "(" + TERMS + " x " + termLength + " + " + LogBufferDescriptor.LOG_META_DATA_LENGTH + ")";
    }
}
