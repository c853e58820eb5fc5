package io.escapement.rooms.host;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;

/**
 * The joins of a room that wait for the decision of its logic, in the order of their ids. Each holds a seat. The seat's
 * timer ends the join. A decision takes effect once its callback has returned. Therefore no decision is left between
 * two steps.
 */
final class WaitingJoins
{
    private static final int NONE = 0;
    private static final int NOT_FOUND = -1;
    private static final int UNDECIDED = 0;
    private static final int ADMITTED = -1;
    private static final long NOT_RESERVED = 0;
    private static final long[] NO_LONGS = new long[0];
    private static final int[] NO_INTS = new int[0];

    private final RoomIdentity room;
    private final SeatTable seats;
    private final Membership membership;
    private final LogicInvoker invoker;
    private final OutputProxy proxy;
    private final RoomServices services;
    private final int limit;
    private long[] ids = NO_LONGS;
    private int[] seatIndexes = NO_INTS;
    private long[] requestIds = NO_LONGS;
    /** The end of the reservation that the player had besides, or has been given since. */
    private long[] reservedUntilNs = NO_LONGS;
    /** {@link #UNDECIDED}, {@link #ADMITTED} or the code of a refusal. */
    private int[] decisions = NO_INTS;
    private int[] answerOffsets = NO_INTS;
    private int[] answerLengths = NO_INTS;
    private int count;
    private int decided;
    private long lastId;

    WaitingJoins(
        final RoomIdentity room,
        final SeatTable seats,
        final Membership membership,
        final LogicInvoker invoker,
        final RoomServices services)
    {
        this.room = room;
        this.seats = seats;
        this.membership = membership;
        this.invoker = invoker;
        this.services = services;
        proxy = services.proxy;
        limit = room.type().joinRequests();
        services.joinAnswers.ensure(limit);
    }

    /** Arrays of the length that the type allows, made for the first waiting join. */
    private void allocate()
    {
        if (0 == ids.length)
        {
            ids = new long[limit];
            seatIndexes = new int[limit];
            requestIds = new long[limit];
            reservedUntilNs = new long[limit];
            decisions = new int[limit];
            answerOffsets = new int[limit];
            answerLengths = new int[limit];
        }
    }

    /** Whether the type allows joins to wait. */
    boolean isAllowed()
    {
        return 0 != limit;
    }

    boolean isFull()
    {
        return isAllowed() && count == limit;
    }

    int count()
    {
        return count;
    }

    /** The id of the next request. */
    long nextId()
    {
        return isAllowed() ? ++lastId : Room.NO_JOIN;
    }

    /** The id of the join that holds a seat. */
    long idOf(final SeatState seat)
    {
        return ids[positionOf(seat)];
    }

    boolean isRequest(final SeatState seat, final long requestId)
    {
        return requestIds[positionOf(seat)] == requestId;
    }

    /** The last request waits: hold a seat for its player. Returns 0, or the code of the refusal. */
    int begin(final long playerId, final long requestId, final int link)
    {
        SeatState seat = seats.ofPlayer(playerId);
        final boolean isReserved = null != seat;
        if (!isReserved && 0 == seats.freeCount())
        {
            // The logic gave the last seat away in the callback that made this join wait.
            invoker.joinEnded(lastId, playerId, RefusalCode.ROOM_FULL.value());
            return RefusalCode.ROOM_FULL.value();
        }

        allocate();
        reservedUntilNs[count] = NOT_RESERVED;
        if (isReserved)
        {
            reservedUntilNs[count] = services.wheel.deadlineNs(seat.timerNode());
            membership.cancelTimer(seat);
            seat.state(SeatState.JOINING);
        }
        else
        {
            seat = seats.take(playerId, SeatState.JOINING);
        }
        ids[count] = lastId;
        seatIndexes[count] = seat.index();
        requestIds[count] = requestId;
        decisions[count++] = UNDECIDED;
        services.links.add(seat, link);
        membership.setTimer(seat, room.type().joinTimeoutNs());
        if (!isReserved)
        {
            membership.occupancyChanged();
        }
        return NONE;
    }

    /** End the join that holds a seat, without a decision of the room. Its player and its logic get the code. */
    void end(final SeatState seat, final int code)
    {
        final long id = idOf(seat);
        final long playerId = seat.playerId();
        refuse(positionOf(seat), code);
        invoker.joinEnded(id, playerId, code);
    }

    /** Any seat that a waiting join holds, or null. */
    SeatState first()
    {
        return 0 == count ? null : seats.at(seatIndexes[0]);
    }

    /** Refuse all joins of a closing room. Its logic is not called. */
    void close(final int code)
    {
        while (0 != count)
        {
            final int decision = decisions[0];
            refuse(0, decision > UNDECIDED ? decision : code);
        }
    }

    // Decisions of the logic

    boolean admit(final long id, final DirectBuffer answer, final int offset, final int length)
    {
        final int position = undecided(id);
        if (NOT_FOUND == position)
        {
            return false;
        }
        if (0 == decided)
        {
            services.joinAnswers.reset();
        }
        answerOffsets[position] = services.joinAnswers.put(answer, offset, length);
        answerLengths[position] = length;
        decide(position, ADMITTED);
        return true;
    }

