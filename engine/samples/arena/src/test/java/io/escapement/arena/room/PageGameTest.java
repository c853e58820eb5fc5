package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.LeadersDecoder;
import io.escapement.arena.codecs.OpenArenaDecoder;
import io.escapement.arena.codecs.RoundDecoder;
import io.escapement.arena.common.Received;
import io.escapement.arena.page.PageModules;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Extrapolation;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.simulation.SweptBox;
import io.escapement.arena.simulation.Walls;
import io.escapement.arena.world.World;
import io.escapement.codecs.SchemaWalk;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The page's game in a room among bots: with latency, it shows the same world as the Java client that gets the same
 * messages, and the server holds its player where it predicted it.
 */
class PageGameTest
{
    private static final long SEED = 61;
    private static final long PLAYER = 9;
    private static final int LATENCY = 4;
    private static final int FRAMES = Tests.isFull() ? 20_000 : 150;
    /** Sub-steps that the page draws ahead of the last state, at most. */
    private static final int MOST_AHEAD = 24;
    private static final String[] ACTIONS = {"dash", "melee", "shoot"};

    private static PageModules modules;
    private static Value page;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final ArenaBench arena = new ArenaBench(8);
    private final ArrayDeque<byte[]> sent = new ArrayDeque<>();
    private final ArrayDeque<Long> sentAt = new ArrayDeque<>();
    private ArenaBench.Player twin;
    private int taken;
    private int dashing;
    private int atWalls;
    private int flying;
    private int impacts;

    @BeforeAll
    static void load() throws IOException
    {
        modules = new PageModules();
        page = modules.load("game-test.js");
    }

    @AfterAll
    static void close()
    {
        CloseHelper.close(modules);
    }

    @BeforeEach
    void start() throws IOException
    {
        final Map<String, Object> maps = new HashMap<>();
        for (final String name : ArenaMap.shippedNames())
        {
            maps.put(name, PageModules.map(name));
        }
        final ProxyExecutable send = (arguments) ->
        {
            send(arguments[0]);
            return null;
        };
        page.invokeMember("start", ProxyObject.fromMap(maps), send);
    }

    @Test
    void shouldShowTheWorldAndPredictItsPlayer()
    {
        open();
        int compared = 0;
        int settled = 0;
        for (int frame = 0; frame < FRAMES; frame++)
        {
            play();
            final World expected = twin.client.world();
            assertEquals(numbers(expected), numbers(page.invokeMember("world")),
                "seed " + SEED + ", frame " + frame);
            if (page.invokeMember("index").asInt() >= 0)
            {
                compared += expected.isLiving(page.invokeMember("index").asInt()) ? 1 : 0;
                settled += isWhereTheServerHoldsIt(expected) ? 1 : 0;
                act(frame);
            }
        }
        final Value stats = page.invokeMember("stats");
        assertEquals(0, stats.getMember("gaps").asInt(), "gaps");
        assertEquals(0, stats.getMember("corrections").asInt(), "corrections, seed " + SEED);
        assertTrue(compared > FRAMES / 4, compared + " frames alive of " + FRAMES);
        assertTrue(settled > FRAMES / 8, settled + " frames at the place that the server holds, of " + FRAMES);
        assertOnMap();
        page.invokeMember("steer", 0, 0);
        playUntil(() -> isWhereTheServerHoldsIt(twin.client.world()));
    }

    /** Between two states everything goes on as it was last seen, by the walls and the rules of the simulation. */
    @Test
    void shouldDrawOthersAndShotsAheadOfTheLastState()
    {
        open();
        for (int frame = 0; frame < 240; frame++)
        {
            play();
            if (page.invokeMember("index").asInt() >= 0 && 0 == frame % 3)
            {
                for (final int ahead : new int[]{-3, 0, 1, 7, MOST_AHEAD, MOST_AHEAD + 16})
                {
                    assertPlayersAhead(ahead);
                    assertShotsAhead(ahead);
                }
            }
        }
        final List<Integer> cases = List.of(dashing, atWalls, flying, impacts);
        assertTrue(cases.stream().allMatch((count) -> count > 5), cases + " dashes, players at walls, shots, impacts");
    }

