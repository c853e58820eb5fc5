package io.escapement.server;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.accounts.AccountCode;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.driver.DriverDirectory;
import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** PostgreSQL is frozen (SIGSTOP) for half a minute while players are on the server. */
@RealTime("a database that stops for seconds")
class FrozenDatabaseTest
{
    private static final int ROOMS = 4;
    private static final int SEATS = 8;
    private static final int SECONDS = 65;
    /** Bots leave and return after about 45 s, which is towards the end of the freeze. */
    private static final int SECONDS_BEFORE = 13;
    private static final int SECONDS_FROZEN = 30;
    private static final int KEEPERS = 3;
    private static final int RUN = 7;
    private static final long SEED = 20_261_121;
    private static final long LOBBY = LobbyRoom.ROOM_ID;

    private final String ingress = Program.freeEndpoint();
    private final String response = Program.freeEndpoint();
    private final List<TestPlayer> players = new ArrayList<>();
    private final List<CharacterKeeper> keepers = new ArrayList<>();
    private MediaDriver driver;
    private Aeron aeron;
    private boolean areKeepersActive = true;

    @TempDir
    Path directory;

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(players);
        players.clear();
        CloseHelper.closeAll(aeron, driver);
    }

    @Test
    void shouldKeepPlayingAndLoseNothingAcknowledged()
    {
        try (PostgresServer database = new PostgresServer(directory);
            Program server = new Program("serve", "--demo-accounts", "--stats", "--listen", ingress,
                "--respond", response, "--database", database.url()))
        {
            server.awaitLine("ready ");
            connect();
            for (int i = 0; i < KEEPERS; i++)
            {
                final TestPlayer player = newcomer("keeper" + i);
                await("the join to be sent", 60, () -> player.join(LOBBY));
                await("a seat in the lobby", 60, () -> player.isIn(LOBBY));
                keepers.add(new CharacterKeeper(player, "k" + i, SEED + i));
            }
            final TestPlayer late = newcomer("late");
            final StatisticsLine total;
            try (Program bots = new Program("bots", "--server", ingress, "--respond", response,
                "--rooms", Integer.toString(ROOMS), "--seats", Integer.toString(SEATS), "--trunks", "4",
                "--seconds", Integer.toString(SECONDS), "--warm-up", "10", "--run", Integer.toString(RUN)))
            {
                total = play(database, server, bots, late);
            }
            stop();
            assertEquals(0, server.end(), () -> output(server));
            assertEquals("drained clean=1", server.line("drained "), () -> output(server));
            keepers.forEach((keeper) -> checkCharacters(database, keeper));
            checkProgress(database, total);
        }
    }

    /** After the server is up: an Aeron client that is not invoked for some seconds times out. */
    private void connect()
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1_024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.sharedAgentInvoker()));
    }

    private StatisticsLine play(
        final PostgresServer database, final Program server, final Program bots, final TestPlayer late)
    {
        await("the bots to play", 180, () -> null != bots.line(BotsCommand.STATS + " "));
        final Frames before = frames(server, SECONDS_BEFORE);
        database.freeze();
        late.logIn("late");
        final Frames during = frames(server, SECONDS_FROZEN);
        final int logIns = late.logIns();
        final int logInStatus = late.logInStatus();
        database.thaw();
        await("the bots to end", 180, () -> null != bots.line(BotsCommand.TOTAL + " "));
        final String numbers = "seed " + SEED + ": " + before + " before, " + during + " during the freeze, " +
            keepers.stream().map((keeper) -> keeper.unavailable + " refused of " + keeper.everCreated.size())
            .collect(Collectors.toList());

        assertTrue(during.run > before.run / before.seconds * during.seconds / 2, numbers);
        // The share of missed frames as before the freeze, plus a margin for the noise of the host.
        assertTrue(during.missedShare() <= before.missedShare() + 0.2, numbers);
        assertTrue(keepers.stream().allMatch((keeper) -> keeper.unavailable > 0), numbers);
        assertEquals(2, logIns, "the log-in was answered");
        assertEquals(AccountCode.DATABASE_DOWN.value(), logInStatus);
        await("another log-in", 60, () ->
        {
            late.logIn("late");
            final int answered = late.logIns();
            await("an answer", 60, () -> late.logIns() > answered);
            return 0 == late.logInStatus();
        });
        final List<Integer> created = keepers.stream().map((keeper) -> keeper.everCreated.size()).toList();
        await("keepers to continue", 60, () -> keepers.stream().allMatch(
            (keeper) -> keeper.everCreated.size() > created.get(keepers.indexOf(keeper))));
        areKeepersActive = false;
        await("the last answers", 60, () -> keepers.stream().noneMatch(CharacterKeeper::isWaiting));

        await("the bots to exit", 60, () -> !bots.isAlive());
        assertEquals(0, bots.awaitEnd(1), () -> output(bots));
        final StatisticsLine total = StatisticsLine.parse(BotsCommand.TOTAL, bots.line(BotsCommand.TOTAL + " "));
        assertEquals(0, total.whole("violations"), () -> output(bots));
        assertEquals(ROOMS * SEATS, total.whole("left"), () -> output(bots));
        assertEquals(ROOMS * SEATS, total.whole("created"), () -> output(bots));
        assertTrue(total.whole("deaths") > 0, () -> output(bots));
        return total;
    }

    /** Every acknowledged score is in the database exactly once. */
    private static void checkProgress(final PostgresServer database, final StatisticsLine total)
    {
        final String ofBots = " FROM player_character WHERE name LIKE 'bot" + RUN + "x%'";
        assertEquals(total.whole("created"), database.number("SELECT COUNT(*)" + ofBots));
        assertEquals(total.whole("deaths"), database.number("SELECT SUM(deaths)" + ofBots), "deaths");
        assertEquals(total.whole("kills"), database.number("SELECT SUM(kills)" + ofBots), "kills");
    }

    private static void checkCharacters(final PostgresServer database, final CharacterKeeper keeper)
    {
        for (final long id : keeper.existing)
        {
            assertEquals(1, rowsOf(database, id), () -> "character " + id);
        }
        for (final long id : keeper.deleted)
        {
            assertEquals(0, rowsOf(database, id), () -> "character " + id);
            // One for its creation, one for its deletion.
            assertEquals(2, database.number(
                "SELECT COUNT(*) FROM idempotency_key WHERE account_id <> 0 AND result = " + id));
        }
        assertTrue(keeper.everCreated.size() > 10, () -> "created " + keeper.everCreated);
    }

    private static long rowsOf(final PostgresServer database, final long characterId)
    {
        return database.number("SELECT COUNT(*) FROM player_character WHERE id = " + characterId);
    }

    private TestPlayer newcomer(final String name)
    {
        final TestPlayer player = new TestPlayer(aeron, ingress, response, ServerOptions.secret(null, true));
        players.add(player);
        await("a trunk", 60, player::isUp);
        player.signUp(name);
        await("a token", 60, () -> 1 == player.logIns());
        assertEquals(0, player.logInStatus());
        return player;
    }

    /** Polls for this long and sums the frame statistics that the server prints. */
    private Frames frames(final Program server, final int seconds)
    {
        final int from = server.lines.size();
        final long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        await("time to pass", 2 * seconds, () -> System.nanoTime() - untilNs >= 0);
        final Frames frames = new Frames();
        for (final String text : server.lines.subList(from, server.lines.size()))
        {
            final StatisticsLine line = StatisticsLine.parse(ServeCommand.STATS, text);
            if (null != line)
            {
                frames.seconds++;
                frames.run += line.whole("frames");
                frames.missed += line.whole("missed");
                assertTrue(line.whole("frames") > 0, () -> "no frames in a second: " + output(server));
            }
        }
        assertTrue(frames.seconds > seconds / 2, () -> "the server printed too few statistics: " + output(server));
        return frames;
    }

    private static String output(final Program program)
    {
        return String.join(System.lineSeparator(), program.lines);
    }

    private void await(final String what, final int seconds, final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            int work = driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke();
            for (final TestPlayer player : players)
            {
                work += player.poll();
            }
            for (final CharacterKeeper keeper : keepers)
            {
                keeper.act(areKeepersActive);
            }
            if (0 == work)
            {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(seconds))
            {
                fail("timed out waiting for " + what);
            }
        }
    }

    private static final class Frames
    {
        private int seconds;
        private long run;
        private long missed;

        double missedShare()
        {
            return missed / (double)(run + missed);
        }

        @Override
        public String toString()
        {
            return run + " frames and " + missed + " missed in " + seconds + " s";
        }
    }
}
