package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomRandom;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;

/**
 * One open room: its parts, and the steps that its host takes with it. Its status and its frames are part of the same
 * object, because each object of a room is another cache miss.
 *
 * <p>Each step that can call the logic finishes with {@link #settle()}. It carries out the requests of the callback:
 * kicks first, then the close.
 */
final class RoomInstance extends RoomFrames
{
    private static final int NONE = 0;
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();

    /** Those of the table: a message finds its seat here, with one cache miss less. */
    private final SeatState[] seatByIndex;
    final LogicInvoker invoker;
    final SeatTable seats;
    final RoomOutput output;
    final GuardedRoom view;
    final Membership membership;
    final RoomTimers timers;
    final RoomRequests requests;
    private RoomGroups groups = RoomGroups.NONE;
    private RoomLabels labels = RoomLabels.NONE;
    final RoomRandom random = new RoomRandom(0);
    private boolean needsSettling;
    private RoomInstance next;
    private RoomInstance previous;

    RoomInstance(final RoomIdentity identity, final RoomServices services)
    {
        super(identity, services);
        seats = new SeatTable(identity, services.links);
        seatByIndex = seats.byIndex();
        output = new RoomOutput(identity, seats, services, this);
        view = new GuardedRoom(this, identity, services);
        invoker = new LogicInvoker(identity, view, output, services, this);
        timers = new RoomTimers(this);
        requests = new RoomRequests(identity, services);
        membership = new Membership(this);
    }

    @Override
    RoomInstance room()
    {
        return this;
    }

    RoomGroups groups()
    {
        return groups;
    }

    /** The groups, to add a group. */
    RoomGroups newGroups()
    {
        groups = RoomGroups.NONE == groups ? new RoomGroups(identity, services.guard) : groups;
        return groups;
    }

    RoomLabels labels()
    {
        return labels;
    }

    /** The labels, to set a label. */
    RoomLabels newLabels()
    {
        labels = RoomLabels.NONE == labels ? new RoomLabels() : labels;
        return labels;
    }

    boolean needsSettling()
    {
        return needsSettling;
    }

    // The list of open rooms

    RoomInstance next()
    {
        return next;
    }

    void appendTo(final RoomInstance last)
    {
        previous = last;
        if (null != last)
        {
            last.next = this;
        }
    }

    RoomInstance previous()
    {
        return previous;
    }

    /** Leave the list, and keep no other room reachable. */
    void unlink()
    {
        if (null != previous)
        {
            previous.next = next;
        }
        if (null != next)
        {
            next.previous = previous;
        }
        next = null;
        previous = null;
    }

    // Steps that the host takes

    void open(final long byRoomId, final DirectBuffer args, final int offset, final int length)
    {
        openingFor(byRoomId);
        invoker.open(args, offset, length);
        openingFor(0);
        settle();
        if (isOpen())
        {
            membership.updateEmptyTimer();
        }
    }

    void closeByCommand(final int code)
    {
        if (NONE != code)
        {
            closeLater(code);
        }
        close(CloseReason.BY_COMMAND);
        settle();
    }

    /** Returns 0 for a join that was accepted or waits, otherwise the code of the refusal. */
    int join(
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final int refusal = stopWatching(playerId);
        if (NONE != refusal)
        {
            return refusal;
        }
        final SeatState known = seats.ofPlayer(playerId);
        if (null != known && known.isJoining())
        {
            if (known.link() == link)
            {
                return RefusalCode.JOIN_WAITS.value();
            }
            endJoin(known, RefusalCode.JOIN_CANCELLED.value());
            if (!isOpen())
            {
                return UNKNOWN_ROOM;
            }
        }

        final SeatState seat = seats.ofPlayer(playerId);
        final boolean isReturn = null != seat && seat.isTaken();
        int code = isReturn ?
            membership.prepareReturn(seat, link) : membership.request(seat, playerId, link, args, offset, length);
        if (RoomLogic.LATER == code)
        {
            code = membership.joins.begin(playerId, requestId, link);
            settle();
            return code;
        }
        // Kicks and a close that the logic requested are done before the player takes a seat.
        settle();
        if (NONE == code)
        {
            code = !isOpen() ? UNKNOWN_ROOM : isReturn ?
                membership.returnTo(seat, playerId, requestId, link) : membership.sit(playerId, requestId, link);
            settle();
        }
        return code;
    }

