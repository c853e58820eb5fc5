package io.escapement.rooms.bench;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.host.Outputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** Plays the outside: gateways that fan out to their players, other loops, services, the directory. */
final class BenchRouter implements Outputs
{
    static final class Known
    {
        final long roomId;
        final int typeId;
        final int seatLimit;
        final Map<Integer, byte[]> labels = new TreeMap<>();
        int seatsTaken;

        Known(final long roomId, final int typeId, final int seatLimit)
        {
            this.roomId = roomId;
            this.typeId = typeId;
            this.seatLimit = seatLimit;
        }
    }

    private static final byte[] NO_VALUE = new byte[0];

    private final RoomBench bench;
    private final List<BenchSeat> seats = new ArrayList<>();
    private final Map<Long, Known> knownByRoomMap = new TreeMap<>();
    private final List<Long> subscribers = new ArrayList<>();

    BenchRouter(final RoomBench bench)
    {
        this.bench = bench;
    }

    void add(final BenchSeat seat)
    {
        seats.add(seat);
    }

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.isPresent && seat.link == link && seat.roomId == roomId && isFor(seat, audience, selector))
            {
                seat.got(buffer, offset, length);
            }
        }
    }

    @Override
    public void joined(
        final int link,
        final long requestId,
        final long roomId,
        final int seatIndex,
        final int generation,
        final long playerId,
        final long sequence)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.requestId == requestId)
            {
                seat.index = seatIndex;
                seat.generation = generation;
                seat.isPresent = true;
                seat.continueFrom(sequence);
            }
        }
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.roomId == roomId && seat.index == seatIndex && seat.generation == generation)
            {
                seat.link = link;
                seat.isPresent = true;
                seat.continueFrom(sequence);
            }
        }
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        gone(link, roomId, seatIndex, generation);
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        gone(link, roomId, seatIndex, generation);
    }

    @Override
    public void refused(
        final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        for (final BenchSeat seat : seats)
        {
            final boolean isIts = MessageDecoder.TEMPLATE_ID == templateId ?
                seat.link == link && seat.roomId == roomId : seat.requestId == reference;
            if (isIts)
            {
                seat.refused(code);
            }
        }
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        final Known room = new Known(roomId, typeId, seatLimit);
        knownByRoomMap.put(roomId, room);
        tell(DirectoryChange.OPENED, room, 0, NO_VALUE);
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
        subscribers.remove(roomId);
        tell(DirectoryChange.CLOSED, knownByRoomMap.remove(roomId), 0, NO_VALUE);
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
        final Known room = knownByRoomMap.get(roomId);
        room.seatsTaken = seatsTaken;
        tell(DirectoryChange.OCCUPANCY, room, 0, NO_VALUE);
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer buffer, final int offset, final int length)
    {
        final Known room = knownByRoomMap.get(roomId);
        final byte[] value = bytes(buffer, offset, length);
        room.labels.put(key, value);
        tell(DirectoryChange.LABEL, room, key, value);
    }

    @Override
    public void subscribe(final long roomId)
    {
        if (subscribers.contains(roomId))
        {
            return;
        }

        subscribers.add(roomId);
        for (final Known room : knownByRoomMap.values())
        {
            bench.followUpEntry(roomId, DirectoryChange.OPENED, room, 0, NO_VALUE);
            room.labels.forEach(
                (key, value) -> bench.followUpEntry(roomId, DirectoryChange.LABEL, room, key, value));
        }
    }

    @Override
    public void signal(
        final long fromRoomId,
        final long correlationId,
        final long toRoomId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        bench.followUpSignal(fromRoomId, correlationId, toRoomId, buffer, offset, length);
    }

    @Override
    public void async(
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        bench.followUpRequest(roomId, correlationId, serviceId, orderKey, bytes(buffer, offset, length));
    }

    @Override
    public void openRoom(
        final long roomId,
        final long correlationId,
        final int typeId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        bench.followUpOpen(roomId, correlationId, typeId, buffer, offset, length);
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        bench.followUpReserve(roomId, correlationId, inRoomId, playerId, ttlNs);
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        bench.followUpReply(toRoomId, correlationId, status, roomId);
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
        bench.followUpRefusal(toRoomId, correlationId, code);
    }

    @Override
    public void flush()
    {
        // The bench hands out at the end of each turn.
    }

    private void tell(final DirectoryChange change, final Known room, final int labelKey, final byte[] value)
    {
        for (final long subscriber : subscribers)
        {
            bench.followUpEntry(subscriber, change, room, labelKey, value);
        }
    }

    private void gone(final int link, final long roomId, final int seatIndex, final int generation)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.link == link && seat.roomId == roomId && seat.index == seatIndex &&
                seat.generation == generation)
            {
                seat.isPresent = false;
            }
        }
    }

    private static boolean isFor(final BenchSeat seat, final int audience, final long selector)
    {
        return switch (audience)
        {
            case ALL -> true;
            case ALL_EXCEPT -> seat.index != (int)selector;
            case MASK -> 0 != (selector & (1L << seat.index));
            default -> seat.index == (int)selector && seat.generation == (int)(selector >>> 32);
        };
    }

    private static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}
