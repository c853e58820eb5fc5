package io.escapement.arena.page;

import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Extrapolation;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.simulation.SweptBox;
import io.escapement.arena.simulation.Walls;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The movement in JavaScript ends at the same bits as the simulation. */
class WallsTest
{
    private static final long SEED = 2_203;
    private static final int FULL_MOVES = 100_000;
    private static final int SHORT_MOVES = 500;
    /** Beyond the fastest movement of the game, and beyond a cell of the grid in Java. */
    private static final int LONGEST_MOVE = 64 * Fixed.UNIT;

    private static PageModules modules;
    private static Value tests;

    @BeforeAll
    static void load() throws IOException
    {
        modules = new PageModules();
        tests = modules.load("walls-test.js");
    }

    @AfterAll
    static void close()
    {
        CloseHelper.close(modules);
    }

    static Iterable<String> maps()
    {
        return ArenaMap.shippedNames();
    }

    @ParameterizedTest
    @MethodSource("maps")
    void shouldReadTheSameMap(final String name) throws IOException
    {
        final ArenaMap map = ArenaMap.shipped(name);
        final Value read = tests.invokeMember("load", PageModules.map(name), ArenaRules.PLAYER_HALF);
        assertEquals(Long.toString(map.fingerprint()), read.getMember("fingerprint").asString());
        assertEquals(map.name(), read.getMember("name").asString());
        assertEquals(map.playerWalls().count(), read.getMember("count").asInt());
    }

