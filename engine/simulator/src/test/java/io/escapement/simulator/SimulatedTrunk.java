package io.escapement.simulator;

import io.escapement.client.ClientSeat;
import io.escapement.client.LyingSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.simulator.SimulatedRoom.Request;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A client with players, which compares everything that it receives with what the rooms have done. */
final class SimulatedTrunk implements Client, TrunkListener
{
    /** The view of one seat; attached to it. */
    private static final class Watch
    {
        final ClientSeat seat;
        boolean isPresent;
        int epoch;
        int number;
        /** Highest sequence of a message. */
        long sent;
        /** Sequence of the last message since the seat is here, or 0. */
        long sentHere;
        long answered;
        long stateNumber;
        /** Of the states that do not fit a packet of a feed, which come in no order with the others. */
        long longStateNumber;
        /** Messages that were refused, with a refusal each, or may have been lost with a connection. */
        long refusedOrLost;

        Watch(final ClientSeat seat)
        {
            this.seat = seat;
        }
    }

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int UNKNOWN_TRUNK = TrunkCode.UNKNOWN_TRUNK.value();
    private static final byte[] NO_TOKEN = {};
    private static final int PLAYERS = 5;
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int number;
    private final SplittableRandom random;
    private final SimulatedClock clock;
    private final SimulatedRooms oracle;
    private final Node node;
    private final boolean isFed;
    private final boolean isTrusted;
    private final boolean isReconnecting;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[SimulatedRoom.REQUEST_LENGTH]);
    private final Map<Long, byte[]> tokenByPlayerMap = new HashMap<>();
    private final Set<Long> roomsWithRefusals = new HashSet<>();
    private final List<ClientSeat> held = new ArrayList<>();
    private boolean isGone;
    private SimulatedHost host;
    private TrunkClient client;
    private long requestId;
    private long stalledUntilNs;
    private int downCode;
    private long events;
    private long hash = 1;

    SimulatedTrunk(
        final int number,
        final SplittableRandom random,
        final Simulation simulation,
        final SimulatedRooms oracle,
        final boolean isTrusted)
    {
        this.number = number;
        this.random = random;
        this.oracle = oracle;
        this.isTrusted = isTrusted;
        clock = simulation.clock();
        node = simulation.nodes().get(0);
        isFed = simulation.shape().isFed();
        isReconnecting = 0 == random.nextInt(3);
    }

    SimulatedHost host()
    {
        return host;
    }

    boolean isUp()
    {
        return isConnected() && TrunkClient.State.UP == client.state();
    }

    /** Whether it has a client that is not down, on a host that lives. */
    boolean isConnected()
    {
        return null != client && !host.isDead() && TrunkClient.State.DOWN != client.state();
    }

    boolean hasSeats()
    {
        return !presentSeats().isEmpty();
    }

    long events()
    {
        return events;
    }

    @Override
    public long hash()
    {
        return hash;
    }

    /** Connect a new trunk, or resume the last one. */
    void connect(final SimulatedHost from)
    {
        connect(from, UNKNOWN_TRUNK != downCode && random.nextInt(4) > 0);
    }

    /** Break the connection of a trunk that is up, and resume it. */
    void resume()
    {
        held.addAll(presentSeats());
        abandon();
        connect(host, true);
    }

    /** A while after {@link #resume()} without faults: all seats have come back. */
    void checkReturned()
    {
        for (final ClientSeat seat : held)
        {
            final SimulatedRooms.RoomState room = oracle.room(seat.roomId());
            if (room.isOpen && !seat.isPresent() && room.seats[seat.index()].generation == seat.generation())
            {
                oracle.violated(name(seat) + " did not come back");
            }
        }
        held.clear();
        check();
    }

    /** Try to resume a trunk that has ended by its Goodbye. */
    void knockAgain()
    {
        isGone = true;
        connect(host, true);
    }

    private void connect(final SimulatedHost from, final boolean isToResume)
    {
        final TrunkClient lost = client;
        final boolean isHostNew = host != from;
        host = from;
        final TrunkContext context = new TrunkContext()
            .aeron(host.aeron())
            .udp(node.ingress(), node.response())
            .identity("trunk " + number)
            .secret(Simulator.SECRET)
            .clock(clock)
            .termLength(64 * 1_024)
            .feed(isFed ? host.address() + ":0" : null)
            .connectTimeoutNs(CONNECT_NS)
            .listener(this);
        if (isReconnecting)
        {
            context.reconnect(50 * MS, 400 * MS);
        }
        final boolean isResuming = null != lost && isToResume;
        if (isResuming && TrunkClient.State.DOWN == lost.state() && !isHostNew)
        {
            context.resume(lost);
        }
        else if (isResuming)
        {
            context.ticket(lost.ticket());
        }
        tokenByPlayerMap.clear();
        downCode = 0;
        client = TrunkClient.connect(context);
    }

    @Override
    public void stall(final long untilNs)
    {
        stalledUntilNs = untilNs;
    }

    @Override
    public String waitsFor()
    {
        return isUp() ? null : "trunk " + number + " is not up";
    }

    @Override
    public void close()
    {
        // Its host is closed.
    }

    @Override
    public void poll()
    {
        if (null != client && host.isRunning() && clock.nanoTime() >= stalledUntilNs)
        {
            client.poll();
        }
    }

    /** Break the connection without a Goodbye. */
    void abandon()
    {
        client.abandon();
        presentSeats().forEach((seat) -> watch(seat).isPresent = false);
    }

    void goodbye()
    {
        client.close();
    }

    /** Ask for a seat of a random player in a random room. */
    void join()
    {
        final List<Long> rooms = oracle.openRoomIds();
        final long playerId = 1 + random.nextInt(PLAYERS);
        if (rooms.isEmpty())
        {
            return;
        }
        final long roomId = rooms.get(random.nextInt(rooms.size()));
        byte[] token = NO_TOKEN;
        if (!isTrusted)
        {
            token = tokenByPlayerMap.get(playerId);
            if (null == token)
            {
                client.logIn(playerId, new byte[]{(byte)playerId});
                return;
            }
        }
        client.join(++requestId, roomId, playerId, token, out, 0, random.nextInt(8));
    }

    void leave()
    {
        final List<ClientSeat> seats = presentSeats();
        if (!seats.isEmpty())
        {
            client.leave(seats.get(random.nextInt(seats.size())), random.nextInt(3));
        }
    }

    /** Send a request of a random player. */
    void send(final Request request, final int argument)
    {
        final List<ClientSeat> seats = presentSeats();
        if (seats.isEmpty())
        {
            return;
        }
        final ClientSeat seat = seats.get(random.nextInt(seats.size()));
        final List<Long> rooms = oracle.openRoomIds();
        out.putInt(SimulatedRoom.REQUEST_OFFSET, request.ordinal(), ORDER);
        out.putInt(SimulatedRoom.ARGUMENT_OFFSET, argument, ORDER);
        out.putLong(SimulatedRoom.SEQUENCE_OFFSET, seat.sequence() + 1, ORDER);
        out.putLong(SimulatedRoom.ROOM_OFFSET,
            rooms.isEmpty() ? seat.roomId() : rooms.get(random.nextInt(rooms.size())), ORDER);
        final SendStatus status = client.send(seat, out, 0, SimulatedRoom.REQUEST_LENGTH);
        if (SendStatus.SENT == status)
        {
            watch(seat).sent = seat.sequence();
            watch(seat).sentHere = seat.sequence();
            if (random.nextBoolean())
            {
                client.flush();
            }
        }
    }

    /** Send messages with sequences that were used, and entries for seats that are not here. */
    void lie()
    {
        final List<ClientSeat> seats = new ArrayList<>();
        client.seats().forEach(seats::add);
        if (seats.isEmpty())
        {
            return;
        }
        final ClientSeat seat = seats.get(random.nextInt(seats.size()));
        if (!seat.isPresent())
        {
            // It is accepted if the player has returned before it arrives.
            roomsWithRefusals.add(seat.roomId());
            out.putInt(SimulatedRoom.REQUEST_OFFSET, Request.ANSWER.ordinal(), ORDER);
            out.putLong(SimulatedRoom.SEQUENCE_OFFSET, seat.sequence() + 1, ORDER);
            if (SendStatus.SENT == client.send(seat, out, 0, SimulatedRoom.REQUEST_LENGTH))
            {
                watch(seat).sent = seat.sequence();
            }
            client.leave(seat);
            return;
        }
        final long sequence = seat.sequence();
        if (sequence > 0)
        {
            roomsWithRefusals.add(seat.roomId());
            final ClientSeat liar = LyingSeat.of(seat, random.nextLong(sequence));
            out.putInt(SimulatedRoom.REQUEST_OFFSET, Request.ANSWER.ordinal(), ORDER);
            out.putLong(SimulatedRoom.SEQUENCE_OFFSET, liar.sequence() + 1, ORDER);
            client.send(liar, out, 0, SimulatedRoom.REQUEST_LENGTH);
        }
    }

    /** Once everything has arrived: a seat has seen all of its events, and its room has all of its messages. */
    void check()
    {
        if (!isUp())
        {
            oracle.violated("trunk " + number + " is not up but " + client.state() + ", code " + downCode);
            return;
        }
        for (final ClientSeat seat : presentSeats())
        {
            final SimulatedRooms.RoomState room = oracle.room(seat.roomId());
            final SimulatedRooms.SeatState state = room.seats[seat.index()];
            final Watch watch = watch(seat);
            if (!room.isOpen || !state.isPresent || state.generation != seat.generation())
            {
                oracle.violated(name(seat) + " is present, and in its room it is not");
            }
            else if (state.epoch != watch.epoch || room.events(state.epoch) != watch.number)
            {
                oracle.violated(name(seat) + " has seen " + watch.number + " events of presence " + watch.epoch +
                    ", the room sent " + room.events(state.epoch) + " of " + state.epoch);
            }
            else if (!isComplete(seat, state.lastSequence) && !roomsWithRefusals.contains(seat.roomId()))
            {
                oracle.violated(name(seat) + " sent " + seat.sequence() + ", the room received " + state.lastSequence);
            }
            else if (state.missing > watch.refusedOrLost && !roomsWithRefusals.contains(seat.roomId()))
            {
                oracle.violated(name(seat) + ": " + state.missing + " messages are missing between others, and " +
                    watch.refusedOrLost + " were refused or lost");
            }
        }
        if (0 != client.malformedMessages())
        {
            oracle.violated("trunk " + number + ": malformed messages");
        }
    }

    /** Messages sent before the seat came here may be lost with their connection; later ones are not. */
    private static boolean isComplete(final ClientSeat seat, final long received)
    {
        final long sentHere = watch(seat).sentHere;
        return 0 == sentHere ?
            received >= seat.acceptedSequence() && received <= seat.sequence() : received == sentHere;
    }

    /** Whether a player is here, as the room believes. */
    boolean hasPresent(final long roomId, final int index, final int generation)
    {
        return isUp() && presentSeats().stream().anyMatch((seat) ->
            seat.roomId() == roomId && seat.index() == index && seat.generation() == generation);
    }

    @Override
    public void onUp(final boolean isResumed)
    {
        if (isResumed && isGone)
        {
            oracle.violated("trunk " + number + " ended by a Goodbye, and was resumed");
        }
        trace(isResumed ? 1 : 2, 0);
        downCode = 0;
    }

    @Override
    public void onDown(final int code)
    {
        trace(3, code);
        downCode = code;
        forgetPresence();
    }

    @Override
    public void onDisconnected(final int code)
    {
        trace(4, code);
        forgetPresence();
    }

    @Override
    public void onLogIn(final long id, final int status, final long playerId, final byte[] token)
    {
        trace(5, status);
        if (0 == status)
        {
            if (id != playerId)
            {
                oracle.violated("log-in " + id + " answered for player " + playerId);
            }
            tokenByPlayerMap.put(playerId, token);
        }
    }

    @Override
    public void onJoined(final long id, final ClientSeat seat)
    {
        trace(6, seat.roomId() + seat.index());
        begin(seat);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        trace(7, seat.roomId() + seat.index());
        begin(seat);
    }

    @Override
    public void onSeatAway(final ClientSeat seat, final int reason)
    {
        trace(8, reason);
        if (1 == reason)
        {
            checkComplete(seat, "moved");
        }
        watch(seat).isPresent = false;
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason)
    {
        trace(9, reason);
        checkComplete(seat, "left for reason " + reason);
        watch(seat).isPresent = false;
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        trace(10, code);
        if (code < SimulatedRoom.FIRST_APPLICATION_CODE)
        {
            roomsWithRefusals.add(roomId);
            client.seats().forEach((seat) ->
            {
                if (seat.roomId() == roomId && seat.index() == seatIndex)
                {
                    watch(seat).refusedOrLost++;
                }
            });
        }
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        events++;
        final long stamp = buffer.getLong(
            offset + SimulatedRoom.STAMPS_OFFSET + seat.index() * Long.BYTES, ORDER);
        trace(11, stamp);
        final Watch watch = watch(seat);
        final int epoch = (int)(stamp >>> Integer.SIZE);
        final int event = (int)stamp;
        if (!watch.isPresent)
        {
            oracle.violated(name(seat) + ": an event while it is away");
        }
        else if (0 == watch.number ? 1 != event || epoch <= watch.epoch :
            epoch != watch.epoch || event != watch.number + 1)
        {
            oracle.violated(name(seat) + ": event " + event + " of presence " + epoch + " after event " +
                watch.number + " of presence " + watch.epoch);
        }
        watch.epoch = epoch;
        watch.number = event;
        final long answer = buffer.getLong(offset + SimulatedRoom.ANSWER_OFFSET, ORDER);
        if (0 != answer)
        {
            if (answer <= watch.answered || answer > watch.sent)
            {
                oracle.violated(name(seat) + ": answer to " + answer + " after " + watch.answered + ", sent " +
                    watch.sent);
            }
            watch.answered = answer;
        }
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        final long state = buffer.getLong(offset, ORDER);
        trace(12, state);
        final Watch watch = watch(seat);
        final boolean isApart = isFed && length > SimulatedRoom.STATE_LENGTH;
        final long last = isApart ? watch.longStateNumber : watch.stateNumber;
        if (state <= last)
        {
            oracle.violated(name(seat) + ": state " + state + " after " + last);
        }
        watch.stateNumber = isApart ? watch.stateNumber : state;
        watch.longStateNumber = isApart ? state : watch.longStateNumber;
    }

    private void begin(final ClientSeat seat)
    {
        Watch watch = (Watch)seat.attachment();
        // A new seat has the attachment of the player's last one.
        if (null == watch || watch.seat != seat)
        {
            watch = new Watch(seat);
            seat.attachment(watch);
        }
        watch.isPresent = true;
        watch.number = 0;
        watch.stateNumber = 0;
        watch.longStateNumber = 0;
        watch.sentHere = 0;
        final SimulatedRooms.SeatState state = oracle.room(seat.roomId()).seats[seat.index()];
        final long accepted = seat.acceptedSequence();
        watch.refusedOrLost += seat.sequence() - accepted;
        if (accepted < watch.answered)
        {
            oracle.violated(name(seat) + ": answered up to " + watch.answered + ", and returned with " + accepted);
        }
        if (state.generation == seat.generation() && accepted > state.lastSequence)
        {
            oracle.violated(name(seat) + ": returned with " + accepted + ", its room has " + state.lastSequence);
        }
    }

    private void checkComplete(final ClientSeat seat, final String how)
    {
        final Watch watch = watch(seat);
        if (watch.isPresent && 0 != watch.number &&
            oracle.room(seat.roomId()).events(watch.epoch) != watch.number)
        {
            oracle.violated(name(seat) + ": " + how + " after " + watch.number + " of " +
                oracle.room(seat.roomId()).events(watch.epoch) + " events");
        }
    }

    private void forgetPresence()
    {
        for (final ClientSeat seat : client.seats())
        {
            watch(seat).isPresent = false;
        }
    }

    private List<ClientSeat> presentSeats()
    {
        final List<ClientSeat> seats = new ArrayList<>();
        for (final ClientSeat seat : client.seats())
        {
            if (seat.isPresent())
            {
                seats.add(seat);
            }
        }
        return seats;
    }

    private static Watch watch(final ClientSeat seat)
    {
        return (Watch)seat.attachment();
    }

    private String name(final ClientSeat seat)
    {
        return "trunk " + number + ", seat " + seat.index() + " of room " + seat.roomId();
    }

    private void trace(final int kind, final long value)
    {
        hash = 31 * (31 * (31 * hash + kind) + value) + clock.nanoTime();
    }
}
