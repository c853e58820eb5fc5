package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomRandom;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The room that its logic uses. Every method first checks that it is called inside a callback of the room. It is also
 * the audience of all its seats.
 */
final class GuardedRoom implements Room, Audience
{
    private static final int MASK_SEATS = Long.SIZE;

    private final RoomInstance room;
    private final RoomIdentity identity;
    private final RoomServices services;
    private final ThreadGuard guard;
    /** Of the last claim, if no mask can express the group. */
    private GroupState claimGroup;

    GuardedRoom(final RoomInstance room, final RoomIdentity identity, final RoomServices services)
    {
        this.room = room;
        this.identity = identity;
        this.services = services;
        guard = services.guard;
    }

    /** Whether the last claim was for a group that no mask can express. */
    boolean hasGroupClaim()
    {
        return null != claimGroup;
    }

    private void check()
    {
        guard.check(identity);
    }

    private void checkActing()
    {
        guard.checkActing(identity);
    }

    @Override
    public long roomId()
    {
        check();
        return identity.roomId();
    }

    @Override
    public long openerRoomId()
    {
        check();
        return room.openingFor();
    }

    @Override
    public long nowNs()
    {
        check();
        return services.time.nowNs();
    }

    @Override
    public long epochMs()
    {
        check();
        return services.time.epochMs();
    }

    @Override
    public long frame()
    {
        check();
        return room.frame();
    }

    @Override
    public long missedFrames()
    {
        check();
        return room.missedFrames();
    }

    @Override
    public RoomRandom random()
    {
        check();
        return room.random;
    }

    @Override
    public System.Logger logger()
    {
        check();
        return services.logger;
    }

    @Override
    public void count(final int counterId, final long delta)
    {
        checkActing();
        services.listener().onCount(identity.roomId(), counterId, delta);
    }

    @Override
    public int seatLimit()
    {
        check();
        return identity.limits().seats();
    }

    @Override
    public int seatsTaken()
    {
        check();
        return room.seats.taken();
    }

    @Override
    public int seatsPresent()
    {
        check();
        return room.seats.countMarked(SeatMarks.PRESENT);
    }

    @Override
    public Seat nextPresent(final int fromIndex)
    {
        check();
        final int index = room.seats.nextMarked(SeatMarks.PRESENT, SeatMarks.PRESENT, Math.max(0, fromIndex));
        return index < 0 ? null : room.seats.at(index);
    }

    @Override
    public int spectatorLimit()
    {
        check();
        return identity.limits().spectators();
    }

    @Override
    public int spectators()
    {
        check();
        return room.seats.watching();
    }

    @Override
    public Seat nextSpectator(final int fromIndex)
    {
        check();
        final int index = room.seats.nextMarked(SeatMarks.WATCHING, SeatMarks.WATCHING, Math.max(0, fromIndex));
        return index < 0 ? null : room.seats.at(index);
    }

    @Override
    public int seatsReserved()
    {
        check();
        return room.seats.reserved();
    }

    @Override
    public boolean isReserved(final long playerId)
    {
        check();
        final SeatState seat = room.seats.ofPlayer(playerId);
        return null != seat && seat.isKept();
    }

    @Override
    public Seat seat(final int index)
    {
        check();
        final SeatState seat = room.seats.at(index);
        return null != seat && seat.isTaken() ? seat : null;
    }

    @Override
    public Seat seat(final int index, final int generation)
    {
        final Seat seat = seat(index);
        return null != seat && seat.generation() == generation ? seat : null;
    }

    @Override
    public Seat seatOf(final long playerId)
    {
        check();
        final SeatState seat = room.seats.ofPlayer(playerId);
        return null != seat && seat.isTaken() ? seat : null;
    }

    @Override
    public Seat nextReserved(final int fromIndex)
    {
        check();
        final int index = room.seats.nextMarked(SeatMarks.RESERVED, SeatMarks.RESERVED, Math.max(0, fromIndex));
        return index < 0 ? null : room.seats.at(index);
    }

    @Override
    public int reserve(final long playerId, final long ttlNs)
    {
        checkActing();
        checkTtl(ttlNs);
        final int code = room.reserveFromLogic(playerId, ttlNs);
        return 0 == code ? 0 : services.refusals.counted(code);
    }