    @ParameterizedTest
    @MethodSource("maps")
    void shouldEndEveryMoveAtTheSameBits(final String name) throws IOException
    {
        final ArenaMap map = ArenaMap.shipped(name);
        tests.invokeMember("load", PageModules.map(name), ArenaRules.PLAYER_HALF);
        final SplittableRandom random = new SplittableRandom(SEED);
        final SweptBox box = new SweptBox(map.playerWalls());
        final int count = Tests.isFull() ? FULL_MOVES : SHORT_MOVES;
        final int[] moves = new int[6 * count];
        int slid = 0;
        for (int i = 0; i < moves.length; i += 6)
        {
            place(map, random, moves, i);
            final int reach = 0 == random.nextInt(4) ? LONGEST_MOVE : ArenaRules.DASH_SPEED;
            moves[i + 2] = displacement(random, reach);
            moves[i + 3] = displacement(random, reach);
            if (0 == random.nextInt(4))
            {
                intoCorner(map, random, moves, i);
            }
            box.move(moves[i], moves[i + 1], moves[i + 2], moves[i + 3]);
            moves[i + 4] = box.x();
            moves[i + 5] = box.y();
            slid += moves[i] + moves[i + 2] != box.x() || moves[i + 1] + moves[i + 3] != box.y() ? 1 : 0;
        }
        assertTrue(slid > count / 10, "only " + slid + " moves met a wall");
        final int wrong = tests.invokeMember("firstWrongMove", (Object)moves).asInt();
        assertEquals(-1, wrong, () -> name + ", seed " + SEED + ", move " +
            Arrays.toString(Arrays.copyOfRange(moves, 6 * wrong, 6 * wrong + 6)));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void shouldFindTheSameImpacts(final String name) throws IOException
    {
        final ArenaMap map = ArenaMap.shipped(name);
        tests.invokeMember("load", PageModules.map(name), ArenaRules.PLAYER_HALF);
        final SplittableRandom random = new SplittableRandom(SEED + 3);
        final SweptBox box = new SweptBox(map.playerWalls());
        final int[] sweeps = new int[9 * (Tests.isFull() ? FULL_MOVES : SHORT_MOVES)];
        for (int i = 0; i < sweeps.length; i += 9)
        {
            place(map, random, sweeps, i);
            sweeps[i + 2] = displacement(random, LONGEST_MOVE);
            sweeps[i + 3] = displacement(random, LONGEST_MOVE);
            if (random.nextBoolean())
            {
                intoCorner(map, random, sweeps, i);
            }
            box.sweep(sweeps[i], sweeps[i + 1], sweeps[i + 2], sweeps[i + 3]);
            sweeps[i + 4] = box.x();
            sweeps[i + 5] = box.y();
            sweeps[i + 6] = box.wall();
            sweeps[i + 7] = (int)box.timeNumerator();
            sweeps[i + 8] = (int)box.timeDenominator();
        }
        final int wrong = tests.invokeMember("firstWrongSweep", (Object)sweeps).asInt();
        assertEquals(-1, wrong, () -> name + ", seed " + (SEED + 3) + ", sweep " +
            Arrays.toString(Arrays.copyOfRange(sweeps, 9 * wrong, 9 * wrong + 9)));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void shouldPredictRunsAndDashes(final String name) throws IOException
    {
        final ArenaMap map = ArenaMap.shipped(name);
        tests.invokeMember("load", PageModules.map(name), ArenaRules.PLAYER_HALF);
        final SplittableRandom random = new SplittableRandom(SEED + 1);
        final Extrapolation body = new Extrapolation(map);
        final int[] runs = new int[10 * (Tests.isFull() ? 20_000 : 25)];
        for (int i = 0; i < runs.length; i += 10)
        {
            place(map, random, runs, i);
            runs[i + 2] = displacement(random, ArenaRules.RUN_SPEED);
            runs[i + 3] = displacement(random, ArenaRules.RUN_SPEED);
            runs[i + 4] = displacement(random, ArenaRules.DASH_SPEED);
            runs[i + 5] = displacement(random, ArenaRules.DASH_SPEED);
            runs[i + 6] = random.nextInt(ArenaRules.DASH_TIME + 1);
            runs[i + 7] = random.nextInt(60);
            body.set(runs[i], runs[i + 1], runs[i + 2], runs[i + 3]);
            body.dash(runs[i + 4], runs[i + 5], runs[i + 6]);
            body.advance(runs[i + 7]);
            runs[i + 8] = body.x();
            runs[i + 9] = body.y();
        }
        final int wrong = tests.invokeMember("firstWrongRun", (Object)runs).asInt();
        assertEquals(-1, wrong, () -> name + ", seed " + (SEED + 1) + ", run " +
            Arrays.toString(Arrays.copyOfRange(runs, 10 * wrong, 10 * wrong + 10)));
    }

    @Test
    void shouldScaleVectorsToTheSameBits()
    {
        final SplittableRandom random = new SplittableRandom(SEED + 2);
        final int[] vectors = new int[5 * (Tests.isFull() ? 100_000 : 500)];
        for (int i = 0; i < vectors.length; i += 5)
        {
            final int reach = 1 << random.nextInt(1, 28);
            vectors[i] = random.nextInt(-reach, reach + 1);
            vectors[i + 1] = 0 == vectors[i] ? 1 : random.nextInt(-reach, reach + 1);
            vectors[i + 2] = random.nextBoolean() ? ArenaRules.RUN_SPEED : ArenaRules.DASH_SPEED;
            vectors[i + 3] = Fixed.scale(vectors[i], vectors[i], vectors[i + 1], vectors[i + 2]);
            vectors[i + 4] = Fixed.scale(vectors[i + 1], vectors[i], vectors[i + 1], vectors[i + 2]);
        }
        final int wrong = tests.invokeMember("firstWrongScale", (Object)vectors).asInt();
        assertEquals(-1, wrong, () -> "seed " + (SEED + 2) + ", vector " +
            Arrays.toString(Arrays.copyOfRange(vectors, 5 * wrong, 5 * wrong + 5)));
    }

    @Test
    void shouldHaveTheNumbersOfTheRules() throws IOException
    {
        final Map<String, Integer> rules = Map.ofEntries(
            Map.entry("UNIT", Fixed.UNIT), Map.entry("PLAYER_LIMIT", ArenaRules.PLAYER_LIMIT),
            Map.entry("SHOT_LIMIT", ArenaRules.SHOT_LIMIT),
            Map.entry("SUB_STEPS_PER_SECOND", ArenaRules.SUB_STEPS_PER_SECOND),
            Map.entry("PLAYER_HALF", ArenaRules.PLAYER_HALF), Map.entry("SHOT_HALF", ArenaRules.SHOT_HALF),
            Map.entry("RUN_SPEED", ArenaRules.RUN_SPEED), Map.entry("DASH_SPEED", ArenaRules.DASH_SPEED),
            Map.entry("DASH_TIME", ArenaRules.DASH_TIME), Map.entry("DASH_COOLDOWN", ArenaRules.DASH_COOLDOWN),
            Map.entry("SWING_TIME",
                ArenaRules.MELEE_WIND_UP + ArenaRules.MELEE_ACTIVE + ArenaRules.MELEE_RECOVERY),
            Map.entry("SWING_WIND_UP", ArenaRules.MELEE_WIND_UP), Map.entry("SWING_ACTIVE", ArenaRules.MELEE_ACTIVE),
            Map.entry("SHOT_COOLDOWN", ArenaRules.SHOT_COOLDOWN), Map.entry("FULL_HEALTH", ArenaRules.FULL_HEALTH),
            Map.entry("EXPLOSION_RADIUS", ArenaRules.EXPLOSION_RADIUS),
            Map.entry("RESPAWN_DELAY", ArenaRules.RESPAWN_DELAY), Map.entry("ROUND_TRIP", ArenaRules.ROUND_TRIP));
        final Value walls = modules.load("rules-test.js").getMember("walls");
        rules.forEach((name, value) -> assertEquals(value, walls.getMember(name).asInt(), name));
    }

    private static void place(final ArenaMap map, final SplittableRandom random, final int[] into, final int at)
    {
        final Walls walls = map.playerWalls();
        do
        {
            into[at] = random.nextInt(map.width());
            into[at + 1] = random.nextInt(map.height());
        }
        while (!walls.isFree(into[at], into[at + 1]));
    }

    /** Towards the very corner of a box, where an impact is at the same time on both axes. */
    private static void intoCorner(
        final ArenaMap map, final SplittableRandom random, final int[] into, final int at)
    {
        final int wall = random.nextInt(map.boxCount());
        final int signX = random.nextBoolean() ? 1 : -1;
        final int signY = random.nextBoolean() ? 1 : -1;
        final int grown = ArenaRules.PLAYER_HALF + Walls.SKIN;
        final int distance = random.nextInt(ArenaRules.RUN_SPEED);
        final int x = map.box(wall, signX > 0 ? 0 : 2) - signX * (grown + distance);
        final int y = map.box(wall, signY > 0 ? 1 : 3) - signY * (grown + distance);
        if (map.playerWalls().isFree(x, y))
        {
            into[at] = x;
            into[at + 1] = y;
            into[at + 2] = signX * ArenaRules.DASH_SPEED;
            into[at + 3] = signY * ArenaRules.DASH_SPEED;
        }
    }

    private static int displacement(final SplittableRandom random, final int reach)
    {
        return 0 == random.nextInt(8) ? 0 : random.nextInt(-reach, reach + 1);
    }
}