    private void assertPlayersAhead(final int ahead)
    {
        final World world = twin.client.world();
        final int subSteps = Math.max(0, Math.min(MOST_AHEAD, ahead));
        final Extrapolation body = new Extrapolation(twin.client.map());
        final Value places = page.invokeMember("drawnPlaces", ahead);
        for (int i = 0, at = 0; i < ArenaRules.PLAYER_LIMIT; i++)
        {
            if (world.isLiving(i))
            {
                // The own player is ahead of the state by its inputs.
                if (i != page.invokeMember("index").asInt())
                {
                    body.set(world.x(i), world.y(i), world.vx(i), world.vy(i));
                    body.dash(world.dashVx(i), world.dashVy(i), world.dashLeft(i));
                    body.advance(subSteps);
                    assertDrawn(places, at, body.x(), body.y(), "player " + i + " after " + ahead);
                    dashing += world.dashLeft(i) > 0 && subSteps > 0 ? 1 : 0;
                    atWalls += 0 == world.dashLeft(i) && body.x() != world.x(i) + subSteps * world.vx(i) ? 1 : 0;
                }
                at += 2;
            }
        }
    }

    private void assertShotsAhead(final int ahead)
    {
        final World world = twin.client.world();
        final int subSteps = Math.max(0, Math.min(MOST_AHEAD, ahead));
        final SweptBox box = new SweptBox(twin.client.map().shotWalls());
        final Value places = page.invokeMember("drawnShots", ahead);
        final Value velocities = page.invokeMember("shotVelocities");
        for (int i = 0, at = 0; i < ArenaRules.SHOT_LIMIT; i++)
        {
            if (world.shotOwner(i) >= 0)
            {
                final int vx = velocities.getArrayElement(at).asInt();
                final int vy = velocities.getArrayElement(at + 1).asInt();
                final boolean isStopped =
                    box.sweep(world.shotX(i), world.shotY(i), subSteps * vx, subSteps * vy);
                assertDrawn(places, at, box.x(), box.y(), "shot " + i + " after " + ahead);
                flying += 0 == vx && 0 == vy ? 0 : 1;
                impacts += isStopped ? 1 : 0;
                at += 2;
            }
        }
    }

    private static void assertDrawn(final Value places, final int at, final int x, final int y, final String what)
    {
        assertEquals(List.of(x, y),
            List.of(places.getArrayElement(at).asInt(), places.getArrayElement(at + 1).asInt()), what);
    }

    /** On the console's page: without a player, and without a trace in the room. */
    @Test
    void shouldShowTheWorldToSomebodyWhoOnlyWatches()
    {
        open();
        for (int frame = 0; frame < 90; frame++)
        {
            arena.play(1);
            if (0 == frame % 6)
            {
                final ArenaRoom logic = (ArenaRoom)arena.bench.host().logic(arena.bench.roomId());
                final long hash = arena.bench.host().stateHash();
                final Value names = page.invokeMember("watch", modules.scripts.buffer(ArenaPicture.of(logic)));
                assertEquals(hash, arena.bench.host().stateHash());
                assertEquals("fighter100 fighter101 fighter102 fighter103 fighter9, watched", names.asString());
                assertEquals(numbers(logic.sentWorld()), numbers(page.invokeMember("world")), "frame " + frame);
            }
        }
        assertEquals(-1, page.invokeMember("index").asInt());
        assertFree(twin.client.map().playerWalls(), "drawnPlaces");
        assertTrue(sent.isEmpty(), "somebody who watches sent something");
    }