    @Override
    public boolean release(final long playerId)
    {
        checkActing();
        return room.releaseFromLogic(playerId);
    }

    @Override
    public MutableDirectBuffer data(final Seat seat)
    {
        final MutableDirectBuffer data = room.seats.data(ownSeat(seat).index());
        if (null == data)
        {
            throw new IllegalStateException(identity.type() + ": its seats have no data, set RoomType.seatData");
        }
        return data;
    }

    @Override
    public void kick(final Seat seat)
    {
        checkActing();
        room.kick(ownSeat(seat), 0);
    }

    @Override
    public void kick(final Seat seat, final int code)
    {
        checkActing();
        room.kick(ownSeat(seat), Codes.checkApplication(code));
    }

    @Override
    public boolean admit(final long joinId)
    {
        return admit(joinId, services.scratch, 0, 0);
    }

    @Override
    public boolean admit(final long joinId, final DirectBuffer answer, final int offset, final int length)
    {
        checkActing();
        JoinRequestView.checkAnswer(length);
        return room.admit(joinId, answer, offset, length);
    }

    @Override
    public boolean refuse(final long joinId, final int code)
    {
        checkActing();
        checkRefusal(code);
        return room.refuse(joinId, code);
    }

    @Override
    public int joinsWaiting()
    {
        check();
        return room.membership.joins.count();
    }

    @Override
    public long joinOf(final long playerId)
    {
        check();
        final SeatState seat = room.seats.ofPlayer(playerId);
        return null != seat && seat.isJoining() ? room.membership.joins.idOf(seat) : NO_JOIN;
    }

    @Override
    public void refuse(final Seat seat, final int code)
    {
        checkActing();
        final SeatState state = ownSeat(seat);
        checkRefusal(code);
        services.refusals.counted(code);
        if (state.isPresent())
        {
            checkAccepted(services.control.refuse(identity.roomId(), state, code));
        }
    }

    @Override
    public void lock(final boolean locked)
    {
        checkActing();
        room.lock(locked);
    }

    @Override
    public void closeWhenEmpty(final long delayNs)
    {
        checkActing();
        if (delayNs <= 0 && RoomType.NEVER != delayNs)
        {
            throw new IllegalArgumentException("delayNs must be above 0, or NEVER: " + delayNs);
        }
        room.membership.closeWhenEmpty(delayNs);
    }

    @Override
    public void close()
    {
        checkActing();
        room.requestClose(0);
    }

    @Override
    public void close(final int code)
    {
        checkActing();
        room.requestClose(Codes.checkApplication(code));
    }

    @Override
    public long after(final long delayNs, final int kind, final long tag)
    {
        checkActing();
        return countIfRefused(room.timers.set(deadlineIn(delayNs), 0, kind, tag));
    }

    @Override
    public long every(final long periodNs, final int kind, final long tag)
    {
        checkActing();
        if (periodNs <= 0)
        {
            throw new IllegalArgumentException("a period must be above 0: " + periodNs);
        }
        return countIfRefused(room.timers.set(deadlineIn(periodNs), periodNs, kind, tag));
    }

    @Override
    public long everyFrames(final int frames, final int kind, final long tag)
    {
        checkActing();
        if (frames <= 0)
        {
            throw new IllegalArgumentException("a number of frames must be above 0: " + frames);
        }
        return countIfRefused(room.timers.setFrames(room.frame() + frames, frames, kind, tag));
    }

    @Override
    public long after(final long delayNs, final RoomTask task)
    {
        checkEphemeral();
        final long handle = after(delayNs, 0, 0);
        room.timers.task(handle, task);
        return handle;
    }

    @Override
    public long nextFrame(final RoomTask task)
    {
        checkEphemeral();
        final long handle = countIfRefused(room.timers.setFrames(room.frame() + 1, 0, 0, 0));
        room.timers.task(handle, task);
        return handle;
    }

    @Override
    public boolean cancel(final long handle)
    {
        checkActing();
        return room.timers.cancel(handle);
    }

