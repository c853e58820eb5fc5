package io.escapement.simulator;

import io.escapement.client.ClientSeat;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.SteppedEngine;
import io.escapement.engine.spi.Authenticator;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.RoomHost;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/** The rooms of an author, players that send the messages of a script, and the author's invariant. */
final class AuthorGame extends SimulatedGame
{
    private final Simulator options;
    private final List<Player> players = new ArrayList<>();
    private final List<Long> rooms = new ArrayList<>();

    AuthorGame(final Simulator options)
    {
        this.options = options;
    }

    @Override
    Set<Mode> modes()
    {
        return EnumSet.allOf(Mode.class);
    }

    @Override
    void configure(final EngineContext context, final int node)
    {
        for (final RoomType type : options.types())
        {
            context.roomType(type);
        }
        options.services().forEach((service) -> service.accept(context));
        context.trunks().secret(Simulator.SECRET, Authenticator.Verdict.TRUSTED.feed(true));
    }

    @Override
    void open(final Engine engine, final Simulation simulation)
    {
        for (final Simulator.Opening opening : options.openings())
        {
            rooms.add(engine.openRoom(
                opening.typeId(), new UnsafeBuffer(opening.args()), 0, opening.args().length).roomId());
        }
    }

    @Override
    List<? extends Client> newClients(final Simulation simulation)
    {
        for (int i = 1; i <= simulation.shape().clients(); i++)
        {
            players.add(new Player(i, simulation)
            {
                @Override
                int next(final ClientSeat seat, final SplittableRandom random, final UnsafeBuffer buffer)
                {
                    return options.script().message(playerId(), seat.roomId(), random, buffer);
                }
            });
        }
        return players;
    }

    @Override
    boolean hasBegun(final Simulation simulation)
    {
        boolean hasBegun = true;
        for (final Player player : players)
        {
            hasBegun &= player.join(rooms);
        }
        return hasBegun;
    }

    @Override
    void act(final Simulation simulation)
    {
        for (int i = simulation.random().nextInt(4); i > 0; i--)
        {
            players.get(simulation.random().nextInt(players.size())).send(simulation.random());
        }
    }

    @Override
    void afterStep(final SteppedEngine engine)
    {
        for (int loop = 0; loop < Node.LOOPS; loop++)
        {
            final RoomHost host = engine.host(loop);
            for (final long roomId : host.openRoomIds())
            {
                final RoomLogic logic = host.logic(roomId);
                options.checks().forEach((check) -> check.accept(logic));
            }
        }
    }

    @Override
    boolean isSettled(final Simulation simulation)
    {
        return players.stream().allMatch((player) -> null == player.waitsFor());
    }

    @Override
    void check(final Simulation simulation)
    {
        // The author's checks have run after each duty cycle.
    }
}
