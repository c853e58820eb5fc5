package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.StateDecoder;
import org.agrona.DirectBuffer;

/** What comes on loop streams, bytes to calls, and a room's message to the seats that it is for. */
final class Delivery implements FragmentHandler
{
    private final ClientSeats seats;
    private final TrunkListener listener;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final EventDecoder event = new EventDecoder();
    private final StateDecoder state = new StateDecoder();
    private final JoinedDecoder joined = new JoinedDecoder();
    private final SeatResumedDecoder seatResumed = new SeatResumedDecoder();
    private final SeatAwayDecoder seatAway = new SeatAwayDecoder();
    private final LeftDecoder left = new LeftDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private long malformed;

    Delivery(final ClientSeats seats, final TrunkListener listener)
    {
        this.seats = seats;
        this.listener = listener;
    }

    /** Frames of which the rest could not be read. */
    long malformed()
    {
        return malformed;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header frame)
    {
        final int end = offset + length;
        int at = offset;
        while (at < end)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, end);
            if (entryLength < 0)
            {
                malformed++;
                return;
            }
            onMessage(buffer, at + TrunkMessages.ENTRY_HEADER_LENGTH);
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset)
    {
        switch (SchemaRules.templateId(buffer, offset))
        {
            case EventDecoder.TEMPLATE_ID ->
            {
                event.wrapAndApplyHeader(buffer, offset, header);
                onRoomMessage(event.roomId(), false, event.audience(), event.selector(), buffer,
                    event.limit() + EventDecoder.payloadHeaderLength(), event.payloadLength());
            }
            case StateDecoder.TEMPLATE_ID ->
            {
                state.wrapAndApplyHeader(buffer, offset, header);
                onRoomMessage(state.roomId(), true, state.audience(), state.selector(), buffer,
                    state.limit() + StateDecoder.payloadHeaderLength(), state.payloadLength());
            }
            case JoinedDecoder.TEMPLATE_ID -> onJoined(buffer, offset);
            case SeatResumedDecoder.TEMPLATE_ID -> onSeatResumed(buffer, offset);
            case SeatAwayDecoder.TEMPLATE_ID -> onSeatAway(buffer, offset);
            case LeftDecoder.TEMPLATE_ID -> onLeft(buffer, offset);
            case RefusedDecoder.TEMPLATE_ID ->
            {
                refused.wrapAndApplyHeader(buffer, offset, header);
                listener.onRefused(refused.templateId(), refused.roomId(), refused.reference(), refused.code());
            }
            default -> malformed++;
        }
    }

    private void onRoomMessage(
        final long roomId,
        final boolean isState,
        final Audience audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!listener.onRoomMessage(roomId, isState, audience.value(), selector, buffer, offset, length))
        {
            return;
        }
        if (Audience.ONE == audience)
        {
            final ClientSeat seat = seats.find(roomId, (int)selector, (int)(selector >>> 32));
            if (null != seat)
            {
                deliver(seat, isState, buffer, offset, length);
            }
            return;
        }
        final ClientSeat[] members = seats.of(roomId);
        for (int i = 0; i < members.length; i++)
        {
            final ClientSeat seat = members[i];
            if (null != seat && seat.isPresent && isFor(audience, selector, i))
            {
                deliver(seat, isState, buffer, offset, length);
            }
        }
    }

    private static boolean isFor(final Audience audience, final long selector, final int index)
    {
        return switch (audience)
        {
            case ALL -> true;
            case ALL_EXCEPT -> index != selector;
            case MASK -> index < Long.SIZE && 0 != (selector & (1L << index));
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

    private void onJoined(final DirectBuffer buffer, final int offset)
    {
        joined.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = joined.roomId();
        final ClientSeat seat = seats.findOrAdd(
            roomId, TrunkMessages.loopOf(roomId), joined.seatIndex(), joined.generation(), joined.playerId());
        seat.sequence = joined.sequence();
        seat.isPresent = true;
        listener.onJoined(joined.requestId(), seat);
    }

    private void onSeatResumed(final DirectBuffer buffer, final int offset)
    {
        seatResumed.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = seatResumed.roomId();
        // Another process had the seat, perhaps: then the player is not known here.
        final ClientSeat seat = seats.findOrAdd(
            roomId, TrunkMessages.loopOf(roomId), seatResumed.seatIndex(), seatResumed.generation(), 0);
        seat.sequence = seatResumed.sequence();
        seat.isPresent = true;
        listener.onSeatResumed(seat);
    }

    private void onSeatAway(final DirectBuffer buffer, final int offset)
    {
        seatAway.wrapAndApplyHeader(buffer, offset, header);
        final ClientSeat seat = seats.find(seatAway.roomId(), seatAway.seatIndex(), seatAway.generation());
        if (null != seat)
        {
            seat.isPresent = false;
            listener.onSeatAway(seat, seatAway.reason());
        }
    }

    private void onLeft(final DirectBuffer buffer, final int offset)
    {
        left.wrapAndApplyHeader(buffer, offset, header);
        final ClientSeat seat = seats.find(left.roomId(), left.seatIndex(), left.generation());
        if (null != seat)
        {
            seat.isPresent = false;
            seats.remove(seat);
            listener.onLeft(seat, left.reason());
        }
    }
}