    @Override
    public boolean reschedule(final long handle, final long delayNs)
    {
        checkActing();
        return room.timers.reschedule(handle, deadlineIn(delayNs));
    }

    @Override
    public boolean isSet(final long handle)
    {
        check();
        return room.timers.isSet(handle);
    }

    @Override
    public long remainingNs(final long handle)
    {
        check();
        return room.timers.remainingNs(handle);
    }

    @Override
    public int cancelAll()
    {
        checkActing();
        return room.timers.cancelAll();
    }

    @Override
    public void frameRate(final int hz)
    {
        checkActing();
        if (hz < 0 || hz > Frames.MAX_RATE_HZ)
        {
            throw new IllegalArgumentException("a frame rate must be 0 to " + Frames.MAX_RATE_HZ + ": " + hz);
        }
        room.requestRate(hz);
    }

    @Override
    public Audience everyone()
    {
        check();
        return this;
    }

    @Override
    public Audience everyoneBut(final Seat except)
    {
        return room.seats.everyoneBut(ownSeat(except));
    }

    @Override
    public void sendEvent(final Audience audience, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        send(Outputs.EVENT, audience, buffer, offset, length);
    }

    @Override
    public void sendState(final Audience audience, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        send(Outputs.STATE, audience, buffer, offset, length);
    }

    @Override
    public MutableDirectBuffer claimEvent(final Audience audience, final int maxLength)
    {
        checkActing();
        return claim(Outputs.EVENT, audience, maxLength);
    }

    @Override
    public MutableDirectBuffer claimState(final Audience audience, final int maxLength)
    {
        checkActing();
        return claim(Outputs.STATE, audience, maxLength);
    }

    @Override
    public void commit(final int length)
    {
        checkActing();
        final RoomOutput output = room.output;
        if (output.commit(length))
        {
            if (length > 0)
            {
                output.sent();
            }
            return;
        }

        if (null != claimGroup)
        {
            sendToEach(output.claimClass(), claimGroup, services.scratch, 0, length);
            return;
        }
        if (output.isClaimOverLimit())
        {
            room.overLimit(output.claimClass(), output.claimAudience(), output.claimSelector());
        }
    }

    /**
     * The four kinds of audience are final classes. Therefore this is a chain of type checks without a virtual call.
     */
    private void send(
        final int outputClass,
        final Audience audience,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (audience instanceof SeatState)
        {
            sendTo(outputClass, receiver(outputClass, (SeatState)audience), buffer, offset, length);
        }
        else if (this == audience)
        {
            append(outputClass, Outputs.ALL, 0, buffer, offset, length);
        }
        else if (audience instanceof EveryoneBut)
        {
            append(outputClass, Outputs.ALL_EXCEPT, except(audience), buffer, offset, length);
        }
        else
        {
            sendTo(outputClass, ownGroup(audience), buffer, offset, length);
        }
    }

    private MutableDirectBuffer claim(final int outputClass, final Audience audience, final int maxLength)
    {
        if (audience instanceof SeatState)
        {
            final SeatState seat = receiver(outputClass, (SeatState)audience);
            return claim(outputClass, Outputs.ONE, seat.selector(), maxLength, seat.isPresent());
        }
        if (this == audience)
        {
            return claim(outputClass, Outputs.ALL, 0, maxLength, true);
        }
        if (audience instanceof EveryoneBut)
        {
            return claim(outputClass, Outputs.ALL_EXCEPT, except(audience), maxLength, true);
        }
        return claimFor(outputClass, ownGroup(audience), maxLength);
    }

    private int except(final Audience audience)
    {
        return room.seats.own(((EveryoneBut)audience).except()).index();
    }

    private GroupState ownGroup(final Audience audience)
    {
        if (!(audience instanceof GroupState) || !((GroupState)audience).belongsTo(identity))
        {
            throw new IllegalArgumentException(null == audience ?
                "the audience is null" : "the audience belongs to another room: " + audience);
        }
        return (GroupState)audience;
    }

    private SeatState receiver(final int outputClass, final SeatState seat)
    {
        if (Outputs.EVENT == outputClass && seat.isSpectator())
        {
            throw new IllegalArgumentException(seat + " is a spectator's, which gets no events: send it state");
        }
        return room.seats.own(seat);
    }

