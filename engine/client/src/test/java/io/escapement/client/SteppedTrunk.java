package io.escapement.client;

import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.client.TrunkClient.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A client on an in-memory transport and a test clock, stepped by hand. Callbacks are recorded as text. */
final class SteppedTrunk implements TrunkListener
{
    static final byte[] SECRET = "a secret of 16 b".getBytes(StandardCharsets.US_ASCII);
    static final byte[] IDENTITY = "gateway-7".getBytes(StandardCharsets.US_ASCII);
    static final int CONTROL = 7_000;
    static final int LOOPS = 3;
    /** Streams of a group are by member and stream. */
    static final int STREAMS_PER_MEMBER = 100_000;
    static final long STEP_NS = 200_000;
    static final UnsafeBuffer PAYLOAD = new UnsafeBuffer(new byte[1_024]);
    static final byte[] NO_TOKEN = {};

    final CachedNanoClock clock = new CachedNanoClock();
    final TreeMap<Integer, FakeStream> streamByNumberMap = new TreeMap<>();
    /** Every subscription to a feed, the last one last. */
    final List<FakeFeed> feeds = new ArrayList<>();
    final List<String> callbacks = new ArrayList<>();
    final List<ClientSeat> seats = new ArrayList<>();
    final TrunkClient client;
    /** Streams that the client opened. */
    int opened;
    boolean isDelivered = true;
    boolean isDriverDown;

    SteppedTrunk()
    {
        this((context) -> context);
    }

    SteppedTrunk(final ResumeTicket ticket)
    {
        this((context) -> context.ticket(ticket));
    }

    SteppedTrunk(final UnaryOperator<TrunkContext> options)
    {
        // Times around the sign change of a long: nanoTime() may start anywhere.
        clock.update(Long.MAX_VALUE - 1_000_000_000);
        client = TrunkClient.connect(options.apply(new TrunkContext().streams(new Streams()).clock(clock)
            .listener(this).secret(SECRET).identity(new String(IDENTITY, StandardCharsets.US_ASCII))
            .applicationVersion(5)));
    }

    private final class Streams implements TrunkStream.Factory
    {
        @Override
        public TrunkStream open(final int member, final int streamId, final FragmentHandler handler)
        {
            if (isDriverDown)
            {
                throw new AeronException("Aeron client is closed");
            }
            final FakeStream stream = new FakeStream(handler);
            streamByNumberMap.put(member * STREAMS_PER_MEMBER + streamId, stream);
            opened++;
            return stream;
        }

        @Override
        public FeedStream openFeed(
            final String group, final int sessionId, final int streamId, final FragmentHandler handler)
        {
            feeds.add(new FakeFeed(group, sessionId, streamId, handler));
            return feeds.get(feeds.size() - 1);
        }
    }

    static SteppedTrunk in(final State state)
    {
        final SteppedTrunk trunk = new SteppedTrunk();
        trunk.advanceTo(state);
        return trunk;
    }

    /** A trunk that is up, with its stream to loop 0 attached and these seats in room 1, indexes from 0. */
    static SteppedTrunk withSeats(final int count)
    {
        final SteppedTrunk trunk = in(State.UP);
        trunk.attach(0);
        for (int i = 0; i < count; i++)
        {
            trunk.loop(0).deliver(Messages.joined(i, 1, i, 1));
        }
        trunk.step();
        assertEquals(count, trunk.seats.size());
        trunk.callbacks.clear();
        return trunk;
    }

    void advanceTo(final State state)
    {
        if (State.CONNECTING == state)
        {
            return;
        }
        control().isConnected = true;
        step();
        control().hasImage = true;
        if (state.ordinal() >= State.PROVEN.ordinal())
        {
            control().deliver(Messages.challenge());
            step();
        }
        if (state.ordinal() >= State.UP.ordinal())
        {
            control().deliver(Messages.welcome(LOOPS, false));
            step();
        }
        if (State.DOWN == state)
        {
            client.close();
        }
        assertEquals(state, client.state());
        callbacks.clear();
        streamByNumberMap.values().forEach(FakeStream::takeSent);
    }

