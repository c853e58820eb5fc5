package io.escapement.simulator;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.EngineAwayDecoder;
import io.escapement.codecs.player.EngineBackDecoder;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.player.GoAwayDecoder;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LeaveDecoder;
import io.escapement.codecs.player.LeftDecoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageDecoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.PlayerDispatcher;
import io.escapement.codecs.player.PlayerEncoder;
import io.escapement.codecs.player.PongDecoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.SeatAwayDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.gateway.SimulatedGateway;
import io.escapement.gateway.SimulatedSocket;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A player's client, which connects, logs in and joins as often as it takes. It compares what it receives with the
 * promises of the players' protocol.
 */
final class Browser extends PlayerDispatcher implements Client
{
    private static final long MS = Simulation.MS;
    private static final byte[] NO_TOKEN = new byte[PlayerMessages.RESUME_TOKEN_LENGTH];
    private static final byte[] NO_ARGS = {};
    private static final int ALL = 1_000;

    /** A room, as the program knows it. */
    private static final class Place
    {
        enum State
        {
            /** To be joined. */
            OUT,
            /** Join has no answer yet. */
            ASKED,
            SEATED,
            /** The session was resumed: the seat comes back without a request, or it is gone. */
            RETURNING
        }

        final long roomId;
        State state = State.OUT;
        long requestId;
        long retryNs;
        /** Messages since the last Joined, by their reference. */
        final List<Long> sent = new ArrayList<>();
        /** Messages that are to be answered, since nothing that may lose them happened. */
        final ArrayDeque<Long> open = new ArrayDeque<>();
        long number;
        long answered;
        long chain;
        /** Whether the next event must continue the chain. */
        boolean hasChain;
        boolean isLeaving;
        /** The session was resumed with a join under way, which is still answered. */
        boolean wasAsked;
        long version;

        Place(final long roomId)
        {
            this.roomId = roomId;
        }

        void forget()
        {
            open.clear();
            hasChain = false;
        }

        void out(final long untilNs)
        {
            forget();
            state = State.OUT;
            isLeaving = false;
            retryNs = untilNs;
        }
    }

