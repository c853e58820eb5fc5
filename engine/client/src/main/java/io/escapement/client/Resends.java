package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Resends kept messages when their seats are present again, before any newer message of the seat: the engine refuses a
 * number that is not above the last number.
 */
final class Resends
{
    /** Sends a message with its number on the present connection. */
    interface Sender
    {
        SendStatus send(ClientSeat seat, long sequence, DirectBuffer buffer, int offset, int length);
    }

    /**
     * Bytes that may be resent before the engine has accepted them. Without a limit the engine would answer all of a
     * backlog at once, which is more than it keeps for a trunk.
     */
    static final int WINDOW = 32 * 1_024;

    private final Resender kept;
    private final Sender sender;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[TrunkMessages.MAX_PAYLOAD_LENGTH]);
    /** Seats with messages to resend. */
    private final ArrayList<ClientSeat> pending = new ArrayList<>();

    Resends(final Resender kept, final Sender sender)
    {
        this.kept = kept;
        this.sender = sender;
    }

    Resender kept()
    {
        return kept;
    }

    boolean isPending()
    {
        return !pending.isEmpty();
    }

    /** Send a new message and keep it. Messages that must be resent go first. */
    SendStatus send(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!seat.isPresent())
        {
            // After its return older messages go first.
            return SendStatus.NOT_READY;
        }
        if (seat.isResending() && !resend(seat))
        {
            return SendStatus.BACK_PRESSURED;
        }
        if (!kept.hasRoom(length))
        {
            return SendStatus.RESEND_FULL;
        }
        final long sequence = seat.sequence() + 1;
        final SendStatus status = sender.send(seat, sequence, buffer, offset, length);
        if (SendStatus.SENT == status)
        {
            seat.skipSequence();
            kept.keep(seat, sequence, buffer, offset, length);
        }
        return status;
    }

    /**
     * A seat is present again.
     *
     * @param seat             with the sequence that the engine has accepted.
     * @param acceptedSequence that it named before.
     */
    void onPresent(final ClientSeat seat, final long acceptedSequence)
    {
        if (seat.acceptedSequence() < acceptedSequence)
        {
            // An engine that lost accepted messages, or another room with the same id.
            kept.forget(seat);
        }
        kept.accepted(seat, seat.acceptedSequence());
        if (Resender.NONE != seat.firstKept())
        {
            if (!seat.isResending())
            {
                pending.add(seat);
            }
            seat.isResending(true);
            resend(seat);
        }
    }

    /** A seat is away: messages resent on its stream are lost. */
    void onAway(final ClientSeat seat)
    {
        kept.away(seat);
    }

    void onAccepted(final ClientSeat seat)
    {
        kept.accepted(seat, seat.acceptedSequence());
    }

    /**
     * A message was refused, and is not resent.
     *
     * @return whether it had run before it was resent. Then its refusal does not count.
     */
    boolean onRefused(final ClientSeat seat, final long sequence, final int code)
    {
        kept.refused(seat, sequence);
        return RefusalCode.OLD_SEQUENCE.value() == code && sequence <= seat.resentSequence();
    }

    /** A seat was freed, or its player moved to another trunk. */
    void onGone(final ClientSeat seat)
    {
        kept.forget(seat);
    }

    /** Resend the messages of a seat as far as the window and the engine allow. Returns whether all are sent. */
    boolean resend(final ClientSeat seat)
    {
        int next = kept.nextAbove(seat, seat.resentSequence());
        while (Resender.NONE != next)
        {
            if (kept.inFlight() >= WINDOW)
            {
                return false;
            }
            kept.copy(next, message);
            final long sequence = kept.sequence(next);
            if (SendStatus.SENT != sender.send(seat, sequence, message, 0, kept.length(next)))
            {
                return false;
            }
            seat.resent(sequence);
            kept.inFlight(next);
            next = kept.next(next);
        }
        seat.isResending(false);
        return true;
    }

    /** Continue where the engine did not take more. */
    void advance()
    {
        for (int i = pending.size() - 1; i >= 0; i--)
        {
            final ClientSeat seat = pending.get(i);
            if (!seat.isResending() || resend(seat))
            {
                pending.remove(i);
            }
        }
    }
}