    @Test
    void shouldStartAgainAfterTheSeatWasAway()
    {
        open();
        for (int frame = 0; frame < 30; frame++)
        {
            play();
        }
        twin.seat.disconnect();
        twin.client.onAway();
        page.invokeMember("away");
        play();
        taken = 0;
        twin.sit();
        playUntil(() -> twin.client.canAct());
        assertEquals(numbers(twin.client.world()), numbers(page.invokeMember("world")));
        final Value own = page.invokeMember("own");
        assertEquals(List.of(1, twin.client.x(), twin.client.y()), List.of(
            own.getArrayElement(0).asInt(), own.getArrayElement(1).asInt(), own.getArrayElement(2).asInt()));
    }

    @Test
    void shouldChatAndReportRefusals()
    {
        open();
        for (int i = 0; i < 3 * LATENCY; i++)
        {
            play();
        }
        page.invokeMember("log");
        for (int i = 0; i < 6; i++)
        {
            page.invokeMember("chat", "message " + i);
        }
        for (int i = 0; i < 3 * LATENCY; i++)
        {
            play();
        }
        final List<String> log = log();
        final int index = page.invokeMember("index").asInt();
        // A text of a burst of four is shown; the next is refused.
        assertTrue(log.contains("chat " + index + " message 3 " + PLAYER), log::toString);
        assertTrue(log.stream().anyMatch((line) -> line.startsWith("refused 1206")), log::toString);
    }

    @Test
    void shouldNameTheWinnersOfARound()
    {
        open();
        for (int i = 0; i < 3 * LATENCY; i++)
        {
            play();
        }
        assertEquals(Round.TIME, Received.last(twin.seat, new RoundDecoder()).endsAt());
        assertTrue(log().contains("round " + Round.TIME + " false "), "at the welcome");
        receiveRound(0b10101, true);
        assertEquals(List.of("round 720 true fighter100 0,fighter102 0,fighter9 0"), log());
        receiveRound(0, false);
        assertEquals(List.of("round 720 false "), log());
    }

    private void receiveRound(final int winners, final boolean isPause)
    {
        final byte[] bytes = new byte[ArenaEncoder.roundLength()];
        new ArenaEncoder().round(new UnsafeBuffer(bytes), 0, 0, Round.PAUSE, winners, isPause);
        page.invokeMember("receive", modules.scripts.buffer(bytes));
    }

    private List<String> log()
    {
        final List<String> log = new ArrayList<>();
        final Value calls = page.invokeMember("log");
        for (int i = 0; i < calls.getArraySize(); i++)
        {
            log.add(calls.getArrayElement(i).asString());
        }
        return log;
    }

    private void open()
    {
        for (int i = 0; i < 4; i++)
        {
            final ArenaBench.Player bot = arena.player(100 + i, 6, 2).join();
            bot.brain = new BotBrain(SEED + i, (playerId) -> false);
        }
        // The twin's own messages go nowhere: the page plays its seat.
        twin = arena.player(PLAYER, ArenaRules.SAMPLING_LIMIT, LATENCY).join();
    }

    @Test
    void shouldThrowForAMessageThatIsNotForAPlayer()
    {
        final SchemaWalk schema = new SchemaWalk("/io/escapement/arena/protocol/arena.xml");
        for (final int id : schema.everyId())
        {
            final String refusal = "RangeError: template " + id + " is not for a player of an arena";
            String failure = null;
            try
            {
                page.invokeMember("receive", modules.scripts.buffer(schema.message(id)));
            }
            catch (final PolyglotException ex)
            {
                failure = ex.getMessage();
            }
            // A message of zeros may be refused by its values.
            final boolean isListed = schema.has(id, ChatDecoder.TEMPLATE_ID, OpenArenaDecoder.TEMPLATE_ID) &&
                LeadersDecoder.TEMPLATE_ID != id;
            assertEquals(!isListed, refusal.equals(failure), "template " + id + ": " + failure);
        }
    }