    boolean refuse(final long id, final int code)
    {
        final int position = undecided(id);
        if (NOT_FOUND == position)
        {
            return false;
        }
        if (0 == decided)
        {
            services.joinAnswers.reset();
        }
        decide(position, code);
        return true;
    }

    private void decide(final int position, final int decision)
    {
        decisions[position] = decision;
        decided++;
    }

    /** Carry out the first open decision. Returns whether there was one. */
    boolean settleNext()
    {
        if (0 == decided)
        {
            return false;
        }
        int position = 0;
        while (UNDECIDED == decisions[position])
        {
            position++;
        }
        final int decision = decisions[position];
        if (ADMITTED == decision)
        {
            admit(position);
        }
        else
        {
            refuse(position, decision);
        }
        return true;
    }

    private void admit(final int position)
    {
        final SeatState seat = seats.at(seatIndexes[position]);
        final long requestId = requestIds[position];
        final int link = seat.link();
        final int answerOffset = answerOffsets[position];
        final int answerLength = answerLengths[position];
        remove(position);
        services.links.remove(seat);
        membership.sit(seat, requestId, link, services.joinAnswers.buffer(), answerOffset, answerLength);
    }

    /** End a join: its player gets the refusal, and keeps a reservation that it has besides. */
    private void refuse(final int position, final int code)
    {
        final SeatState seat = seats.at(seatIndexes[position]);
        final int link = seat.link();
        final long requestId = requestIds[position];
        final long leftNs = reservedUntilNs[position] - services.time.nowNs();
        final boolean isReserved = NOT_RESERVED != reservedUntilNs[position] && leftNs > 0;
        remove(position);
        membership.cancelTimer(seat);
        services.links.remove(seat);
        services.refusals.counted(code);
        if (services.links.isUp(link))
        {
            proxy.refused(link, JoinDecoder.TEMPLATE_ID, room.roomId(), TrunkMessages.NO_SEAT, requestId, code);
        }
        if (isReserved)
        {
            seat.state(SeatState.RESERVED);
            membership.setTimer(seat, leftNs);
        }
        else
        {
            seats.free(seat);
            membership.occupancyChanged();
        }
    }

    // Reservations of players with a waiting join: they count once the join is refused

    void reserve(final SeatState seat, final long untilNs)
    {
        reservedUntilNs[positionOf(seat)] = untilNs;
    }

    /** Release the reservation. Whether there was one. */
    boolean release(final SeatState seat)
    {
        final int position = positionOf(seat);
        final boolean wasReserved = reservedUntilNs[position] > services.time.nowNs();
        reservedUntilNs[position] = NOT_RESERVED;
        return wasReserved;
    }

    private int undecided(final long id)
    {
        int position = count - 1;
        while (position >= 0 && ids[position] != id)
        {
            position--;
        }
        return position >= 0 && UNDECIDED == decisions[position] ? position : NOT_FOUND;
    }

    private int positionOf(final SeatState seat)
    {
        int position = 0;
        while (seatIndexes[position] != seat.index())
        {
            position++;
        }
        return position;
    }

    private void remove(final int position)
    {
        decided -= UNDECIDED == decisions[position] ? 0 : 1;
        final int behind = --count - position;
        System.arraycopy(ids, position + 1, ids, position, behind);
        System.arraycopy(seatIndexes, position + 1, seatIndexes, position, behind);
        System.arraycopy(requestIds, position + 1, requestIds, position, behind);
        System.arraycopy(reservedUntilNs, position + 1, reservedUntilNs, position, behind);
        System.arraycopy(decisions, position + 1, decisions, position, behind);
        System.arraycopy(answerOffsets, position + 1, answerOffsets, position, behind);
        System.arraycopy(answerLengths, position + 1, answerLengths, position, behind);
    }

    void write(final StateWriter writer)
    {
        writer.putLong(lastId);
        writer.putInt(count);
        for (int i = 0; i < count; i++)
        {
            writer.putLong(ids[i]);
            writer.putInt(seatIndexes[i]);
            writer.putLong(requestIds[i]);
            writer.putLong(reservedUntilNs[i]);
        }
    }

    void read(final StateReader reader)
    {
        lastId = reader.getLong();
        count = Restored.inRange(reader.getInt(), 0, limit, "joins that wait");
        if (0 != count)
        {
            allocate();
        }
        Restored.check(count == seats.joining(), "seats that joins hold");
        for (int i = 0; i < count; i++)
        {
            ids[i] = reader.getLong();
            Restored.check(ids[i] > (0 == i ? 0 : ids[i - 1]) && ids[i] <= lastId, "join " + ids[i]);
            seatIndexes[i] = Restored.inRange(reader.getInt(), 0, seats.limit() - 1, "the seat of a join");
            Restored.check(seats.at(seatIndexes[i]).isJoining(), "the seat of join " + ids[i]);
            for (int other = 0; other < i; other++)
            {
                Restored.check(seatIndexes[other] != seatIndexes[i], "two joins of " + seats.at(seatIndexes[i]));
            }
            requestIds[i] = reader.getLong();
            reservedUntilNs[i] = reader.getLong();
            decisions[i] = UNDECIDED;
        }
    }
}