    private final PlayerEncoder messages = new PlayerEncoder();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[PlayerMessages.MAX_REQUEST_LENGTH]);
    private final byte[] token = NO_TOKEN.clone();
    private final List<Place> places = new ArrayList<>();
    private final long playerId;
    private final Simulation simulation;
    private final SimulatedClock clock;
    private final SplittableRandom random;
    private final History history;
    private final List<SimulatedGateway> gateways;
    private SimulatedSocket socket;
    /** Of the last Welcome. */
    private SimulatedSocket last;
    private int gateway;
    private boolean isWelcome;
    private boolean isLoggedIn;
    private boolean isLogInOpen;
    private boolean isEngineAway;
    private boolean isSlow;
    private boolean isParting;
    private long requestId;
    private long connectNs;
    private long logInNs;
    private long stalledUntilNs;
    private long hash = 1;

    Browser(
        final long playerId,
        final Simulation simulation,
        final History history,
        final List<Long> rooms,
        final List<SimulatedGateway> gateways)
    {
        this.playerId = playerId;
        this.simulation = simulation;
        this.history = history;
        this.gateways = gateways;
        clock = simulation.clock();
        random = simulation.random().split();
        rooms.forEach((roomId) -> places.add(new Place(roomId)));
    }

    @Override
    public void poll()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs < stalledUntilNs)
        {
            return;
        }
        if (null == socket)
        {
            if (nowNs >= connectNs && !isParting)
            {
                connect();
            }
            return;
        }
        socket.read(isSlow ? 1 : ALL, (message) ->
        {
            hash = 31 * (31 * hash + message.capacity()) + nowNs;
            dispatch(message, 0);
        });
        if (socket.isOver())
        {
            checkClose(socket.closed());
            disconnect();
        }
        else if (isWelcome && !isLoggedIn && !isLogInOpen && nowNs >= logInNs)
        {
            isLogInOpen = true;
            send(messages.logIn(out, 0, ++requestId, new byte[]{(byte)playerId}));
        }
        else if (isLoggedIn && !isParting)
        {
            places.stream().filter((place) -> Place.State.OUT == place.state && nowNs >= place.retryNs)
                .forEach(this::join);
        }
    }

    private void connect()
    {
        if (0 == random.nextInt(3))
        {
            gateway = random.nextInt(gateways.size());
        }
        socket = gateways.get(gateway).connect(random.split());
        send(messages.hello(out, 0, PlayerMessages.PROTOCOL_VERSION, 1,
            random.nextInt(4) * 5, 0 == random.nextInt(8) ? NO_TOKEN : token));
    }

    private void join(final Place place)
    {
        place.state = Place.State.ASKED;
        place.requestId = ++requestId;
        send(messages.join(out, 0, requestId, place.roomId, NO_ARGS));
    }

    private void send(final int length)
    {
        socket.send(out, length);
    }

    private void disconnect()
    {
        socket = null;
        isWelcome = false;
        isLogInOpen = false;
        isEngineAway = false;
        connectNs = clock.nanoTime() + random.nextLong(150 * MS) + (0 == random.nextInt(8) ? 1_000 * MS : 0);
        for (final Place place : places)
        {
            place.forget();
            place.isLeaving = false;
            place.version = 0;
        }
    }

    /** Codes that a program which keeps the protocol never gets. */
    private void checkClose(final CloseCode code)
    {
        if (CloseCode.MALFORMED == code || CloseCode.FULL == code || CloseCode.PROTOCOL_VERSION == code ||
            CloseCode.NORMAL == code && !isParting)
        {
            violated("closed with " + code);
        }
    }

    /** Do something, as a player does. */
    void act()
    {
        if (null == socket || !isWelcome || !isLoggedIn || clock.nanoTime() < stalledUntilNs)
        {
            return;
        }
        final Place place = places.get(random.nextInt(places.size()));
        final int dice = random.nextInt(1_000);
        if (dice < 4)
        {
            leave(place);
        }
        else if (dice < 6 && simulation.shape().has(Fault.PLAYERS))
        {
            socket.lose();
        }
        else
        {
            // Some of the bursts exceed the window of a trunk.
            for (int i = 0 == random.nextInt(200) ? 0 == random.nextInt(8) ? 1_000 : 100 : 1; i > 0; i--)
            {
                message(place);
            }
        }
    }

    private void message(final Place place)
    {
        if (Place.State.SEATED != place.state || place.isLeaving || isEngineAway)
        {
            return;
        }
        place.number++;
        place.sent.add(place.number);
        place.open.add(place.number);
        history.invoke(playerId, place.roomId, place.number, clock.nanoTime());
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[HistoryRoom.MESSAGE_LENGTH]);
        payload.putLong(0, playerId);
        payload.putLong(Long.BYTES, place.number);
        send(messages.message(out, 0, place.roomId, payload, 0, HistoryRoom.MESSAGE_LENGTH));
    }

    private void leave(final Place place)
    {
        if ((Place.State.SEATED == place.state || Place.State.ASKED == place.state) && !place.isLeaving &&
            !isEngineAway)
        {
            place.isLeaving = true;
            send(messages.leave(out, 0, place.roomId, random.nextInt(3)));
        }
    }

    @Override
    public void stall(final long untilNs)
    {
        isSlow = false;
        stalledUntilNs = 0;
        if (0 == untilNs || null == socket)
        {
            return;
        }
        switch (random.nextInt(3))
        {
            case 0 -> stalledUntilNs = untilNs;
            case 1 -> isSlow = true;
            default -> socket.lose();
        }
    }

    /** Leave for good, without another connection. */
    void part()
    {
        isParting = true;
        if (null != socket)
        {
            switch (random.nextInt(3))
            {
                case 0 -> send(messages.goodbye(out, 0));
                case 1 -> socket.lose();
                default ->
                {
                    // Its gateway closes the connection when it drains.
                }
            }
        }
    }

    /** Names a room whose last state it does not have, or null. */
    String missingState(final Map<Long, HistoryRoom> rooms)
    {
        return places.stream().filter((place) -> place.version != rooms.get(place.roomId).messages()).findFirst()
            .map((place) -> "browser " + playerId + ": room " + place.roomId + " has run " +
                rooms.get(place.roomId).messages() + " messages, its state is of " + place.version).orElse(null);
    }

    @Override
    public String waitsFor()
    {
        final String name = "browser " + playerId + ": ";
        if (null == socket || !isLoggedIn || isEngineAway)
        {
            return name + (null == socket ? "no connection" : isEngineAway ? "the engine is away" : "no log-in");
        }
        for (final Place place : places)
        {
            if (Place.State.SEATED != place.state || place.isLeaving || !place.open.isEmpty())
            {
                return name + "room " + place.roomId + " " + place.state + (place.isLeaving ? " leaving" : "") +
                    ", no answers to " + place.open;
            }
        }
        return null;
    }

    @Override
    public long hash()
    {
        return hash;
    }

    @Override
    public void close()
    {
        // It has nothing but a socket in memory.
    }

    private void violated(final String what)
    {
        simulation.violated("browser " + playerId + ": " + what);
    }

    private void violated(final Place place, final String what)
    {
        violated("room " + place.roomId + " " + place.state + ": " + what);
    }

    private Place place(final long roomId)
    {
        return places.stream().filter((place) -> roomId == place.roomId).findFirst().orElseThrow();
    }

    private long laterNs()
    {
        return clock.nanoTime() + 20 * MS + random.nextLong(80 * MS);
    }

    // Messages of the gateway

    @Override
    protected int onWelcome(final WelcomeDecoder welcome)
    {
        welcome.getResumeToken(token, 0, token.length);
        isWelcome = true;
        final boolean isResumed = 0 != welcome.isResumed();
        isLoggedIn &= isResumed;
        for (final Place place : places)
        {
            place.wasAsked = isResumed && (place.wasAsked || Place.State.ASKED == place.state);
            if (!isResumed || Place.State.SEATED != place.state && Place.State.RETURNING != place.state)
            {
                place.out(laterNs());
            }
            else
            {
                place.state = Place.State.RETURNING;
            }
        }
        if (isResumed)
        {
            last.unread(this::onUnread);
        }
        last = socket;
        return 0;
    }

    /** The gateway has said on the last connection that a seat is gone, and does not say it again. */
    private void onUnread(final DirectBuffer message)
    {
        final int templateId = SchemaRules.templateId(message, 0);
        if (LeftDecoder.TEMPLATE_ID == templateId || SeatAwayDecoder.TEMPLATE_ID == templateId)
        {
            place(message.getLong(MessageHeaderDecoder.ENCODED_LENGTH, ByteOrder.LITTLE_ENDIAN)).out(laterNs());
        }
        else if (JoinedDecoder.TEMPLATE_ID == templateId)
        {
            place(new JoinedDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder()).roomId()).state =
                Place.State.RETURNING;
        }
    }

    @Override
    protected int onLoggedIn(final LoggedInDecoder loggedIn)
    {
        isLogInOpen = false;
        isLoggedIn = 0 == loggedIn.status();
        logInNs = laterNs();
        if (GatewayCode.TOO_MANY_LOG_INS.value() == loggedIn.status())
        {
            socket.lose();
        }
        if (isLoggedIn && playerId != loggedIn.playerId())
        {
            violated("logged in as " + loggedIn.playerId());
        }
        return 0;
    }

    @Override
    protected int onJoined(final JoinedDecoder joined)
    {
        final Place place = place(joined.roomId());
        if (playerId != joined.playerId())
        {
            violated(place, "joined as " + joined.playerId() + ", request " + joined.requestId());
        }
        // The program may have sent messages that the gateway counts from this Joined on.
        final boolean isCrossed = Place.State.SEATED == place.state;
        place.forget();
        if (!isCrossed)
        {
            place.sent.clear();
        }
        place.state = Place.State.SEATED;
        place.wasAsked = false;
        return 0;
    }

    @Override
    protected int onSeatAway(final SeatAwayDecoder away)
    {
        place(away.roomId()).out(laterNs());
        return 0;
    }

    @Override
    protected int onLeft(final LeftDecoder left)
    {
        final Place place = place(left.roomId());
        if (0 == left.reason() && !place.open.isEmpty())
        {
            violated(place, "left before the answers to " + place.open);
        }
        place.out(laterNs());
        return 0;
    }

    @Override
    protected int onRefused(final RefusedDecoder refused)
    {
        final Place place = place(refused.roomId());
        switch (refused.templateId())
        {
            case JoinDecoder.TEMPLATE_ID -> onJoinRefused(place, refused.reference(), refused.codeRaw());
            case LeaveDecoder.TEMPLATE_ID -> place.isLeaving = false;
            case MessageDecoder.TEMPLATE_ID ->
            {
                final int index = (int)refused.reference() - 1;
                if (index >= 0 && index < place.sent.size())
                {
                    place.open.remove(place.sent.get(index));
                }
            }
            default -> violated(place, "refused " + refused.templateId());
        }
        return 0;
    }

    private void onJoinRefused(final Place place, final long reference, final int code)
    {
        if (reference != place.requestId || Place.State.ASKED != place.state)
        {
            return;
        }
        if (RefusalCode.ALREADY_JOINED.value() == code && !place.wasAsked)
        {
            violated(place, "refused as ALREADY_JOINED");
        }
        place.out(laterNs());
        isLoggedIn &= RefusalCode.ALREADY_JOINED.value() == code;
    }

    @Override
    protected int onPong(final PongDecoder pong)
    {
        return 0;
    }

    @Override
    protected int onEngineAway(final EngineAwayDecoder away)
    {
        isEngineAway = true;
        places.forEach(Place::forget);
        return 0;
    }

    @Override
    protected int onEngineBack(final EngineBackDecoder back)
    {
        isEngineAway = false;
        return 0;
    }

    @Override
    protected int onGoAway(final GoAwayDecoder goAway)
    {
        return 0;
    }

    @Override
    protected int onEvent(final EventDecoder event)
    {
        final Place place = place(event.roomId());
        final DirectBuffer answer = new UnsafeBuffer(event.buffer(),
            event.limit() + EventDecoder.payloadHeaderLength(), HistoryRoom.ANSWER_LENGTH);
        final long number = answer.getLong(8, ByteOrder.LITTLE_ENDIAN);
        if (Place.State.SEATED != place.state)
        {
            violated(place, "an event without a seat");
        }
        if (playerId != answer.getLong(0) || number <= place.answered || number > place.number)
        {
            violated(place, "event " + number + " of player " + answer.getLong(0) + " after " + place.answered +
                ", sent " + place.number);
        }
        else if (place.hasChain && HistoryRoom.chain(place.chain, number) != answer.getLong(24))
        {
            violated(place, "events are missing between " + place.answered + " and " + number);
        }
        else if (!place.open.isEmpty() && number > place.open.peek())
        {
            violated(place, "event " + number + ", without an answer to " + place.open.peek());
        }
        place.open.remove(number);
        place.answered = number;
        place.chain = answer.getLong(24);
        place.hasChain = true;
        history.answer(playerId, place.roomId, number, answer.getLong(16), clock.nanoTime());
        return 0;
    }

    @Override
    protected int onState(final StateDecoder state)
    {
        final Place place = place(state.roomId());
        final long version = state.buffer().getLong(
            state.limit() + StateDecoder.payloadHeaderLength(), ByteOrder.LITTLE_ENDIAN);
        if (version < place.version && !simulation.shape().isFed())
        {
            violated(place, "the state after " + version + " messages, after " + place.version);
        }
        // With a feed, states for all and for one have no order.
        place.version = Math.max(place.version, version);
        return 0;
    }

    @Override
    protected int refused(final int templateId)
    {
        violated("message " + templateId);
        return 0;
    }
}
