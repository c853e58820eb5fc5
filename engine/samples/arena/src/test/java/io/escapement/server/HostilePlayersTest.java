package io.escapement.server;

import io.escapement.accounts.AccountsContext;
import io.escapement.arena.bots.ArenaBots;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Hostile players among as many honest ones, in the same rooms of a server with real trunks. Nothing throws, no room
 * fails, each attack is refused with a code and counted, and the honest players' checks find no violation.
 */
@RealTime("a crowd of players, in real time")
class HostilePlayersTest
{
    private static final long SEED = 20_270_301;
    private static final boolean IS_FULL = Tests.isFull();
    private static final int ROOMS = IS_FULL ? 125 : 4;
    private static final int OF_EACH_KIND = 8;
    private static final int PLAYERS = ROOMS * OF_EACH_KIND;
    private static final long ATTACK_NS = TimeUnit.SECONDS.toNanos(IS_FULL ? 60 : 6);
    /** The attack lasts until this many acts, however slow the machine is. */
    private static final long ACTS = 150L * PLAYERS;
    private static final int PAUSE_NS = (int)TimeUnit.MILLISECONDS.toNanos(IS_FULL ? 200 : 50);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(4);
    private static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);
    private static final long SPARE_BYTES = 8 * 1_024 * 1_024;

    /** Codes that a crowd of any size receives. */
    private static final List<String> CODES = List.of(
        "FOREIGN_SEAT", "STALE_SEAT", "OLD_SEQUENCE", "UNKNOWN_MESSAGE", "WRONG_SCHEMA", "TRAILING_BYTES", "TOO_SHORT",
        "BAD_PLAYER_TOKEN", "FLOOD", "UNKNOWN_ROOM", "BAD_AGE", "BAD_DIRECTION");
    private static final List<String> MORE_CODES = List.of(
        "UNKNOWN_VERSION", "BAD_BLOCK_LENGTH", "DATA_TOO_LONG", "NOT_RESERVED", "ALREADY_JOINED", "RATE_LIMITED",
        "TEXT_EMPTY", "TEXT_TOO_LONG", "TEXT_NOT_UTF8", "TEXT_NOT_PRINTABLE", "TEXT_TOO_SHORT", "CHAT_FLOOD",
        "NOT_OWNER", "WRONG_PASSWORD", "PASSWORD_FLOOD", "NAME_TAKEN", "BAD_NAME", "UNKNOWN_MAP", "BAD_SEAT_COUNT",
        "BAD_PAGE", "NOTHING_TO_CHANGE", "TOO_MANY_OWN_ROOMS", "TOO_MANY_REQUESTS", "TOO_MANY_CHARACTERS",
        "UNKNOWN_CHARACTER", "NULL_VALUE", "DEAD", "COOLDOWN", "BUSY", "STALE", "TOO_FAST", "OFF_MAP", "IN_WALL",
        "OUT_OF_REACH", "OFF_COURSE", "THROUGH_WALL");
    /** Codes that honest players never cause: the loop counts exactly as many as the hostile players receive. */
    private static final List<String> COUNTED_CODES = List.of(
        "FOREIGN_SEAT", "OLD_SEQUENCE", "UNKNOWN_MESSAGE", "WRONG_SCHEMA", "UNKNOWN_VERSION", "BAD_BLOCK_LENGTH",
        "DATA_TOO_LONG", "TRAILING_BYTES", "TOO_SHORT");

    @TempDir
    Path directory;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final List<Stall> stalls = new CopyOnWriteArrayList<>();
    private BotHost honest;
    private HostileCrowd hostile;

    @Test
    void shouldNotDisturbHonestPlayers()
    {
        final BotOptions options = new BotOptions(null, Program.freeEndpoint(), Program.freeEndpoint(), SECRET, null,
            262_144, false, ROOMS, OF_EACH_KIND, OF_EACH_KIND, 4, 10, IS_FULL ? 1 : 15, 1, SEED);
        final DrainReport report;
        try (GameServer server = server(options);
            BotHost bots = new BotHost(options, new ArenaBots());
            HostileCrowd crowd = new HostileCrowd(bots.aeron(), options, SEED, PAUSE_NS))
        {
            honest = bots;
            hostile = crowd;
            await("honest players", () -> PLAYERS == honest.playing());
            await("hostile players", () -> hostile.players().stream().allMatch(HostilePlayer::isIn));
            final long bytesBefore = directMemory();
            hostile.letLoose();
            final long startNs = System.nanoTime();
            await("attacks", () -> hostile.acts() >= ACTS && System.nanoTime() - startNs > ATTACK_NS);
            hostile.calm();
            await("answers for everybody", () -> PLAYERS == honest.playing() &&
                hostile.players().stream().allMatch(HostilePlayer::isServed));
            assertTrue(directMemory() - bytesBefore < SPARE_BYTES,
                "direct and mapped bytes: " + bytesBefore + " before, " + directMemory() + " after");
            assertEquals(0, counter(server.engine(), "loop 0: rooms failed"));
            leave();
            assertRefusals(server.engine());
            report = server.drain(TimeUnit.SECONDS.toNanos(30));
        }
        assertEquals(List.of(), honest.violationTexts(), "seed " + SEED);
        assertEquals(0, honest.violations(), "seed " + SEED);
        hostile.players().forEach((player) -> assertEquals(List.of(), player.arena().violations(), "seed " + SEED));
        assertEquals(0, hostile.downs(), "seed " + SEED);
        assertTrue(report.isClean(), report::toString);
        assertEquals(List.of(), errors, "seed " + SEED);
    }

    private GameServer server(final BotOptions options)
    {
        final AccountsContext accounts = new AccountsContext()
            .databaseUrl("jdbc:h2:file:" + directory.resolve("accounts"))
            .errorHandler(errors::add);
        return GameServer.launch(new Types(List.of()), accounts, true, new EngineContext()
            .threadingMode(ThreadingMode.SOLO)
            .loops(1)
            .errorHandler(errors::add)
            // Another program on the machine may stall a loop.
            .monitor(new MonitorContext().stalls(TimeUnit.SECONDS.toNanos(1), stalls::add))
            .trunks(new TrunkServerContext()
                .udp(options.ingress(), options.response())
                .secret(SECRET, false)
                .keepaliveNs(TimeUnit.SECONDS.toNanos(5))
                .rates(1_000_000, 2_000)));
    }

    /** Offered entries are accepted or refused; the counters equal the refusals received. */
    private void assertRefusals(final Engine engine)
    {
        final List<String> missing = new ArrayList<>(CODES);
        missing.addAll(IS_FULL ? MORE_CODES : List.of());
        missing.removeAll(hostile.refusals().keySet());
        assertEquals(List.of(), missing, () -> "seed " + SEED + ", " + hostile.refusals());
        await("all offered entries, " + hostile.refusals(), () -> hostile.offered() + honest.stats().sent ==
            counter(engine, "edge: entries accepted") + counter(engine, "edge: entries refused"));
        for (final String code : COUNTED_CODES)
        {
            final long received = hostile.refusals().getOrDefault(code, 0);
            assertEquals(counter(engine, "loop 0: refused " + code), received,
                () -> "seed " + SEED + ", " + code + " of " + hostile.refusals());
        }
    }

    /** Everybody stops sending, which makes the counts final. */
    private void leave()
    {
        hostile.rest();
        honest.stop();
        await("honest players to leave", () -> 0 == honest.playing());
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            honest.turn();
            hostile.turn();
            if (System.nanoTime() - startNs > PATIENCE_NS)
            {
                fail("timed out waiting for " + what + ", seed " + SEED + ", " + honest.playing() +
                    " honest ones are in, not " +
                    hostile.players().stream().filter((player) -> !player.isServed()).limit(4).toList() + ", " +
                    hostile.refusals() + honest.violationTexts() + errors + stalls);
            }
        }
    }

    private static long counter(final Engine engine, final String what)
    {
        return engine.counter("escapement " + what);
    }

    private static long directMemory()
    {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}
