package io.escapement.gateway;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The production trunk: a {@link TrunkClient} that reconnects when its connection is lost. */
final class AeronUpstream implements Upstream, TrunkListener
{
    private static final class AeronSeat extends TrunkSeat
    {
        private final ClientSeat seat;

        AeronSeat(final ClientSeat seat)
        {
            this.seat = seat;
        }

        @Override
        long roomId()
        {
            return seat.roomId();
        }

        @Override
        int index()
        {
            return seat.index();
        }

        @Override
        long playerId()
        {
            return seat.playerId();
        }

        @Override
        long sequence()
        {
            return seat.sequence();
        }

        @Override
        boolean isPresent()
        {
            return seat.isPresent();
        }

        @Override
        void skipSequence()
        {
            seat.skipSequence();
        }
    }

    private static final byte[] NO_SESSION = new byte[0];

    private final TrunkClient client;
    private final Listener listener;
    private final List<TrunkSeat> receivers = new ArrayList<>();
    private long sessionRequestId;
    private byte[] session = NO_SESSION;
    /** The client took no message since the last poll. */
    private boolean isBlocked;

    AeronUpstream(final TrunkContext context, final Listener listener)
    {
        this.listener = listener;
        client = TrunkClient.connect(context.listener(this));
    }

    @Override
    public boolean isUp()
    {
        return TrunkClient.State.UP == client.state();
    }

    @Override
    public String failure()
    {
        return client.failure();
    }

    @Override
    public long serverTimeNs()
    {
        return client.serverTimeNs();
    }

    @Override
    public long roundTripNs()
    {
        return client.roundTripNs();
    }

    @Override
    public long feedGaps()
    {
        return client.feedGaps();
    }

    @Override
    public long feedsLeft()
    {
        return client.feedsLeft();
    }

    @Override
    public SendStatus logIn(final long requestId, final byte[] credentials)
    {
        return client.logIn(requestId, credentials);
    }

    @Override
    public SendStatus join(
        final long requestId,
        final long roomId,
        final long playerId,
        final boolean isSpectator,
        final byte[] token,
        final DirectBuffer args,
        final int argsLength)
    {
        return isSpectator ? client.watch(requestId, roomId, playerId, token, args, 0, argsLength) :
            client.join(requestId, roomId, playerId, token, args, 0, argsLength);
    }

    @Override
    public SendStatus cancelJoin(final long requestId, final long roomId, final long playerId)
    {
        return client.cancelJoin(requestId, roomId, playerId);
    }

    @Override
    public SendStatus leave(final TrunkSeat seat, final int code)
    {
        return client.leave(((AeronSeat)seat).seat, code);
    }

    @Override
    public SendStatus send(final TrunkSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isBlocked)
        {
            // A client that is refused again polls, and the sessions expect callbacks in a poll of theirs only.
            return SendStatus.BACK_PRESSURED;
        }
        final SendStatus status = client.send(((AeronSeat)seat).seat, buffer, offset, length);
        isBlocked = SendStatus.BACK_PRESSURED == status;
        return status;
    }

    @Override
    public SendStatus away(final TrunkSeat seat)
    {
        return client.away(((AeronSeat)seat).seat);
    }

    @Override
    public SendStatus stateLost(final TrunkSeat seat)
    {
        return client.stateLost(((AeronSeat)seat).seat);
    }

    @Override
    public void forget(final TrunkSeat seat)
    {
        client.forget(((AeronSeat)seat).seat);
    }

    @Override
    public int poll()
    {
        isBlocked = false;
        return client.poll();
    }

    @Override
    public boolean flush()
    {
        final boolean isAll = client.flush();
        isBlocked &= !isAll;
        return isAll;
    }

    @Override
    public void close()
    {
        client.close();
    }

    @Override
    public void onUp(final boolean isResumed)
    {
        listener.onUp(isResumed);
    }

    @Override
    public void onDown(final int code)
    {
        listener.onDown(code, true);
    }

    @Override
    public void onDisconnected(final int code)
    {
        listener.onDown(code, false);
    }

    @Override
    public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
    {
        listener.onLogIn(requestId, status, playerId, token, requestId == sessionRequestId ? session : NO_SESSION);
    }

    @Override
    public void onSession(final long requestId, final byte[] newSession)
    {
        sessionRequestId = requestId;
        session = newSession;
    }

    @Override
    public void onJoined(
        final long requestId, final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        listener.onJoined(requestId, of(seat), buffer, offset, length);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        listener.onSeatResumed(of(seat));
    }

    @Override
    public void onSeatAway(final ClientSeat seat, final int reason)
    {
        listener.onSeatAway(of(seat), reason);
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason, final int code)
    {
        listener.onLeft(of(seat), reason, code);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        listener.onRefused(templateId, roomId, seatIndex, reference, code);
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
        receivers.clear();
        for (int i = 0; i < seats.size(); i++)
        {
            receivers.add(of(seats.get(i)));
        }
        listener.onRoomMessage(roomId, isState, client.turn(), receivers, buffer, offset, length);
        return false;
    }

    private static AeronSeat of(final ClientSeat seat)
    {
        if (null == seat.attachment())
        {
            seat.attachment(new AeronSeat(seat));
        }
        final AeronSeat known = (AeronSeat)seat.attachment();
        if (known.seat == seat)
        {
            return known;
        }
        // The client handed the attachment of the player's last seat to its new one.
        final AeronSeat moved = new AeronSeat(seat);
        moved.place(known.place());
        seat.attachment(moved);
        return moved;
    }
}
