package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryChecker;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.ClassArchive;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.IoUtil;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One journal, the processes that run on it one after the other, and clients that outlive them and write a history. */
@RealTime("a helper of processes that are killed")
final class LedgerRound implements AutoCloseable
{
    static final long NO_SNAPSHOTS = TimeUnit.HOURS.toNanos(1);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long READY_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long SETTLE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int ANSWERS = 100;

    /** The course of a process until it ends, or is killed behind it. */
    interface Life
    {
        void live(ChildJvm child);
    }

    private final Path directory;
    private final Durability.Level level;
    private final ClassArchive archive;
    private final String ingress = "127.0.0.1:" + Tests.freePort();
    private final String response = "127.0.0.1:" + Tests.freePort();
    private final History history = new History();
    /** An engine may be launched between two polls. */
    private final TestHost host = new TestHost(TestTrunk.driverContext()
        .clientLivenessTimeoutNs(PATIENCE_NS).publicationUnblockTimeoutNs(2 * PATIENCE_NS));
    private final LedgerClients clients;
    private final LedgerServer.Marks marks;
    private long lastReadyNs;
    private long longestReadyNs;

    /**
     * Begin one.
     *
     * @param directory of the journal and all else, which is there.
     * @param level     of the journal.
     * @param archive   of classes that the processes share, or null.
     */
    LedgerRound(final Path directory, final Durability.Level level, final ClassArchive archive) throws IOException
    {
        this.directory = directory;
        this.level = level;
        this.archive = archive;
        final Path keys = Files.writeString(directory.resolve("keys"), "a key that all incarnations of it share\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        marks = new LedgerServer.Marks(directory);
        clients = new LedgerClients(host, ingress, response, history);
    }

    History history()
    {
        return history;
    }

    LedgerClients clients()
    {
        return clients;
    }

    LedgerServer.Marks marks()
    {
        return marks;
    }

    /** Time from the last process's start until it was ready. */
    long lastReadyNs()
    {
        return lastReadyNs;
    }

    /** Of the processes that loaded their classes from the archive, and had a journal to recover. */
    long longestReadyNs()
    {
        return longestReadyNs;
    }

    /** Run a process, which is killed in the end if it lives. */
    void run(final long snapshotIntervalNs, final Life life)
    {
        final String driver = Tests.newDirectory().toString();
        final List<String> flags = List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms128m", "-Xmx256m", "-Xlog:disable");
        final List<String> arguments = List.of(
            directory.toString(), level.name(), ingress, response, driver, String.valueOf(snapshotIntervalNs));
        try (ChildJvm child = null == archive ? new ChildJvm(LedgerServer.class, flags, arguments) :
            new ChildJvm(LedgerServer.class, flags, arguments, archive))
        {
            life.live(child);
        }
        finally
        {
            IoUtil.delete(new File(driver), true);
        }
    }

    /** Rooms open and players join. The process exits in order, so that it writes the archive of classes. */
    void begin()
    {
        run(LedgerServer.SNAPSHOT_INTERVAL_NS, (child) ->
        {
            pollWhile(() -> null == child.valueOf(LedgerServer.READY) && child.isAlive());
            join(Arrays.stream(child.valueOf(LedgerServer.READY).split(" ")).map(Long::valueOf).toList(), () -> { });
            awaitAnswers();
            child.send(LedgerServer.EXIT);
            pollWhile(child::isAlive);
            assertEquals(0, child.exitStatus(), () -> child.lines().toString());
        });
        assertTrue(null == archive || archive.isWritten());
    }

    /** Have the players join. */
    void join(final List<Long> rooms, final Runnable engine)
    {
        pollWhile(() ->
        {
            engine.run();
            return !clients.join(rooms);
        });
    }

    /** Wait until a process has recovered, within 5 s, not counting the time that it has waited for a core. */
    void awaitReady(final ChildJvm child)
    {
        final long startNs = System.nanoTime();
        pollWhile(() -> null == child.valueOf(LedgerServer.READY) && child.isAlive());
        assertTrue(null != child.valueOf(LedgerServer.READY), () -> child.lines().toString());
        lastReadyNs = System.nanoTime() - startNs - waitedNs(child);
        longestReadyNs = Math.max(longestReadyNs, lastReadyNs);
        assertTrue(lastReadyNs <= READY_NS, () -> "ready after " + lastReadyNs / MS + " ms: " + child.lines());
    }

    /** Longest time that a thread of a process could run and had no core, as Linux counts it. */
    private static long waitedNs(final ChildJvm child)
    {
        long waitedNs = 0;
        final String[] threads = new File("/proc/" + child.handle().pid() + "/task").list();
        for (final String thread : null == threads ? new String[0] : threads)
        {
            try
            {
                final String[] times =
                    Files.readString(Path.of("/proc", thread, "schedstat")).trim().split(" ");
                waitedNs = Math.max(waitedNs, Long.parseLong(times[1]));
            }
            catch (final IOException ex)
            {
                // The thread has ended, or the kernel does not count.
            }
        }
        return waitedNs;
    }

    /** The trunks are back, and messages are acknowledged. */
    void awaitAnswers()
    {
        pollWhile(() -> !clients.isUp());
        clients.startPacing();
        final long before = history.known();
        paceWhile(() -> history.known() < before + ANSWERS);
    }

    void pollWhile(final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            clients.poll();
            return !condition.getAsBoolean();
        }, "a condition of the process");
    }

    void paceWhile(final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            clients.pace();
            return !condition.getAsBoolean();
        }, "a condition under load");
    }

    /** Names of files of the journal. */
    Set<String> names(final String prefix, final String suffix)
    {
        final Set<String> names = new HashSet<>();
        for (final String name : directory.resolve("journal").toFile().list())
        {
            if (name.startsWith(prefix) && name.endsWith(suffix))
            {
                names.add(name);
            }
        }
        return names;
    }

    /** An engine on the journal that this process runs. */
    TestEngine engine(final List<HistoryRoom> made, final LedgerServer.Effects effects, final Runnable faultHook)
    {
        return new TestEngine(LedgerServer.context(directory, level, () ->
        {
            final HistoryRoom room = new HistoryRoom();
            made.add(room);
            return room;
        }, effects, NO_SNAPSHOTS).faultHook(faultHook), ThreadingMode.INVOKER, ingress, response);
    }

    LedgerServer.Effects effects()
    {
        return new LedgerServer.Effects(directory.resolve("effects"));
    }

    /** Let everything arrive at a last engine, and compare the ledgers with the histories. */
    List<String> finish()
    {
        final List<HistoryRoom> made = new ArrayList<>();
        final LedgerServer.Effects effects = effects();
        try (TestEngine engine = engine(made, effects, () -> { }))
        {
            final boolean isAnyClosed = made.stream().anyMatch(HistoryRoom::isClosed);
            final long endNs = System.nanoTime() + SETTLE_NS;
            while (System.nanoTime() < endNs && !isSettled(made, isAnyClosed))
            {
                engine.turn();
                clients.poll();
            }
            final Map<Long, HistoryRoom> roomByIdMap = new TreeMap<>();
            made.forEach((room) -> roomByIdMap.put(room.roomId(), room));
            assertEquals(LedgerServer.ROOMS, roomByIdMap.size());
            final List<String> findings = HistoryChecker.check(history, roomByIdMap, effects.done());
            for (final ClientSeat seat : clients.seats())
            {
                if (findings.isEmpty() && !isAnyClosed && seat.acceptedSequence() != seat.sequence())
                {
                    findings.add("seat " + seat.index() + " of room " + seat.roomId() + ": accepted " +
                        seat.acceptedSequence() + " of " + seat.sequence());
                }
            }
            return findings;
        }
    }

    @Override
    public void close()
    {
        clients.close();
        host.close();
    }

    /** Where a drain has closed some of the rooms, only the services still have something to answer. */
    private boolean isSettled(final List<HistoryRoom> rooms, final boolean isAnyClosed)
    {
        boolean isAnswered = true;
        long sent = 0;
        long arrived = 0;
        for (final HistoryRoom room : rooms)
        {
            isAnswered &= room.isClosed() || 0 == room.openRequests();
            sent += room.signalsSent();
            for (final HistoryRoom from : rooms)
            {
                arrived += room.lastSignal(from.roomId());
            }
        }
        return isAnswered && (isAnyClosed || history.known() == history.size() && sent == arrived);
    }
}
