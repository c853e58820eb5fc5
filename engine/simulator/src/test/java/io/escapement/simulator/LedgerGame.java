package io.escapement.simulator;

import io.escapement.client.ClientSeat;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryChecker;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.Authenticator;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Ledger rooms, which note all that reaches them, and players that write a history. At the end the rooms of each node
 * have to agree with it: nothing that was accepted is lost, and nothing ran twice.
 */
class LedgerGame extends SimulatedGame
{
    /** The difference of games of one seed. */
    enum Kind
    {
        /** Nothing. */
        PLAIN,
        /** Rooms compute something else after the first start. */
        OTHER_BUILD,
        /** Nodes are killed while commands of rooms to rooms of their loop wait. */
        WAITING_RETURNS,
        /** Players have browsers: a {@link GatewayGame}. */
        BROWSERS
    }

    private static final int ROOMS = 4;
    private static final int RETURN_KILLS = 3;

    private final Kind kind;
    private final Set<Mode> modes;
    private final History history = new History();
    private final Set<String> effects = new HashSet<>();
    private final Map<Integer, List<HistoryRoom>> roomsByNodeMap = new TreeMap<>();
    private final List<Ledger> players = new ArrayList<>();
    private final List<Long> rooms = new ArrayList<>();
    private int starts;
    private int kills;

    LedgerGame(final Set<Mode> modes, final Kind kind)
    {
        this.modes = modes;
        this.kind = kind;
    }

    LedgerGame()
    {
        this(EnumSet.allOf(Mode.class), Kind.PLAIN);
    }

    @Override
    Set<Mode> modes()
    {
        return modes;
    }

    @Override
    void configure(final EngineContext context, final int node)
    {
        final List<HistoryRoom> made = new ArrayList<>();
        roomsByNodeMap.put(node, made);
        final boolean isOther = Kind.OTHER_BUILD == kind && starts++ > 0;
        context.roomType(roomType(() ->
            {
                final HistoryRoom room = isOther ? new OtherRoom() : newRoom();
                made.add(room);
                return room;
            }))
            .service(HistoryRoom.SERVICE, "effects", 1, () -> this::onRequest);
        context.trunks().secret(Simulator.SECRET, Authenticator.Verdict.TRUSTED.feed(true))
            .graceNs(TimeUnit.MINUTES.toNanos(2));
    }

    RoomType roomType(final Supplier<RoomLogic> made)
    {
        return HistoryRoom.type(made);
    }

    HistoryRoom newRoom()
    {
        return new HistoryRoom();
    }

    private int onRequest(final AsyncService.Request request)
    {
        effects.add(request.buffer().getLong(request.offset()) + "/" +
            request.buffer().getLong(request.offset() + Long.BYTES));
        return 0;
    }

    /** Rooms are placed on the loops in turn. The second signals a room of the other loop, later ones of their own. */
    @Override
    void open(final Engine engine, final Simulation simulation)
    {
        final UnsafeBuffer partner = new UnsafeBuffer(new byte[Long.BYTES]);
        for (int i = 0; i < ROOMS; i++)
        {
            partner.putLong(0, 0 == i ? 0 : rooms.get(Math.max(0, i - Node.LOOPS)));
            rooms.add(engine.openRoom(HistoryRoom.TYPE, partner, 0, Long.BYTES).roomId());
        }
    }

    @Override
    List<? extends Client> newClients(final Simulation simulation)
    {
        for (int i = 1; i <= simulation.shape().clients(); i++)
        {
            players.add(new Ledger(i, simulation));
        }
        return players;
    }

    @Override
    boolean hasBegun(final Simulation simulation)
    {
        boolean hasBegun = haveOpened(simulation);
        for (final Player player : players)
        {
            hasBegun &= player.join(rooms);
        }
        return hasBegun;
    }

    final boolean haveOpened(final Simulation simulation)
    {
        return ROOMS == rooms(simulation.nodes().indexOf(simulation.leader())).size();
    }

    @Override
    void act(final Simulation simulation)
    {
        final SplittableRandom random = simulation.random();
        for (int i = random.nextInt(4); i > 0; i--)
        {
            players.get(random.nextInt(players.size())).send(random);
        }
        final Node node = simulation.leader();
        if (Kind.WAITING_RETURNS == kind && kills < RETURN_KILLS && null != node && hasReturns(node))
        {
            kills++;
            simulation.kill(node, 0);
        }
    }

    private static boolean hasReturns(final Node node)
    {
        for (int loop = 0; loop < Node.LOOPS; loop++)
        {
            if (0 != node.stepped().host(loop).loopState().returns())
            {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean isSettled(final Simulation simulation)
    {
        return history.known() == history.size() && areSettled(simulation);
    }

    /** Whether nothing is under way to a room. */
    final boolean areSettled(final Simulation simulation)
    {
        if (!simulation.clients().stream().allMatch((client) -> null == client.waitsFor()))
        {
            return false;
        }
        for (int node = 0; node < simulation.nodes().size(); node++)
        {
            if (Mode.GROUP == simulation.shape().mode() && !simulation.group().member(node).isCurrent() ||
                !isSettled(rooms(node)))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean isSettled(final Map<Long, HistoryRoom> ofNode)
    {
        long sent = 0;
        long arrived = 0;
        for (final HistoryRoom room : ofNode.values())
        {
            if (0 != room.openRequests())
            {
                return false;
            }
            sent += room.signalsSent();
            for (final long from : ofNode.keySet())
            {
                arrived += room.lastSignal(from);
            }
        }
        return sent == arrived && ROOMS == ofNode.size();
    }

    @Override
    void check(final Simulation simulation)
    {
        for (int node = 0; node < simulation.nodes().size(); node++)
        {
            for (final String finding : HistoryChecker.check(history, rooms(node), effects))
            {
                simulation.violated("node " + node + ": " + finding);
            }
        }
    }

    final History history()
    {
        return history;
    }

    final List<Long> roomIds()
    {
        return rooms;
    }

    final Map<Long, HistoryRoom> rooms(final int node)
    {
        final Map<Long, HistoryRoom> byId = new TreeMap<>();
        roomsByNodeMap.get(node).forEach((room) -> byId.put(room.roomId(), room));
        return byId;
    }

    /** Of another build, which answers with other positions. */
    private static final class OtherRoom extends HistoryRoom
    {
        @Override
        public long answered(final long position)
        {
            return position + 1;
        }
    }

    /** Writes the history. */
    private final class Ledger extends Player
    {
        Ledger(final long playerId, final Simulation simulation)
        {
            super(playerId, simulation);
        }

        @Override
        int next(final ClientSeat seat, final SplittableRandom random, final UnsafeBuffer buffer)
        {
            buffer.putLong(0, playerId());
            buffer.putLong(Long.BYTES, seat.sequence() + 1);
            return HistoryRoom.MESSAGE_LENGTH;
        }

        @Override
        void sent(final ClientSeat seat, final long number)
        {
            history.invoke(playerId(), seat.roomId(), number, nowNs());
        }

        @Override
        public void onAccepted(final ClientSeat seat)
        {
            history.accept(playerId(), seat.roomId(), seat.acceptedSequence());
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            super.onEvent(seat, buffer, offset, length);
            history.answer(buffer.getLong(offset), seat.roomId(), buffer.getLong(offset + 8),
                buffer.getLong(offset + 16), nowNs());
        }
    }
}