    /** A frame: the room runs, the page and its twin receive what is due, what the page sent arrives. */
    private void play()
    {
        arena.play(1);
        while (taken < twin.taken)
        {
            page.invokeMember("receive", modules.scripts.buffer(twin.seat.received().get(taken++)));
        }
        while (!sentAt.isEmpty() && sentAt.peek() <= arena.frames)
        {
            sentAt.remove();
            final byte[] message = sent.remove();
            twin.seat.send(new UnsafeBuffer(message), 0, message.length);
        }
    }

    private void playUntil(final BooleanSupplier condition)
    {
        int frames = 0;
        do
        {
            play();
            assertTrue(frames++ < 1_000, "not within 1,000 frames, seed " + SEED);
        }
        while (!condition.getAsBoolean());
    }

    private void act(final int frame)
    {
        if (0 == frame % 24)
        {
            final boolean isRest = 0 == random.nextInt(5);
            page.invokeMember("steer", isRest ? 0 : direction(), isRest ? 0 : direction());
        }
        if (0 == frame % 5)
        {
            final String action = ACTIONS[random.nextInt(ACTIONS.length)];
            page.invokeMember("act", action, direction(), direction());
        }
    }

    private boolean isWhereTheServerHoldsIt(final World held)
    {
        final Value own = page.invokeMember("own");
        final int index = page.invokeMember("index").asInt();
        return 1 == own.getArrayElement(0).asInt() && held.x(index) == own.getArrayElement(1).asInt() &&
            held.y(index) == own.getArrayElement(2).asInt();
    }

    private void assertOnMap()
    {
        assertFree(twin.client.map().playerWalls(), "drawnPlaces");
        playUntil(() -> page.invokeMember("drawnShots", 0).getArraySize() > 0);
        assertFree(twin.client.map().shotWalls(), "drawnShots");
    }

    private static void assertFree(final Walls walls, final String function)
    {
        for (int subSteps = -3; subSteps < 40; subSteps += 7)
        {
            final Value places = page.invokeMember(function, subSteps);
            for (int i = 0; i < places.getArraySize(); i += 2)
            {
                final int x = places.getArrayElement(i).asInt();
                final int y = places.getArrayElement(i + 1).asInt();
                assertTrue(walls.isFree(x, y), x + ", " + y + " after " + subSteps);
            }
        }
    }

    private void send(final Value bytes)
    {
        final byte[] message = new byte[(int)bytes.getArraySize()];
        for (int i = 0; i < message.length; i++)
        {
            message[i] = (byte)bytes.getArrayElement(i).asInt();
        }
        sent.add(message);
        sentAt.add(arena.frames + LATENCY);
    }

    private int direction()
    {
        return random.nextInt(-Fixed.UNIT, Fixed.UNIT + 1) | 1;
    }

    private static List<Long> numbers(final World world)
    {
        final List<Long> numbers = new ArrayList<>(List.of(world.sequence(), world.subStep()));
        for (int i = 0; i < ArenaRules.PLAYER_LIMIT; i++)
        {
            for (final int number : new int[]{world.flags(i), world.x(i), world.y(i), world.vx(i), world.vy(i),
                world.facingX(i), world.facingY(i), world.dashVx(i), world.dashVy(i), world.kills(i), world.deaths(i),
                world.health(i)})
            {
                numbers.add((long)number);
            }
        }
        for (int i = 0; i < ArenaRules.SHOT_LIMIT; i++)
        {
            final boolean isFlying = world.shotOwner(i) >= 0;
            numbers.add((long)world.shotOwner(i));
            numbers.add(isFlying ? world.shotX(i) : 0L);
            numbers.add(isFlying ? world.shotY(i) : 0L);
        }
        return numbers;
    }

    private static List<Long> numbers(final Value value)
    {
        final List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < value.getArraySize(); i++)
        {
            numbers.add(value.getArrayElement(i).asLong());
        }
        return numbers;
    }
}
