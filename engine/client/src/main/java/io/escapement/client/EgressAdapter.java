package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkDispatcher;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/** Decodes the batches of loop streams, keeps the seats, and delivers a room's message to the seats of its audience. */
final class EgressAdapter extends TrunkDispatcher
{
    private static final int NONE = RefusalCode.NONE.value();
    /** Send has a seat's index in an unsigned short, so a higher one could not speak. It also bounds the table. */
    private static final int MAX_SEAT_INDEX = SendDecoder.MessagesDecoder.seatIndexMaxValue();
    /** Ordinal of the engine's {@code AwayReason.LINK_DOWN}. */
    private static final int LINK_DOWN = 0;
    /** Ordinal of the engine's {@code AwayReason.MOVED}. */
    private static final int MOVED = 1;

    private final ClientSeats seats;
    private final TrunkListener listener;
    /** Null if the trunk does not connect again. */
    private final Rejoin rejoin;
    /** Null if messages are not sent again. */
    private final Resends resends;
    private final NanoClock clock;
    private final RoomMessage message = new RoomMessage();
    private long malformed;
    /** Not read: without it the reads could be optimised away. */
    private int prefetched;

    EgressAdapter(
        final ClientSeats seats,
        final TrunkListener listener,
        final Rejoin rejoin,
        final Resends resends,
        final NanoClock clock)
    {
        this.seats = seats;
        this.listener = listener;
        this.rejoin = rejoin;
        this.resends = resends;
        this.clock = clock;
    }

    /** Messages that were dropped as malformed, each with the rest of its batch, or as unexpected. */
    long malformed()
    {
        return malformed;
    }

    /** Whether the engine is to report what it accepted. */
    boolean isAcceptedWanted()
    {
        return null != resends;
    }