    /** A player wants to watch, or returns to its spectator seat. Returns 0 or the code of the refusal. */
    int watch(
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        int code = RefusalCode.ALREADY_JOINED.value();
        if (null == seat)
        {
            code = membership.requestToWatch(playerId, args, offset, length);
        }
        else if (seat.isSpectator())
        {
            code = membership.prepareReturn(seat, link);
        }
        settle();
        if (NONE == code)
        {
            code = !isOpen() ? UNKNOWN_ROOM : null == seat ?
                membership.sitToWatch(playerId, requestId, link) :
                membership.returnTo(seat, playerId, requestId, link);
            settle();
        }
        return code;
    }

    /**
     * A player who may be a spectator wants to play. A spectator who is away leaves, any other spectator must leave
     * first.
     */
    private int stopWatching(final long playerId)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null == seat || !seat.isSpectator())
        {
            return NONE;
        }
        if (!seat.isAway())
        {
            return RefusalCode.ALREADY_JOINED.value();
        }
        membership.leave(seat, LeaveReason.LEFT);
        settle();
        return isOpen() ? NONE : UNKNOWN_ROOM;
    }

    /** A player withdraws a join that waits. Returns 0, or the code of the refusal. */
    int cancelJoin(final long playerId, final long requestId, final int link)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null == seat || !seat.isJoining() || seat.link() != link ||
            !membership.joins.isRequest(seat, requestId))
        {
            return RefusalCode.NOT_JOINED.value();
        }
        endJoin(seat, RefusalCode.JOIN_CANCELLED.value());
        return NONE;
    }

    private void endJoin(final SeatState seat, final int code)
    {
        membership.joins.end(seat, code);
        settle();
    }

    int leave(final int seatIndex, final int generation, final int link, final int withCode)
    {
        final SeatState seat = seatAt(seatIndex);
        final int code = check(seat, generation, link);
        if (NONE == code)
        {
            membership.leave(seat, LeaveReason.LEFT, withCode);
            settle();
        }
        return code;
    }

    /** Reserve a seat for a command. {@link RoomCommands#RELEASE} releases a reservation. */
    int reserve(final long playerId, final long ttlNs)
    {
        final int code =
            RoomCommands.RELEASE == ttlNs ? membership.release(playerId) : membership.reserve(playerId, ttlNs);
        membership.publishOccupancy();
        return code;
    }

    int kick(final long playerId, final int code)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null == seat || !seat.isTaken())
        {
            return RefusalCode.NOT_JOINED.value();
        }

        membership.leave(seat, LeaveReason.KICKED, code);
        settle();
        return NONE;
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
        final SeatState seat = seatAt(seatIndex);
        final int refusal = check(seat, generation, link);
        if (NONE != refusal)
        {
            return refusal;
        }
        if (seat.isSpectator())
        {
            return RefusalCode.SPECTATOR.value();
        }
        if (sequence <= seat.lastSequence())
        {
            return RefusalCode.OLD_SEQUENCE.value();
        }

        seat.accept(sequence);
        invoker.message(seat, buffer, offset, length);
        settle();
        services.listener().onAccepted(link, roomId(), seatIndex, generation, sequence);
        return NONE;
    }

    private SeatState seatAt(final int index)
    {
        return SeatTable.at(seatByIndex, index);
    }

    /** Whether a seat of a command is present through its link. Returns 0, or the code of the refusal. */
    private static int check(final SeatState seat, final int generation, final int link)
    {
        if (null == seat || seat.generation() != generation || seat.isFree() || seat.isJoining())
        {
            return RefusalCode.STALE_SEAT.value();
        }
        if (seat.link() != link)
        {
            return RefusalCode.FOREIGN_SEAT.value();
        }
        return (seat.isPresent() ? RefusalCode.NONE : RefusalCode.SEAT_AWAY).value();
    }

    void signal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        invoker.signal(fromRoomId, buffer, offset, length);
        settle();
    }

    /** Returns 0 for a question that the logic has, otherwise the code of the refusal. */
    int ask(
        final long fromRoomId,
        final long correlationId,
        final long timeoutNs,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final RoomQuestions questions = requests.questions;
        final int refusal = questions.refusal();
        if (NONE == refusal)
        {
            final long askId = questions.add(fromRoomId, correlationId, timeoutNs);
            if (!invoker.ask(askId, fromRoomId, buffer, offset, length))
            {
                questions.refuse(askId, RefusalCode.ROOM_FAILED);
            }
            settle();
        }
        return refusal;
    }

    int reply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!requests.remove(correlationId))
        {
            return RefusalCode.STALE_REPLY.value();
        }

        invoker.reply(correlationId, status, buffer, offset, length);
        settle();
        return NONE;
    }

    /** Signals are not kept as open requests. Therefore the number of a signal is enough to accept its refusal. */
    int refusal(final long correlationId, final int code)
    {
        if (!requests.remove(correlationId) && (correlationId <= 0 || correlationId > requests.last()))
        {
            return RefusalCode.STALE_REPLY.value();
        }

        invoker.reply(correlationId, code, services.scratch, 0, 0);
        settle();
        return NONE;
    }

    int stateLost(final int seatIndex, final int generation)
    {
        final SeatState seat = seatAt(seatIndex);
        if (null == seat || seat.generation() != generation || !seat.isPresent())
        {
            return RefusalCode.STALE_SEAT.value();
        }

        stateLost(seat);
        return NONE;
    }

    /** A trunk dropped a state on its way to a seat of the trunk. */
    int stateLostByLink(final int seatIndex, final int generation, final int link)
    {
        final SeatState seat = seatAt(seatIndex);
        final int code = check(seat, generation, link);
        if (NONE == code)
        {
            stateLost(seat);
        }
        return code;
    }

    void stateLost(final SeatState seat)
    {
        countLostState();
        invoker.stateLost(seat);
        settle();
    }

    void drain(final long deadlineNs)
    {
        SeatState joining = membership.joins.first();
        while (null != joining && isOpen())
        {
            endJoin(joining, RefusalCode.DRAINING.value());
            joining = membership.joins.first();
        }
        if (isOpen())
        {
            invoker.drain(deadlineNs);
            settle();
        }
    }

    void directory(final DirectoryEntry entry)
    {
        invoker.directory(entry);
        settle();
    }

    void execute(final RoomTask task)
    {
        invoker.task(task);
        settle();
    }

    void linkLost(final SeatState seat)
    {
        if (seat.isJoining())
        {
            membership.joins.end(seat, RefusalCode.UNKNOWN_LINK.value());
        }
        else
        {
            membership.away(seat, AwayReason.LINK_DOWN);
        }
        settle();
    }

    void linkResumed(final SeatState seat, final int link)
    {
        if (seat.isAwayAlone())
        {
            membership.follow(seat, link);
            return;
        }
        membership.resume(seat, link);
        settle();
    }

    int seatDown(final int seatIndex, final int generation, final int link)
    {
        final SeatState seat = seatAt(seatIndex);
        final int code = check(seat, generation, link);
        if (NONE == code)
        {
            membership.awayAlone(seat);
            settle();
        }
        return code;
    }

    void timerDue(final int id, final long deadlineNs)
    {
        if (id >= 0)
        {
            timers.fire(id, deadlineNs);
        }
        else
        {
            EngineTimer.of(id).due(this, id);
        }
        settle();
    }

    /** The room is out of the host's list of rooms to flush. */
    void flushFromList()
    {
        output.unlist();
        flushAndNotify();
    }

    /** Flush the output, notify the logic of states without space, and flush its response. */
    void flushAndNotify()
    {
        final boolean hadLostState = output.beginNotify();
        output.flush();
        if (hadLostState)
        {
            int i = seats.nextMarked(SeatMarks.LOST_STATE, SeatMarks.LOST_STATE, 0);
            while (i >= 0 && isOpen())
            {
                seats.mark(SeatMarks.LOST_STATE, i, false);
                if (seats.at(i).isPresent())
                {
                    stateLost(seats.at(i));
                }
                i = seats.nextMarked(SeatMarks.LOST_STATE, SeatMarks.LOST_STATE, i + 1);
            }
            output.flush();
        }
        if (isOpen())
        {
            output.endNotify();
        }
        settle();
    }

    void settle()
    {
        services.unsettled(false);
        while (needsSettling && isOpen())
        {
            settleRequests();
        }
    }

    // Requests of the room's logic

    void kick(final SeatState seat, final int code)
    {
        if (seat.isTaken())
        {
            seat.kick(code);
            requestSettling();
        }
    }

    /** Admit the player of a waiting join. False if the join does not wait for a decision. */
    boolean admit(final long joinId, final DirectBuffer answer, final int offset, final int length)
    {
        requestSettling();
        return membership.joins.admit(joinId, answer, offset, length);
    }

    boolean refuse(final long joinId, final int code)
    {
        requestSettling();
        return membership.joins.refuse(joinId, code);
    }

    int reserveFromLogic(final long playerId, final long ttlNs)
    {
        requestSettling();
        return membership.reserve(playerId, ttlNs);
    }

    boolean releaseFromLogic(final long playerId)
    {
        requestSettling();
        return NONE == membership.release(playerId);
    }

    void requestClose(final int code)
    {
        closeLater(code);
        requestSettling();
    }

    /** A message had no space: receivers of an event go away and return to a full state, others lost a state. */
    void overLimit(final int outputClass, final int audience, final long selector)
    {
        services.refusals.counted(RefusalCode.OUTPUT_LIMIT.value());
        final boolean isEvent = Outputs.EVENT == outputClass;
        if (seats.markPresent(isEvent ? SeatMarks.LOST_EVENT : SeatMarks.LOST_STATE, audience, selector))
        {
            if (isEvent)
            {
                output.onEventLost();
                requestSettling();
            }
            else
            {
                output.onStateLost();
            }
        }
    }

    void restoredNode(final int id, final int node)
    {
        if (id >= 0)
        {
            timers.restoredNode(id, node);
        }
        else
        {
            EngineTimer.of(id).restored(this, id, node);
        }
    }

    /** Fail this callback, as the log says. */
    void failAt(final long callback)
    {
        leaveStep();
        invoker.failAt(callback);
    }

    private void requestSettling()
    {
        services.unsettled(true);
        needsSettling = true;
    }

    private void settleRequests()
    {
        needsSettling = false;
        membership.publishOccupancy();
        int i = seats.nextMarked(SeatMarks.KICKED, SeatMarks.LOST_EVENT, 0);
        while (i >= 0 && isOpen())
        {
            // A callback below may lose events to any seat.
            output.putLosersAway();
            final SeatState seat = seats.at(i);
            if (seat.isTaken() && seats.takeMark(SeatMarks.KICKED, i))
            {
                membership.leave(seat, LeaveReason.KICKED, seat.leaveCode());
            }
            else if (seats.takeMark(SeatMarks.LOST_EVENT, i))
            {
                membership.notifyAway(seat);
            }
            i = seats.nextMarked(SeatMarks.KICKED, SeatMarks.LOST_EVENT, i + 1);
        }
        if (isCloseRequested() && isOpen())
        {
            close(CloseReason.BY_LOGIC);
        }
        else if (isOpen())
        {
            // The logic may have requested kicks in it. They precede the next decision.
            needsSettling |= membership.joins.settleNext();
        }
    }

    void close(final CloseReason reason)
    {
        final int code = closeCode();
        membership.joins.close(NONE == code ? UNKNOWN_ROOM : code);
        for (int i = 0; i < seats.limit() && isOpen(); i++)
        {
            final SeatState seat = seats.at(i);
            if (seat.isTaken())
            {
                membership.leave(seat, LeaveReason.ROOM_CLOSED, closeCode());
            }
        }
        if (isOpen())
        {
            invoker.close(reason);
        }
        if (isOpen())
        {
            // No player is left for the output of onClose.
            end(RefusalCode.ROOM_CLOSED);
        }
    }

    /** Close without a callback, because the logic threw or the log says that it did. */
    void fail(final long callback, final Throwable cause)
    {
        if (!isOpen())
        {
            return;
        }
        output.flush();
        membership.joins.close(RefusalCode.ROOM_FAILED.value());
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (!seat.isFree() && !seat.isReserved() && services.links.isUp(seat.link()))
            {
                services.proxy.left(seat.link(), roomId(), seat, LeaveReason.ROOM_FAILED, NONE);
            }
        }
        services.listener().onRoomFailed(roomId(), type().id(), callback, cause);
        end(RefusalCode.ROOM_FAILED);
    }

    /** Return the host's resources that the room has. */
    private void end(final RefusalCode toAskers)
    {
        closed();
        timers.cancelAll();
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (!seat.isFree())
            {
                membership.cancelTimer(seat);
                services.links.remove(seat);
            }
        }
        membership.cancelEmptyTimer();
        requests.cancelTimer();
        requests.questions.refuseAll(toAskers);
        output.cancelTimer();
        stopFrames();
        services.logics.remove(invoker.logic());
        services.loop.roomClosed(openerRoomId(), correlationId());
        services.proxy.roomClosed(roomId());
        services.host.onClosed(identity);
    }

    /** Notify the logic of requests that the room refused. */
    void notifyRefusals()
    {
        // Refusals of requests that these callbacks make are reported later.
        final int count = requests.refusedCount();
        for (int i = 0; i < count && isOpen(); i++)
        {
            invoker.reply(requests.refusedId(i), requests.refusedCode(i), services.scratch, 0, 0);
            settle();
        }
        requests.dropRefusals(count);
    }
}