    void attach(final int loop)
    {
        assertEquals(SendStatus.SENT, join(loop));
        loop(loop).isConnected = true;
        loop(loop).hasImage = true;
        step();
        control().deliver(Messages.attached(loop));
        step();
        step();
        loop(loop).takeSent();
    }

    SendStatus join(final int loop)
    {
        return client.join(1, ((long)loop << 54) + 1, 2, NO_TOKEN, PAYLOAD, 0, 0);
    }

    SendStatus send(final ClientSeat seat, final int length)
    {
        return client.send(seat, PAYLOAD, 0, length);
    }

    FakeStream control()
    {
        return streamByNumberMap.get(CONTROL);
    }

    FakeStream loop(final int loop)
    {
        return streamByNumberMap.get(CONTROL + 1 + loop);
    }

    /** The control stream to a member of a group. */
    FakeStream controlOf(final int member)
    {
        return streamByNumberMap.get(member * STREAMS_PER_MEMBER + CONTROL);
    }

    FakeStream loopOf(final int member, final int loop)
    {
        return streamByNumberMap.get(member * STREAMS_PER_MEMBER + CONTROL + 1 + loop);
    }

    /** One duty cycle of the control stream. */
    int step()
    {
        return step(STEP_NS);
    }

    int step(final long ns)
    {
        clock.advance(ns);
        return client.poll();
    }

    List<String> takeCallbacks()
    {
        final List<String> taken = new ArrayList<>(callbacks);
        callbacks.clear();
        return taken;
    }

    @Override
    public void onUp(final boolean isResumed)
    {
        callbacks.add("up " + (isResumed ? "resumed" : "new"));
    }

    @Override
    public void onDown(final int code)
    {
        callbacks.add("down " + code);
    }

    @Override
    public void onDisconnected(final int code)
    {
        callbacks.add("disconnected " + code);
    }

    @Override
    public void onSession(final long requestId, final byte[] session)
    {
        callbacks.add("session " + requestId + " " + Arrays.toString(session));
    }

    @Override
    public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
        callbacks.add("logIn " + requestId + " " + status + " " + playerId + " " + Arrays.toString(token));
    }

    @Override
    public void onJoined(
        final long requestId, final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        seats.add(seat);
        callbacks.add("joined " + requestId + " " + name(seat) +
            (0 == length ? "" : " " + buffer.getStringWithoutLengthAscii(offset, length)));
    }

    @Override
    public void onAccepted(final ClientSeat seat)
    {
        callbacks.add("accepted " + name(seat) + " " + seat.acceptedSequence());
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        seats.add(seat);
        callbacks.add("seatResumed " + name(seat) + " after " + seat.sequence());
    }

    @Override
    public void onSeatAway(final ClientSeat seat, final int reason)
    {
        callbacks.add("seatAway " + name(seat) + " " + reason);
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason)
    {
        callbacks.add("left " + name(seat) + " " + reason);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        callbacks.add("refused " + templateId + " " + roomId + " " + seatIndex + " " + reference + " " + code);
    }

    @Override
    public boolean onRoomMessage(
        final long roomId,
        final boolean isState,
        final List<ClientSeat> seats,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!isDelivered)
        {
            final String indexes = seats.stream().map(ClientSeat::index).map(String::valueOf).collect(joining(" "));
            callbacks.add("room " + roomId + " seats " + indexes + " " + text(buffer, offset, length));
        }
        return isDelivered;
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        callbacks.add("event " + name(seat) + " " + text(buffer, offset, length));
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        callbacks.add("state " + name(seat) + " " + text(buffer, offset, length));
    }

    private static String name(final ClientSeat seat)
    {
        return seat.roomId() + "/" + seat.index() + "." + seat.generation();
    }

    private static String text(final DirectBuffer buffer, final int offset, final int length)
    {
        return buffer.getStringWithoutLengthAscii(offset, length);
    }
}