    /** The seats of a group that get messages of a class. */
    private long mask(final int outputClass, final GroupState group)
    {
        final int players = identity.limits().seats();
        return Outputs.EVENT == outputClass && players < MASK_SEATS ?
            group.mask() & ((1L << players) - 1) : group.mask();
    }

    private void append(
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (room.output.append(outputClass, audience, selector, buffer, offset, length))
        {
            room.output.sent();
        }
        else
        {
            room.overLimit(outputClass, audience, selector);
        }
    }

    private void sendTo(
        final int outputClass, final SeatState seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (seat.isPresent())
        {
            append(outputClass, Outputs.ONE, seat.selector(), buffer, offset, length);
        }
    }

    private void sendTo(
        final int outputClass, final GroupState group, final DirectBuffer buffer, final int offset, final int length)
    {
        if (room.seats.limit() <= MASK_SEATS)
        {
            append(outputClass, Outputs.MASK, mask(outputClass, group), buffer, offset, length);
        }
        else
        {
            sendToEach(outputClass, group, buffer, offset, length);
        }
    }

    private void sendToEach(
        final int outputClass, final GroupState group, final DirectBuffer buffer, final int offset, final int length)
    {
        final int limit = Outputs.EVENT == outputClass ? identity.limits().seats() : room.seats.limit();
        for (int i = 0; i < limit; i++)
        {
            if (group.has(i))
            {
                sendTo(outputClass, room.seats.at(i), buffer, offset, length);
            }
        }
    }

    private MutableDirectBuffer claimFor(final int outputClass, final GroupState group, final int maxLength)
    {
        final boolean isMask = room.seats.limit() <= MASK_SEATS;
        final MutableDirectBuffer buffer = claim(
            outputClass, Outputs.MASK, isMask ? mask(outputClass, group) : 0, maxLength, isMask);
        claimGroup = isMask ? null : group;
        return buffer;
    }

    private MutableDirectBuffer claim(
        final int outputClass, final int audience, final long selector, final int maxLength, final boolean isKept)
    {
        claimGroup = null;
        return room.output.claim(outputClass, audience, selector, maxLength, isKept);
    }

    @Override
    public SeatGroup newGroup()
    {
        checkActing();
        return room.newGroups().add();
    }

    @Override
    public SeatGroup group(final int index)
    {
        check();
        return room.groups().at(index);
    }

    @Override
    public int requestsLeft()
    {
        check();
        return room.requests.left();
    }

    @Override
    public long signal(final long toRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        checkRequestLength(length, MAX_REQUEST_LENGTH);
        final long id = nextRequest();
        if (NO_REQUEST != id && !services.control.signal(identity.roomId(), id, toRoomId, buffer, offset, length))
        {
            room.requests.refuse(id, RefusalCode.OUTPUT_LIMIT.value());
        }
        return id;
    }

    @Override
    public long ask(
        final long toRoomId, final long timeoutNs, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        checkRequestLength(length, MAX_REQUEST_LENGTH);
        if (timeoutNs <= 0)
        {
            throw new IllegalArgumentException("timeoutNs must be above 0: " + timeoutNs);
        }
        final long id = nextRequest();
        return mayRequest(id) ? requested(id,
            services.control.ask(identity.roomId(), id, toRoomId, timeoutNs, buffer, offset, length)) : id;
    }

    @Override
    public boolean answer(
        final long askId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        checkRequestLength(length, MAX_REQUEST_LENGTH);
        if (0 != status)
        {
            Codes.checkApplication(status);
        }
        return room.requests.questions.answer(askId, status, buffer, offset, length);
    }

    @Override
    public long async(
        final int serviceId, final long orderKey, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        checkRequestLength(length, MAX_REQUEST_LENGTH);
        final long id = nextRequest();
        return mayRequest(id) ? requested(id,
            services.control.async(identity.roomId(), id, serviceId, orderKey, buffer, offset, length)) : id;
    }

