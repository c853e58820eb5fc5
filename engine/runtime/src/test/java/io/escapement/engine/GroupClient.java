package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.simulator.SimulatedClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A player that stands by at every node of a group, sends again what was not accepted, and writes a history. */
final class GroupClient implements TrunkListener, AutoCloseable
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RESEND_LENGTH = 64 * 1_024;

    private final long player;
    private final History history;
    private final SimulatedClock clock;
    private final TrunkClient client;
    private final List<ClientSeat> seats = new ArrayList<>();
    private final Set<Long> requested = new HashSet<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[HistoryRoom.MESSAGE_LENGTH]);

    GroupClient(
        final long player,
        final SimulatedHost host,
        final SimulatedClock clock,
        final List<SimulatedMember> members,
        final History history)
    {
        this.player = player;
        this.history = history;
        this.clock = clock;
        final TrunkContext context = new TrunkContext()
            .aeron(host.aeron())
            .identity("player " + player)
            .secret(TestTrunk.SECRET)
            .clock(clock)
            .termLength(64 * 1_024)
            .connectTimeoutNs(3_000 * MS)
            .reconnect(20 * MS, 100 * MS)
            .resendLength(RESEND_LENGTH)
            .listener(this);
        members.forEach((member) -> context.member(member.ingress(), member.response()));
        client = TrunkClient.connect(context);
    }

    void poll()
    {
        client.poll();
    }

    /** Join each room once. Returns whether all seats are there. */
    boolean join(final Collection<Long> rooms)
    {
        for (final long roomId : rooms)
        {
            if (!requested.contains(roomId) && SendStatus.SENT == client.join(
                1 + requested.size(), roomId, player, TestTrunk.NO_TOKEN, message, 0, 0))
            {
                requested.add(roomId);
            }
        }
        return seats.size() == rooms.size();
    }

    void send(final SplittableRandom random)
    {
        final ClientSeat seat = seats.get(random.nextInt(seats.size()));
        if (!seat.isPresent())
        {
            return;
        }
        final long number = seat.sequence() + 1;
        message.putLong(0, player);
        message.putLong(8, number);
        if (SendStatus.SENT == client.send(seat, message, 0, HistoryRoom.MESSAGE_LENGTH))
        {
            history.invoke(player, seat.roomId(), number, clock.nanoTime());
        }
    }

    /** The seats with messages that are not accepted. */
    List<String> missing()
    {
        return seats.stream().filter((seat) -> seat.acceptedSequence() != seat.sequence()).map((seat) ->
            "player " + player + ", room " + seat.roomId() + ": accepted " + seat.acceptedSequence() + " of " +
            seat.sequence() + ", " + client.state()).toList();
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        if (!seats.contains(seat))
        {
            seats.add(seat);
        }
        onAccepted(seat);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        onAccepted(seat);
    }

    @Override
    public void onAccepted(final ClientSeat seat)
    {
        history.accept(player, seat.roomId(), seat.acceptedSequence());
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        history.answer(buffer.getLong(offset), seat.roomId(), buffer.getLong(offset + 8),
            buffer.getLong(offset + 16), clock.nanoTime());
    }

    @Override
    public void close()
    {
        client.close();
    }
}
