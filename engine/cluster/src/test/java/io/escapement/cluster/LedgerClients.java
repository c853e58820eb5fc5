package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.TrunkMessages;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Players of ledger rooms over trunks that know all nodes, and are resumed where the next one begins to lead. Each
 * player has a seat in each room and many messages under way, at a rate that does not wait for answers. Messages
 * that the leader had not accepted are sent again. All of it is written into a history. For one thread.
 */
@RealTime("a helper of processes that are killed")
final class LedgerClients implements AutoCloseable
{
    /** A busy machine starts nodes for a minute, and nobody polls the client while it does. */
    private static final long UNPOLLED_NS = TimeUnit.MINUTES.toNanos(5);
    private static final int TRUNKS = 2;
    private static final int PLAYERS_A_TRUNK = 2;
    private static final int WINDOW = 32;
    private static final int KEPT_LENGTH = 256 * 1_024;
    private static final byte[] NO_TOKEN = {};
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Rate and length of the messages of all clients together. */
    record Load(int messagesPerSecond, int messageLength)
    {
        static final Load LIGHT = new Load(Integer.getInteger("escapement.rate", 250), HistoryRoom.MESSAGE_LENGTH);
        /** In bytes more than in messages: histories and ledgers grow with each. */
        static final Load HEAVY =
            new Load(Integer.getInteger("escapement.rate", 4_000), TrunkMessages.MAX_PAYLOAD_LENGTH);
    }