    @Override
    public long openRoom(final int typeId, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        checkRequestLength(length, RoomCommands.MAX_OPEN_ARGS_LENGTH);
        final long id = nextRequest();
        return mayRequest(id) ?
            requested(id, services.control.openRoom(identity.roomId(), id, typeId, buffer, offset, length)) : id;
    }

    @Override
    public long reserve(final long inRoomId, final long playerId, final long ttlNs)
    {
        checkActing();
        checkTtl(ttlNs);
        return requestSeat(inRoomId, playerId, ttlNs);
    }

    @Override
    public long release(final long inRoomId, final long playerId)
    {
        checkActing();
        return requestSeat(inRoomId, playerId, RoomCommands.RELEASE);
    }

    private long requestSeat(final long inRoomId, final long playerId, final long ttlNs)
    {
        final long id = nextRequest();
        return mayRequest(id) ?
            requested(id, services.control.reserve(identity.roomId(), id, inRoomId, playerId, ttlNs)) : id;
    }

    @Override
    public void label(final int key, final DirectBuffer buffer, final int offset, final int length)
    {
        checkActing();
        if (key < 0 || key >= MAX_LABELS)
        {
            throw new IllegalArgumentException("a label's key must be 0 to " + (MAX_LABELS - 1) + ": " + key);
        }
        if (length < 0 || length > MAX_LABEL_LENGTH)
        {
            throw new IllegalArgumentException("a label must have 0 to " + MAX_LABEL_LENGTH + " bytes: " + length);
        }

        room.newLabels().set(key, buffer, offset, length);
        checkAccepted(services.control.label(identity.roomId(), key, buffer, offset, length));
    }

    @Override
    public void subscribeToDirectory()
    {
        checkActing();
        checkAccepted(services.control.subscribe(identity.roomId()));
        room.subscribed(true);
    }

    private SeatState ownSeat(final Seat seat)
    {
        check();
        return room.seats.own((SeatState)seat);
    }

    private long nextRequest()
    {
        return room.requests.mustWait() ? NO_REQUEST : room.requests.next();
    }

    private boolean mayRequest(final long correlationId)
    {
        final boolean isFull = room.requests.isFull();
        if (NO_REQUEST != correlationId && isFull)
        {
            room.requests.refuse(correlationId, RefusalCode.REQUEST_LIMIT.value());
        }
        return NO_REQUEST != correlationId && !isFull;
    }

    private long requested(final long correlationId, final boolean isAccepted)
    {
        if (isAccepted)
        {
            room.requests.add(correlationId);
        }
        else
        {
            room.requests.refuse(correlationId, RefusalCode.OUTPUT_LIMIT.value());
        }
        return correlationId;
    }

    private long countIfRefused(final long handle)
    {
        if (NO_TIMER == handle)
        {
            services.refusals.counted(RefusalCode.TIMER_LIMIT.value());
        }
        return handle;
    }

    private long deadlineIn(final long delayNs)
    {
        if (delayNs < 0)
        {
            throw new IllegalArgumentException("a delay must not be negative: " + delayNs);
        }
        return services.time.deadlineIn(delayNs);
    }

    private void checkEphemeral()
    {
        checkActing();
        if (!identity.type().isEphemeral())
        {
            throw new IllegalStateException(
                identity.type() + " is not ephemeral: a closure can be neither recorded nor restored");
        }
    }

    private static void checkRefusal(final int code)
    {
        if (code <= 0 || code > RefusalCounts.MAX_CODE)
        {
            throw new IllegalArgumentException(
                "a refusal's code must be 1 to " + RefusalCounts.MAX_CODE + ": " + code);
        }
    }

    private static void checkTtl(final long ttlNs)
    {
        if (ttlNs <= 0)
        {
            throw new IllegalArgumentException("ttlNs must be above 0: " + ttlNs);
        }
    }

    private static void checkRequestLength(final int length, final int most)
    {
        if (length < 0 || length > most)
        {
            throw new IllegalArgumentException("must have 0 to " + most + " bytes: " + length);
        }
    }

    private static void checkAccepted(final boolean isAccepted)
    {
        if (!isAccepted)
        {
            throw new IllegalStateException("one callback made more requests than the host can buffer");
        }
    }

    @Override
    public String toString()
    {
        return "everyone of " + identity;
    }
}
