package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random schedules of players, sockets and trunk. Once everything is quiet, seats, sessions and connections agree, and
 * every join of a player that is still connected has been answered.
 */
class SchedulesTest
{
    private static final long SEED = 704;
    private static final int PLAYERS = 5;
    private static final int ROOMS = 3;
    private static final int STEPS = 60;

    /** A player's client, which connects again with its last token. */
    private static final class Program
    {
        final int player;
        FakeLink link;
        byte[] token = FakeLink.NO_TOKEN;
        long requests;
        final Set<Long> open = new HashSet<>();

        Program(final int player)
        {
            this.player = player;
        }

        boolean isConnected()
        {
            return null != link && null == link.closed && !link.connection.isClosed();
        }

        void read()
        {
            if (null == link)
            {
                return;
            }
            for (final String text : link.take())
            {
                final String[] words = text.split(" ");
                if ("welcome".equals(words[0]))
                {
                    token = link.token;
                }
                else if ("joined".equals(words[0]))
                {
                    open.remove(Long.parseLong(words[1]));
                }
                else if ("refused".equals(words[0]) && "3".equals(words[3]))
                {
                    open.remove(Long.parseLong(words[2]));
                }
            }
        }
    }

    @Test
    void shouldAgreeWhenEverythingIsQuiet()
    {
        final int schedules = Tests.isFull() ? 100_000 : 10_000;
        for (int i = 0; i < schedules; i++)
        {
            run(SEED + i);
        }
    }

    private void run(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final GatewayContext context = new GatewayContext();
        context.limits().logInRate(10_000).addressRate(10_000).logInNs(TimeUnit.HOURS.toNanos(1))
            .idleNs(TimeUnit.HOURS.toNanos(2)).pingNs(TimeUnit.HOURS.toNanos(1));
        final GatewayBench bench = new GatewayBench(context);
        final List<Program> programs = new ArrayList<>();
        for (int i = 0; i < PLAYERS; i++)
        {
            programs.add(new Program(1 + random.nextInt(PLAYERS - 1)));
        }
        try
        {
            for (int i = 0; i < STEPS; i++)
            {
                step(bench, programs.get(random.nextInt(PLAYERS)), random);
                programs.forEach(Program::read);
            }
            settle(bench, programs);
            check(bench, programs);
        }
        catch (final RuntimeException | AssertionError ex)
        {
            throw new AssertionError("seed " + seed + ": " + bench.engine.log, ex);
        }
    }

    private static void step(final GatewayBench bench, final Program program, final SplittableRandom random)
    {
        final long room = 1 + random.nextInt(ROOMS + (0 == random.nextInt(10) ? 200 : 0));
        switch (random.nextInt(20))
        {
            case 0, 1, 2 -> connect(bench, program, random);
            case 3, 4, 5, 6, 7 -> request(bench, program, room, random);
            case 8, 9 ->
            {
                if (program.isConnected())
                {
                    program.link.lose();
                    program.link = null;
                }
            }
            case 10 -> bench.engine.isBlocked = random.nextBoolean();
            case 11 -> bench.engine.isAttached = random.nextInt(4) != 0;
            case 12 -> trunk(bench, random);
            case 13 -> expireOne(bench, random);
            case 15 -> bench.engine.ordersToRefuse = random.nextInt(3);
            case 14 -> bench.pass(TimeUnit.SECONDS.toNanos(random.nextInt(40)), TimeUnit.SECONDS.toNanos(1));
            default -> bench.turn();
        }
    }

    private static void connect(final GatewayBench bench, final Program program, final SplittableRandom random)
    {
        program.link = new FakeLink().open(bench.sessions, "10.0.0.1");
        program.open.clear();
        program.link.hello(0 == random.nextInt(4) ? FakeLink.NO_TOKEN : program.token);
    }

    private static void request(
        final GatewayBench bench, final Program program, final long room, final SplittableRandom random)
    {
        if (!program.isConnected())
        {
            return;
        }
        switch (random.nextInt(6))
        {
            case 0 -> program.link.logIn(++program.requests, Integer.toString(program.player));
            case 1, 2 ->
            {
                program.open.add(++program.requests);
                program.link.join(program.requests, room);
            }
            case 3 -> program.link.leave(room);
            case 4 -> program.link.message(room, "m");
            default ->
            {
                if (0 == random.nextInt(4))
                {
                    program.link.goodbye();
                }
            }
        }
    }

    private static void trunk(final GatewayBench bench, final SplittableRandom random)
    {
        if (bench.engine.isUp)
        {
            bench.engine.disconnect(0);
        }
        else if (0 == random.nextInt(3))
        {
            bench.engine.restart();
        }
        else
        {
            bench.engine.resume();
        }
    }

    /** The grace of a seat that is away is over. */
    private static void expireOne(final GatewayBench bench, final SplittableRandom random)
    {
        for (final FakeEngine.FakeSeat seat : List.copyOf(bench.engine.seatByRoomAndPlayerMap.values()))
        {
            if (!seat.isPresentThere && bench.engine.isUp && random.nextBoolean())
            {
                bench.engine.free(seat, 2);
                return;
            }
        }
    }

    private static void settle(final GatewayBench bench, final List<Program> programs)
    {
        bench.engine.isBlocked = false;
        bench.engine.isAttached = true;
        bench.engine.ordersToRefuse = 0;
        if (!bench.engine.isUp)
        {
            bench.engine.resume();
        }
        bench.pass(TimeUnit.SECONDS.toNanos(24), TimeUnit.SECONDS.toNanos(1));
        bench.turns(10);
        programs.forEach(Program::read);
    }

    private static void check(final GatewayBench bench, final List<Program> programs)
    {
        final Set<FakeEngine.FakeSeat> seated = new HashSet<>();
        int seats = 0;
        for (final PlayerSession session : bench.sessions.all())
        {
            for (final Place place : session.places)
            {
                assertTrue(!place.hasOrders() && place.session == session, "orders are left");
                seats += null == place.seat ? 0 : 1;
                if (Place.State.SEATED == place.state)
                {
                    assertTrue(null != session.connection && place.seat.isPresent(), "a seat of nobody");
                    seated.add((FakeEngine.FakeSeat)place.seat);
                }
                else
                {
                    assertTrue(Place.State.JOINING != place.state, "a join without an answer");
                }
            }
        }
        for (final FakeEngine.FakeSeat seat : bench.engine.seatByRoomAndPlayerMap.values())
        {
            assertEquals(seated.contains(seat), seat.isPresentThere, "the engine's seat of " + seat.playerId);
        }
        bench.pass(TimeUnit.MILLISECONDS.toNanos(100));
        assertEquals(seats, bench.counters.seats());
        int connected = 0;
        for (final Program program : programs)
        {
            if (program.isConnected())
            {
                connected++;
                assertTrue(program.open.isEmpty(), "joins without an answer: " + program.open);
                assertTrue(program.link.isReading);
            }
            else if (null != program.link)
            {
                assertTrue(null == program.link.closed || CloseCode.MALFORMED != program.link.closed);
            }
        }
        assertTrue(connected <= bench.sessions.connections().size());
    }
}
