package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomRandom;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import org.agrona.DirectBuffer;

/**
 * One room as its host sees it: its life, who sits where, and in which order its logic is told.
 *
 * <p>The package-private methods are whole steps that the host takes; each that can call the logic ends with
 * {@link #settle()}, which does what the logic asked for meanwhile: kicks, then the close.
 */
final class RoomInstance
{
    static final int FLUSH_TIMER_ID = -1;
    static final int REFUSALS_TIMER_ID = -2;

    /** Nodes of the wheel beyond a room's timers and seats: the flush, and the refusals. */
    static final int EXTRA_NODES = 2;

    private static final int FIRST_SEAT_TIMER_ID = -3;

    final RoomType type;
    final SeatTable seats;
    final RoomTimers timers;
    final RoomOutput output;
    final RoomRequests requests;
    final RoomRandom random = new RoomRandom(0);
    final RoomLabels labels = new RoomLabels();
    final GroupState[] groups;
    final OutputProxy outputs;
    final GuardedRoom view;
    final RoomLogic logic;
    final LogicInvoker calls;
    final Membership seating;
    final RoomFrames frames;
    int groupCount;
    boolean isLocked;
    boolean hasLostState;
    int refusalsNode = SeatState.NO_NODE;
    int flushNode = SeatState.NO_NODE;
    RoomInstance next;
    RoomInstance previous;

    final RoomHost host;
    private final long roomId;
    private final long ordinal;
    private final int slot;
    private boolean isOpen = true;
    private boolean isClosing;
    private boolean isCloseAsked;
    private boolean needsSettling;
    private boolean isDirty;

    RoomInstance(
        final RoomHost host,
        final RoomType type,
        final long roomId,
        final long ordinal,
        final int slot,
        final RoomLimits limits)
    {
        this.host = host;
        this.type = type;
        this.roomId = roomId;
        this.ordinal = ordinal;
        this.slot = slot;
        outputs = host.outputsOf(type);
        seats = new SeatTable(this, limits.seats());
        timers = new RoomTimers(this, host.wheel, limits.timers());
        output = new RoomOutput(this, seats, limits.output());
        requests = new RoomRequests(limits.requests());
        groups = new GroupState[type.groups()];
        view = new GuardedRoom(this, host);
        logic = FailedLogic.make(type);
        calls = new LogicInvoker(this, logic, host);
        seating = new Membership(this, seats, host);
        frames = new RoomFrames(this, host, calls);
    }

    static int seatTimerId(final int seatIndex)
    {
        return FIRST_SEAT_TIMER_ID - seatIndex;
    }

    long roomId()
    {
        return roomId;
    }

    long ordinal()
    {
        return ordinal;
    }

    int slot()
    {
        return slot;
    }

    boolean isOpen()
    {
        return isOpen;
    }

    RoomLimits limits()
    {
        return host.rooms.limits(slot);
    }

    // Steps that the host takes

    void open(final DirectBuffer args, final int offset, final int length)
    {
        calls.open(args, offset, length);
        settle();
    }

    void closeByCommand()
    {
        close(CloseReason.BY_COMMAND);
        settle();
    }

    int join(
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final int code = seating.join(playerId, requestId, link, args, offset, length);
        settle();
        return code;
    }

    int leave(final int seatIndex, final int generation, final int link)
    {
        final SeatState seat = seats.at(seatIndex);
        final int code = seating.check(seat, generation, link);
        if (RefusalCode.NONE.value() == code)
        {
            seating.leave(seat, LeaveReason.LEFT);
            settle();
        }
        return code;
    }

