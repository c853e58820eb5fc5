package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryChecker;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * An engine that is killed with SIGKILL under load, and trunks that live on: they resume, send again what was not
 * accepted, and write histories, which the ledgers of the rooms must agree with. Budget: 6 s; 1,000 kills in full.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class LedgerKillTest
{
    private static final int KILLS = Integer.getInteger("escapement.kills", Tests.isFull() ? 1_000 : 2);
    /** On one journal, which each start replays from its beginning. */
    private static final int KILLS_A_ROUND = 20;
    private static final int TRUNKS = 2;
    private static final int PLAYERS_A_TRUNK = 2;
    private static final int WINDOW = 24;
    private static final int RESEND_LENGTH = 64 * 1_024;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_LIFE_NS = 300 * MS;
    /** Of a start on a quiet machine. */
    private static final long READY_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long SETTLE_NS = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    Path base;

    private Path directory;
    private History history;
    private final List<ClientSeat> seats = new ArrayList<>();
    private final List<TestTrunk> trunks = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[HistoryRoom.MESSAGE_LENGTH]);
    private final String ingress = "127.0.0.1:" + Tests.freePort();
    private final String response = "127.0.0.1:" + Tests.freePort();
    private final List<String> requested = new ArrayList<>();
    private List<Long> rooms = List.of();
    private long readyNs;
    private long resumed;

    @ParameterizedTest
    @EnumSource(value = Durability.Level.class, names = {"RECORDED", "SYNCED"})
    void shouldLoseAndRepeatNothing(final Durability.Level level) throws IOException
    {
        assumeTrue(Tests.isFull() || Durability.Level.RECORDED == level, "the full tests");
        final int kills = Tests.isFull() ? KILLS / 2 : KILLS;
        long messages = 0;
        for (int killed = 0; killed < kills; killed += KILLS_A_ROUND)
        {
            final long seed = System.nanoTime();
            final int count = Math.min(KILLS_A_ROUND, kills - killed);
            assertEquals(List.of(), findings(seed, count, level, false), "seed " + seed + ", after kill " + killed);
            messages += history.size();
        }
        assertTrue(resumed >= TRUNKS, resumed + " trunks were resumed");
        assertTrue(readyNs < READY_NS || !Tests.isFull(), "ready after " + readyNs / MS + " ms");
        System.out.println("ledger " + level + ": " + kills + " kills, " + messages + " messages, " + resumed +
            " trunks resumed, a killed engine was ready after at most " + readyNs / MS + " ms");
    }

    /** The tail has what is not in the file: without it messages that were acknowledged are lost. */
    @Test
    void shouldFindATailThatWasNotWrittenOut() throws IOException
    {
        assumeTrue(Tests.isFull(), "the full tests");
        assertFalse(findings(1, 3, Durability.Level.RECORDED, true).isEmpty());
    }

    private List<String> findings(
        final long seed, final int kills, final Durability.Level level, final boolean isTailLost) throws IOException
    {
        final SplittableRandom random = new SplittableRandom(seed);
        history = new History();
        seats.clear();
        trunks.clear();
        requested.clear();
        directory = Files.createDirectory(base.resolve("round-" + seed));
        final Path keys = Files.writeString(directory.resolve("keys"), "a key that all incarnations of it share\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        try (TestHost host = new TestHost())
        {
            for (int i = 0; i < TRUNKS; i++)
            {
                trunks.add(TestTrunk.on(host, context()).forwardTo(new Writer(i)));
            }
            for (int kill = 0; kill < kills; kill++)
            {
                live(host, random, level, kill);
                if (isTailLost)
                {
                    deleteTails();
                }
            }
            return finish(host, level);
        }
        finally
        {
            trunks.forEach(TestTrunk::close);
        }
    }

    private void live(
        final TestHost host, final SplittableRandom random, final Durability.Level level, final int kill)
    {
        final String driver = Tests.newDirectory().toString();
        final long startNs = System.nanoTime();
        try (ChildJvm child = new ChildJvm(LedgerServer.class,
            List.of("--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
                "-Xshare:auto", "-XX:+UseSerialGC"),
            List.of(directory.toString(), level.name(), ingress, response, driver)))
        {
            // Some are killed in the recovery.
            if (0 != kill && 0 == random.nextInt(8))
            {
                pollUntil(host, child, System.nanoTime() + random.nextLong(1_000 * MS));
                child.kill();
                return;
            }
            Tests.await(PATIENCE_NS,
                () -> null != poll(host, child).valueOf(LedgerServer.READY) || !child.isAlive(), "ready");
            assertTrue(null != child.valueOf(LedgerServer.READY), () -> child.lines().toString());
            rooms = Arrays.stream(child.valueOf(LedgerServer.READY).split(" ")).map(Long::valueOf).toList();
            readyNs = 0 == kill ? 0 : Math.max(readyNs, System.nanoTime() - startNs);
            final long before = history.known();
            Tests.await(PATIENCE_NS, () ->
            {
                poll(host, child);
                joinAndSend(random);
                return history.known() > before + 100;
            }, "an answer after kill " + kill);
            pollUntil(host, child, System.nanoTime() + random.nextLong(LONGEST_LIFE_NS), random);
            child.kill();
            assertNull(child.valueOf(LedgerServer.FAILED), () -> child.lines().toString());
        }
        finally
        {
            IoUtil.delete(new File(driver), true);
        }
    }

    private List<String> finish(final TestHost host, final Durability.Level level)
    {
        final List<HistoryRoom> made = new ArrayList<>();
        final LedgerServer.Effects effects = new LedgerServer.Effects(directory.resolve("effects"));
        try (TestEngine engine = new TestEngine(LedgerServer.context(directory, level, () ->
        {
            final HistoryRoom room = new HistoryRoom();
            made.add(room);
            return room;
        }, effects), ThreadingMode.INVOKER, ingress, response))
        {
            final long endNs = System.nanoTime() + SETTLE_NS;
            while (System.nanoTime() < endNs && !isSettled(made))
            {
                engine.turn();
                host.poll(trunks);
            }
            final Map<Long, HistoryRoom> roomByIdMap = new TreeMap<>();
            made.forEach((room) -> roomByIdMap.put(room.roomId(), room));
            final List<String> findings = HistoryChecker.check(history, roomByIdMap, effects.done());
            for (final ClientSeat seat : seats)
            {
                if (findings.isEmpty() && seat.acceptedSequence() != seat.sequence())
                {
                    findings.add("seat " + seat.index() + " of room " + seat.roomId() + ": accepted " +
                        seat.acceptedSequence() + " of " + seat.sequence());
                }
            }
            return findings;
        }
    }

    private boolean isSettled(final List<HistoryRoom> rooms)
    {
        boolean isSettled = history.known() == history.size();
        long sent = 0;
        long arrived = 0;
        for (final HistoryRoom room : rooms)
        {
            isSettled &= 0 == room.openRequests();
            sent += room.signalsSent();
            for (final HistoryRoom from : rooms)
            {
                arrived += room.lastSignal(from.roomId());
            }
        }
        return isSettled && sent == arrived;
    }

    private ChildJvm poll(final TestHost host, final ChildJvm child)
    {
        host.poll(trunks);
        return child;
    }

    private void pollUntil(final TestHost host, final ChildJvm child, final long endNs)
    {
        while (System.nanoTime() < endNs)
        {
            poll(host, child);
        }
    }

    private void pollUntil(final TestHost host, final ChildJvm child, final long endNs, final SplittableRandom random)
    {
        while (System.nanoTime() < endNs)
        {
            poll(host, child);
            joinAndSend(random);
        }
    }

    /** Every player joins every room once; after that its trunk keeps the seats. */
    private void joinAndSend(final SplittableRandom random)
    {
        for (int i = 0; requested.size() < TRUNKS * PLAYERS_A_TRUNK * rooms.size() && i < TRUNKS; i++)
        {
            for (int player = 0; player < PLAYERS_A_TRUNK; player++)
            {
                for (final long roomId : rooms)
                {
                    join(trunks.get(i), 1 + i * PLAYERS_A_TRUNK + player, roomId);
                }
            }
        }
        for (int i = 0; i < seats.size(); i++)
        {
            final ClientSeat seat = seats.get(i);
            if (seat.isPresent() && seat.sequence() - seat.acceptedSequence() < WINDOW && random.nextBoolean())
            {
                send((TestTrunk)seat.attachment(), seat);
            }
        }
    }

    private void join(final TestTrunk trunk, final long playerId, final long roomId)
    {
        final String name = playerId + "/" + roomId;
        if (!requested.contains(name) && SendStatus.SENT == trunk.client().join(
            1 + requested.size(), roomId, playerId, TestTrunk.NO_TOKEN, message, 0, 0))
        {
            requested.add(name);
        }
    }

    private void send(final TestTrunk trunk, final ClientSeat seat)
    {
        final long number = seat.sequence() + 1;
        message.putLong(0, seat.playerId());
        message.putLong(8, number);
        final long nowNs = System.nanoTime();
        if (SendStatus.SENT == trunk.client().send(seat, message, 0, HistoryRoom.MESSAGE_LENGTH))
        {
            history.invoke(seat.playerId(), seat.roomId(), number, nowNs);
        }
    }

    private void deleteTails() throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*tail*"))
        {
            for (final Path file : files)
            {
                Files.delete(file);
            }
        }
    }

    private TrunkContext context()
    {
        return new TrunkContext().udp(ingress, response).identity("tests").secret(TestTrunk.SECRET)
            .reconnect(20 * MS, 100 * MS).connectTimeoutNs(3_000 * MS).resendLength(RESEND_LENGTH);
    }

    /** Writes the history of a trunk. */
    private final class Writer implements TrunkListener
    {
        private final int trunk;

        Writer(final int trunk)
        {
            this.trunk = trunk;
        }

        @Override
        public void onUp(final boolean isResumed)
        {
            resumed += isResumed ? 1 : 0;
        }

        @Override
        public void onJoined(final long requestId, final ClientSeat seat)
        {
            if (!seats.contains(seat))
            {
                seats.add(seat);
                seat.attachment(trunks.get(trunk));
            }
            onAccepted(seat);
        }

        @Override
        public void onSeatResumed(final ClientSeat seat)
        {
            onAccepted(seat);
        }

        @Override
        public void onAccepted(final ClientSeat seat)
        {
            history.accept(seat.playerId(), seat.roomId(), seat.acceptedSequence());
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            history.answer(buffer.getLong(offset), seat.roomId(), buffer.getLong(offset + 8),
                buffer.getLong(offset + 16), System.nanoTime());
        }
    }
}