    private final MediaDriver driver = MediaDriver.launch(
        TestNode.driverContext(DriverDirectory.temporary()).clientLivenessTimeoutNs(UNPOLLED_NS)
            .publicationUnblockTimeoutNs(2 * UNPOLLED_NS));
    private final Aeron aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker()));
    private final EventLog events;
    private final SplittableRandom random;
    private final History history = new History();
    private final Histogram answers = new Histogram(3);
    private final List<Trunk> trunks = new ArrayList<>();
    private final List<Player> seats = new ArrayList<>();
    private final Set<String> requested = new HashSet<>();
    private final Set<Integer> disconnectCodes = new HashSet<>();
    private final UnsafeBuffer message;
    private final long intervalNs;
    private List<Long> rooms = List.of();
    private boolean isHeld;
    private long requests;
    private long sendAtNs = System.nanoTime();
    private long known;
    private long resumed;
    private long refused;
    private long longestNs;
    private long longestSinceNs;

    /**
     * Connect.
     *
     * @param events receives what happens to the trunks.
     * @param nodes  of the cluster.
     * @param load   of all clients.
     * @param seed   of the order of seats.
     */
    LedgerClients(
        final EventLog events, final List<TestNode.Endpoints> nodes, final Load load, final long seed)
    {
        this.events = events;
        message = new UnsafeBuffer(new byte[load.messageLength]);
        intervalNs = TimeUnit.SECONDS.toNanos(1) / load.messagesPerSecond;
        random = new SplittableRandom(seed);
        for (int i = 0; i < TRUNKS; i++)
        {
            trunks.add(new Trunk(i, nodes));
        }
    }

    /** Play in these rooms. */
    void join(final List<Long> roomIds)
    {
        rooms = roomIds;
    }

    /** Send nothing new, or go on. */
    void hold(final boolean isOn)
    {
        isHeld = isOn;
    }

    /** One duty cycle. Leaves a core to the nodes while nothing comes. */
    void poll()
    {
        if (0 == driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke())
        {
            LockSupport.parkNanos(PARK_NS);
        }
        trunks.forEach(Trunk::poll);
        final long nowNs = System.nanoTime();
        if (isHeld || seats.isEmpty())
        {
            sendAtNs = nowNs;
        }
        else
        {
            // A place in the rate that finds no room is given up: another message is sent at the next.
            for (sendAtNs = Math.max(sendAtNs, nowNs - BURST_NS); nowNs - sendAtNs >= 0; sendAtNs += intervalNs)
            {
                seats.get(random.nextInt(seats.size())).send();
            }
        }
    }

    /** A trunk of a program that knows one node. */
    TrunkClient connect(final TestNode.Endpoints node)
    {
        return TrunkClient.connect(new TrunkContext().identity("tests").secret(TestNode.SECRET).aeron(aeron)
            .udp(node.ingress(), node.response()).listener(new TrunkListener()
            {
            }));
    }

    History history()
    {
        return history;
    }

    /** Messages whose answer or acceptance is known. */
    long known()
    {
        return known;
    }

    /** Whether nothing is under way. */
    boolean isQuiet()
    {
        return known == history.size();
    }

    /** How often a trunk was resumed. */
    long resumed()
    {
        return resumed;
    }

    /** Joins and messages that were refused. */
    long refused()
    {
        return refused;
    }

    /** Whether no trunk is up. */
    boolean isDisconnected()
    {
        return trunks.stream().noneMatch((trunk) -> TrunkClient.State.UP == trunk.state);
    }

    /** Codes with which trunks were interrupted. */
    Set<Integer> disconnectCodes()
    {
        return disconnectCodes;
    }

    /** Times from a message to the news that it has run, in nanoseconds. */
    Histogram answers()
    {
        return answers;
    }

    /** The longest time from a message to the news that it has run, of those that came since the last call. */
    long takeLongestNs()
    {
        final long taken = longestNs;
        longestNs = 0;
        return taken;
    }

    /** When that message was sent. */
    long longestSinceNs()
    {
        return longestSinceNs;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(trunks);
        CloseHelper.quietCloseAll(aeron, driver);
    }

    /** A seat, and when each message under way was sent. */
    private final class Player
    {
        private final TrunkClient trunk;
        private final long[] sentNs = new long[WINDOW];
        private ClientSeat seat;
        private long knownUpTo;

        Player(final TrunkClient trunk, final ClientSeat seat)
        {
            this.trunk = trunk;
            this.seat = seat;
            knownUpTo = seat.sequence();
        }

        void send()
        {
            final long number = seat.sequence() + 1;
            if (!seat.isPresent() || number - knownUpTo > WINDOW)
            {
                return;
            }
            message.putLong(0, seat.playerId());
            message.putLong(8, number);
            final long nowNs = System.nanoTime();
            if (SendStatus.SENT == trunk.send(seat, message, 0, message.capacity()))
            {
                sentNs[(int)(number % WINDOW)] = nowNs;
                history.invoke(seat.playerId(), seat.roomId(), number, nowNs);
            }
        }

        void onKnown(final long number, final long nowNs)
        {
            while (knownUpTo < number)
            {
                final long since = sentNs[(int)(++knownUpTo % WINDOW)];
                answers.recordValue(nowNs - since);
                known++;
                if (nowNs - since > longestNs)
                {
                    longestNs = nowNs - since;
                    longestSinceNs = since;
                }
            }
        }
    }

    private final class Trunk implements TrunkListener, AutoCloseable
    {
        private final int number;
        private final TrunkClient client;
        private TrunkClient.State state;

        Trunk(final int number, final List<TestNode.Endpoints> nodes)
        {
            this.number = number;
            final TrunkContext context = new TrunkContext().identity("tests").secret(TestNode.SECRET).aeron(aeron)
                .listener(this).resendLength(KEPT_LENGTH);
            nodes.forEach((node) -> context.member(node.ingress(), node.response()));
            client = TrunkClient.connect(context);
        }

        void poll()
        {
            client.poll();
            if (state != client.state())
            {
                state = client.state();
                events.add("trunk " + number + ": " + state);
            }
            if (requests < (long)TRUNKS * PLAYERS_A_TRUNK * rooms.size())
            {
                for (int player = 0; player < PLAYERS_A_TRUNK; player++)
                {
                    join(1 + (long)number * PLAYERS_A_TRUNK + player);
                }
            }
        }

        private void join(final long playerId)
        {
            for (final long roomId : rooms)
            {
                final String name = playerId + "/" + roomId;
                if (!requested.contains(name) &&
                    SendStatus.SENT == client.join(requests + 1, roomId, playerId, NO_TOKEN, message, 0, 0))
                {
                    requests++;
                    requested.add(name);
                }
            }
        }

        private Player playerOf(final ClientSeat seat)
        {
            Player player = (Player)seat.attachment();
            if (null == player)
            {
                player = new Player(client, seat);
                seats.add(player);
                seat.attachment(player);
            }
            player.seat = seat;
            return player;
        }

        @Override
        public void onUp(final boolean isResumed)
        {
            resumed += isResumed ? 1 : 0;
        }

        @Override
        public void onDown(final int code)
        {
            throw new AssertionError("trunk " + number + " is down, code " + code + ": " + client.failure());
        }

        @Override
        public void onDisconnected(final int code)
        {
            disconnectCodes.add(code);
            events.add("trunk " + number + ": disconnected, code " + code);
        }

        @Override
        public void onRefused(
            final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
        {
            refused++;
            events.add("trunk " + number + ": template " + templateId + " refused, code " + code);
        }

        @Override
        public void onJoined(final long requestId, final ClientSeat seat)
        {
            playerOf(seat);
        }

        @Override
        public void onSeatResumed(final ClientSeat seat)
        {
            events.add("trunk " + number + ": player " + seat.playerId() + " has the seat again, accepted " +
                seat.acceptedSequence() + " of " + seat.sequence());
            onAccepted(seat);
        }

        @Override
        public void onSeatAway(final ClientSeat seat, final int reason)
        {
            events.add("trunk " + number + ": player " + seat.playerId() + " is away, reason " + reason);
        }

        @Override
        public void onAccepted(final ClientSeat seat)
        {
            history.accept(seat.playerId(), seat.roomId(), seat.acceptedSequence());
            playerOf(seat).onKnown(seat.acceptedSequence(), System.nanoTime());
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            final long nowNs = System.nanoTime();
            history.answer(buffer.getLong(offset), seat.roomId(), buffer.getLong(offset + 8),
                buffer.getLong(offset + 16), nowNs);
            playerOf(seat).onKnown(buffer.getLong(offset + 8), nowNs);
        }

        @Override
        public void close()
        {
            client.close();
        }
    }
}