    int kick(final long playerId)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null == seat || !seat.isTaken())
        {
            return RefusalCode.NOT_JOINED.value();
        }

        seating.leave(seat, LeaveReason.KICKED);
        settle();
        return RefusalCode.NONE.value();
    }

    int message(
        final int seatIndex,
        final int generation,
        final int link,
        final long sequence,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final SeatState seat = seats.at(seatIndex);
        final int code = seating.check(seat, generation, link);
        if (RefusalCode.NONE.value() != code)
        {
            return code;
        }
        if (sequence <= seat.lastSequence)
        {
            return RefusalCode.OLD_SEQUENCE.value();
        }

        seat.lastSequence = sequence;
        calls.message(seat, buffer, offset, length);
        settle();
        return code;
    }

    void signal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        calls.signal(fromRoomId, buffer, offset, length);
        settle();
    }

    int reply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!requests.answered(correlationId))
        {
            return RefusalCode.STALE_REPLY.value();
        }

        calls.reply(correlationId, status, buffer, offset, length);
        settle();
        return RefusalCode.NONE.value();
    }

    /** Signals are not kept as open requests, so the refusal of one is taken by its number alone. */
    int refusal(final long correlationId, final int code)
    {
        if (!requests.answered(correlationId) && (correlationId <= 0 || correlationId > requests.last()))
        {
            return RefusalCode.STALE_REPLY.value();
        }

        calls.reply(correlationId, code, host.scratch, 0, 0);
        settle();
        return RefusalCode.NONE.value();
    }

    int stateLost(final int seatIndex, final int generation)
    {
        final SeatState seat = seats.at(seatIndex);
        if (null == seat || seat.generation != generation || SeatState.PRESENT != seat.state)
        {
            return RefusalCode.STALE_SEAT.value();
        }

        stateLost(seat);
        return RefusalCode.NONE.value();
    }

    void stateLost(final SeatState seat)
    {
        calls.stateLost(seat);
        settle();
    }

    void drain(final long deadlineNs)
    {
        calls.drain(deadlineNs);
        settle();
    }

    void directory(final DirectoryEntry entry)
    {
        calls.directory(entry);
        settle();
    }

    void execute(final RoomTask task)
    {
        calls.task(task);
        settle();
    }

    void linkLost(final SeatState seat)
    {
        seating.away(seat, AwayReason.LINK_DOWN);
        settle();
    }

    void linkResumed(final SeatState seat, final int link)
    {
        flush();
        seating.back(seat, link);
        outputs.resumed(link, roomId, seat);
        calls.back(seat);
        settle();
    }

    void timerDue(final int id, final long deadlineNs)
    {
        if (id >= 0)
        {
            timers.fire(id, host.nowNs(), deadlineNs);
        }
        else if (FLUSH_TIMER_ID == id)
        {
            flushNode = SeatState.NO_NODE;
            flushAndTell();
        }
        else if (REFUSALS_TIMER_ID == id)
        {
            refusalsNode = SeatState.NO_NODE;
            tellRefusals();
        }
        else
        {
            seating.timerDue(seats.at(FIRST_SEAT_TIMER_ID - id));
        }
        settle();
    }

    /** Put out what waits; then tell the logic whose state had no room, and put out what it says to that. */
    void flushAndTell()
    {
        flush();
        if (hasLostState)
        {
            hasLostState = false;
            for (int i = 0; i < seats.limit() && isOpen; i++)
            {
                final SeatState seat = seats.at(i);
                if (seat.hasLostState)
                {
                    seat.hasLostState = false;
                    if (SeatState.PRESENT == seat.state)
                    {
                        calls.stateLost(seat);
                    }
                }
            }
            flush();
        }
        isDirty = false;
        settle();
    }

    // What CachePrefetcher reads, a link of the chain at a time

    long lookAhead()
    {
        return roomId + (isDirty ? 1 : 0) + (null == host ? 1 : 0);
    }

    long lookAheadParts()
    {
        return calls.lookAhead() + output.lookAhead() + view.lookAhead() + seating.lookAhead() + seats.limit();
    }

    long lookAheadSeat(final int seatIndex)
    {
        final SeatState seat = seats.at(seatIndex);
        return output.lookAheadBytes() + (null == seat ? 0 : seat.lastSequence + seat.index);
    }

    // What the room's view asks for

    boolean isCloseAsked()
    {
        return isCloseAsked;
    }

    void needsSettling()
    {
        host.isUnsettled = true;
        needsSettling = true;
    }

    void askClose()
    {
        isCloseAsked = true;
        needsSettling();
    }

    void sent()
    {
        if (isDirty)
        {
            return;
        }

        isDirty = true;
        if (RoomType.Flush.INTERVAL == type.flush())
        {
            flushNode = host.wheel.schedule(
                host.deadlineIn(type.flushIntervalNs()), host.nowNs(), slot, FLUSH_TIMER_ID);
        }
        else if (RoomType.Flush.TURN == type.flush() || 0 == frames.rateHz())
        {
            host.dirty(this);
        }
    }

    void overLimit(final int outputClass, final int audience, final long selector)
    {
        host.countRefusal(RefusalCode.OUTPUT_LIMIT.value());
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (SeatState.PRESENT == seat.state && isIn(audience, selector, seat))
            {
                if (Outputs.EVENT == outputClass)
                {
                    seat.hasLostEvent = true;
                    needsSettling();
                }
                else
                {
                    seat.hasLostState = true;
                    hasLostState = true;
                }
            }
        }
    }

    void refusedHere(final long correlationId, final int code)
    {
        host.countRefusal(code);
        requests.refused(correlationId, code);
        if (SeatState.NO_NODE == refusalsNode)
        {
            refusalsNode = host.wheel.schedule(host.nowNs(), host.nowNs(), slot, REFUSALS_TIMER_ID);
        }
    }

    boolean isDirty()
    {
        return isDirty;
    }

    void restoredNode(final int id, final int node)
    {
        if (id >= 0)
        {
            timers.restoredNode(id, node);
        }
        else if (FLUSH_TIMER_ID == id)
        {
            flushNode = node;
        }
        else if (REFUSALS_TIMER_ID == id)
        {
            refusalsNode = node;
        }
        else
        {
            seats.at(FIRST_SEAT_TIMER_ID - id).node = node;
        }
    }

    /** After everything else of the room was read from a snapshot. */
    void restored(final boolean wasDirty)
    {
        isDirty = wasDirty;
    }

    /** The logic threw, or the log says that it did: the room ends here, and only its players are told. */
    void fail(final Throwable cause)
    {
        if (isOpen)
        {
            flush();
            for (int i = 0; i < seats.limit(); i++)
            {
                final SeatState seat = seats.at(i);
                if (SeatState.FREE != seat.state && SeatState.RESERVED != seat.state && host.links.isUp(seat.link))
                {
                    outputs.left(seat.link, roomId, seat, LeaveReason.ROOM_FAILED);
                }
            }
            host.listener.onRoomFailed(roomId, type.id(), calls.count(), cause);
            finish();
        }
    }

    void settle()
    {
        host.isUnsettled = false;
        while (needsSettling && isOpen)
        {
            needsSettling = false;
            for (int i = 0; i < seats.limit() && isOpen; i++)
            {
                final SeatState seat = seats.at(i);
                if (seat.isKicked && seat.isTaken())
                {
                    seat.isKicked = false;
                    seating.leave(seat, LeaveReason.KICKED);
                }
                else if (seat.hasLostEvent)
                {
                    seat.hasLostEvent = false;
                    seating.away(seat, AwayReason.EVENT_LOST);
                }
            }
            if (isCloseAsked && isOpen)
            {
                close(CloseReason.BY_LOGIC);
            }
        }
    }

    private void tellRefusals()
    {
        // Those that the answers to these bring on are told in a later turn.
        final int count = requests.refusedCount();
        for (int i = 0; i < count && isOpen; i++)
        {
            calls.reply(requests.refusedId(i), requests.refusedCode(i), host.scratch, 0, 0);
        }
        requests.dropRefusals(count);
    }

    private void close(final CloseReason reason)
    {
        if (isClosing)
        {
            return;
        }

        isClosing = true;
        for (int i = 0; i < seats.limit() && isOpen; i++)
        {
            final SeatState seat = seats.at(i);
            if (seat.isTaken())
            {
                seating.leave(seat, LeaveReason.ROOM_CLOSED);
            }
        }
        if (isOpen)
        {
            calls.close(reason);
        }
        if (isOpen)
        {
            flush();
            finish();
        }
    }

    private void finish()
    {
        isOpen = false;
        timers.cancelAll();
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (SeatState.FREE != seat.state)
            {
                seating.cancelTimer(seat);
                host.links.remove(seat);
            }
        }
        if (SeatState.NO_NODE != refusalsNode)
        {
            host.wheel.cancel(refusalsNode);
        }
        frames.stop();
        outputs.roomClosed(roomId);
        host.closed(this);
    }

    void flush()
    {
        if (SeatState.NO_NODE != flushNode)
        {
            host.wheel.cancel(flushNode);
            flushNode = SeatState.NO_NODE;
            isDirty = false;
        }
        if (!output.isEmpty())
        {
            output.flush(outputs.outputs());
        }
    }

    private static boolean isIn(final int audience, final long selector, final SeatState seat)
    {
        return switch (audience)
        {
            case Outputs.ALL -> true;
            case Outputs.ALL_EXCEPT -> seat.index != (int)selector;
            case Outputs.MASK -> 0 != (selector & (1L << seat.index));
            default -> seat.index == (int)selector;
        };
    }
}