    /** The engine refused an entry, on any of the streams. */
    void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        if (null != resends && SendDecoder.TEMPLATE_ID == templateId && hasRun(roomId, seatIndex, reference, code))
        {
            return;
        }
        if (null == rejoin || JoinDecoder.TEMPLATE_ID != templateId ||
            !rejoin.onRefused(reference, code, clock.nanoTime()))
        {
            listener.onRefused(templateId, roomId, seatIndex, reference, code);
        }
    }

    private boolean hasRun(final long roomId, final int seatIndex, final long sequence, final int code)
    {
        final RoomSeats members = seats.of(roomId);
        final ClientSeat seat = null == members ? null : members.find(seatIndex);
        return null != seat && resends.onRefused(seat, sequence, code);
    }

    /** The stream of a loop is gone, and with it the presence of the seats there. */
    void onLoopLost(final int loop)
    {
        for (final ClientSeat seat : seats.all())
        {
            if (seat.loop() == loop && seat.isPresent())
            {
                away(seat);
                listener.onSeatAway(seat, LINK_DOWN);
            }
        }
    }

    /** Handle what the stream of a loop brought. */
    void onBatch(final int loop, final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        prefetched += prefetch(loop, buffer, offset, end);
        int at = offset;
        while (at < end && !TrunkMessages.isPadding(buffer, at, end))
        {
            final int size = RoomMessage.isAt(buffer, at, end) ?
                onRoomMessage(loop, buffer, at, end) : onMessage(buffer, at, end);
            if (size < 0)
            {
                malformed++;
                return;
            }
            at += size;
        }
    }

    /** Returns the length of the entry, or the complement of a refusal code. */
    private int onMessage(final DirectBuffer buffer, final int at, final int end)
    {
        final int length = TrunkMessages.entryLength(buffer, at, end);
        if (length >= 0)
        {
            dispatch(buffer, at + TrunkMessages.ENTRY_HEADER_LENGTH);
        }
        return length < 0 ? length : TrunkMessages.ENTRY_HEADER_LENGTH + length;
    }

    private int onRoomMessage(final int loop, final DirectBuffer buffer, final int at, final int end)
    {
        final int size = message.wrap(buffer, at, end);
        if (size >= 0)
        {
            onRoomMessage(TrunkMessages.roomId(loop, message.number()), message.isState(), message.audience(),
                message.selector(), buffer, message.payloadOffset(), message.payloadLength());
        }
        return size;
    }

    /**
     * Read the seats of all rooms that a batch is for, so that their cache misses overlap. A trunk may have seats in
     * thousands of rooms, and a batch is for other rooms than the last.
     */
    private int prefetch(final int loop, final DirectBuffer buffer, final int offset, final int end)
    {
        int read = 0;
        int at = offset;
        while (end - at >= RoomMessage.MIN_HEADER_LENGTH && !TrunkMessages.isPadding(buffer, at, end))
        {
            if (RoomMessage.isAt(buffer, at, end))
            {
                read += seats.prefetch(TrunkMessages.roomId(loop, RoomMessage.numberAt(buffer, at)));
            }
            at += RoomMessage.entrySize(buffer, at);
        }
        return read;
    }

    /** A message that does not belong on this stream. */
    @Override
    protected int refused(final int templateId)
    {
        malformed++;
        return NONE;
    }

    @Override
    protected int onRefused(final RefusedDecoder refused)
    {
        onRefused(refused.templateId(), refused.roomId(), refused.seatIndex(), refused.reference(), refused.code());
        return NONE;
    }

    @Override
    protected int onAccepted(final AcceptedDecoder accepted)
    {
        final ClientSeat seat = seats.find(accepted.roomId(), accepted.seatIndex(), accepted.generation());
        if (null != seat && null != resends && seat.accepted(accepted.sequence()))
        {
            resends.onAccepted(seat);
            listener.onAccepted(seat);
        }
        return NONE;
    }

    /** The connection of a seat to its room is gone. */
    void away(final ClientSeat seat)
    {
        seat.away();
        if (null != resends)
        {
            resends.onAway(seat);
        }
    }

    private void present(final ClientSeat seat, final long sequence)
    {
        final long before = seat.acceptedSequence();
        seat.present(sequence);
        if (null != resends)
        {
            resends.onPresent(seat, before);
        }
    }

    private void onRoomMessage(
        final long roomId,
        final boolean isState,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!listener.onRoomMessage(roomId, isState, audience, selector, buffer, offset, length))
        {
            return;
        }
        final RoomSeats members = seats.of(roomId);
        if (RoomMessage.ONE == audience)
        {
            final ClientSeat seat = null == members ? null : members.find((int)selector);
            if (null != seat && (seat.generation() & RoomMessage.GENERATION_MASK) == selector >>> Integer.SIZE)
            {
                deliver(seat, isState, buffer, offset, length);
            }
            return;
        }
        for (int i = 0; null != members && i < members.size(); i++)
        {
            final ClientSeat seat = members.at(i);
            if (seat.isPresent() && (isState || !seat.isSpectator()) && isFor(audience, selector, seat.index()))
            {
                deliver(seat, isState, buffer, offset, length);
            }
        }
    }

    private static boolean isFor(final int audience, final long selector, final int index)
    {
        return switch (audience)
        {
            case RoomMessage.ALL -> true;
            case RoomMessage.ALL_EXCEPT -> index != selector;
            case RoomMessage.MASK -> index < Long.SIZE && 0 != (selector & (1L << index));
            default -> false;
        };
    }

    private void deliver(
        final ClientSeat seat, final boolean isState, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isState)
        {
            listener.onState(seat, buffer, offset, length);
        }
        else
        {
            listener.onEvent(seat, buffer, offset, length);
        }
    }

    @Override
    protected int onJoined(final JoinedDecoder joined)
    {
        if (isOutOfRange(joined.seatIndex()))
        {
            malformed++;
            return NONE;
        }
        final long roomId = joined.roomId();
        final ClientSeat seat = seats.findOrAdd(
            roomId, TrunkMessages.loopOf(roomId), joined.seatIndex(), joined.generation(), joined.playerId(),
            0 != joined.isSpectator());
        present(seat, joined.sequence());
        if (null != rejoin)
        {
            rejoin.onJoined(joined.requestId(), seat);
        }
        final int answerLength = joined.answerLength();
        listener.onJoined(joined.requestId(), seat, joined.buffer(),
            joined.limit() + (0 == answerLength ? 0 : JoinedDecoder.answerHeaderLength()), answerLength);
        return NONE;
    }

    @Override
    protected int onSeatResumed(final SeatResumedDecoder seatResumed)
    {
        if (isOutOfRange(seatResumed.seatIndex()))
        {
            malformed++;
            return NONE;
        }
        final long roomId = seatResumed.roomId();
        final ClientSeat seat = seats.findOrAdd(roomId, TrunkMessages.loopOf(roomId), seatResumed.seatIndex(),
            seatResumed.generation(), seatResumed.playerId(), 0 != seatResumed.isSpectator());
        present(seat, seatResumed.sequence());
        listener.onSeatResumed(seat);
        return NONE;
    }

    private static boolean isOutOfRange(final int seatIndex)
    {
        return seatIndex < 0 || seatIndex > MAX_SEAT_INDEX;
    }

    @Override
    protected int onSeatAway(final SeatAwayDecoder seatAway)
    {
        final ClientSeat seat = seats.find(seatAway.roomId(), seatAway.seatIndex(), seatAway.generation());
        if (null != seat)
        {
            away(seat);
            if (null != resends && MOVED == seatAway.reason())
            {
                // The player goes on elsewhere, with numbers above these.
                resends.onGone(seat);
            }
            listener.onSeatAway(seat, seatAway.reason());
        }
        return NONE;
    }

    @Override
    protected int onLeft(final LeftDecoder left)
    {
        final ClientSeat seat = seats.find(left.roomId(), left.seatIndex(), left.generation());
        if (null != seat)
        {
            seat.away();
            seats.remove(seat);
            listener.onLeft(seat, left.reason(), left.code());
        }
        return NONE;
    }
}
