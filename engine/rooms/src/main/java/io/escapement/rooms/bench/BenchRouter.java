package io.escapement.rooms.bench;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * The outside of the host for a bench: gateways that fan out to their players, services, and the directory. Commands
 * that follow from output run in the bench's next turn.
 */
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

    private static final LeaveReason[] REASONS = LeaveReason.values();
    private static final byte[] NO_VALUE = new byte[0];

    private final RoomBench bench;
    private final List<BenchSeat> seats = new ArrayList<>();
    private final Map<Long, Known> knownByRoomMap = new TreeMap<>();
    private final List<Long> subscribers = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.escapement.codecs.trunk.MessageHeaderDecoder trunkHeader =
        new io.escapement.codecs.trunk.MessageHeaderDecoder();

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
            if (seat.isPresent() && seat.link == link && seat.roomId == roomId &&
                (STATE == outputClass || !seat.isSpectator) && isFor(seat, audience, selector))
            {
                seat.got(outputClass, buffer, offset, length);
            }
        }
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        switch (trunkHeader.wrap(buffer, offset).templateId())
        {
            case JoinedDecoder.TEMPLATE_ID ->
                onJoined(new JoinedDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader));
            case SeatResumedDecoder.TEMPLATE_ID ->
                onResumed(link, new SeatResumedDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader));
            case SeatAwayDecoder.TEMPLATE_ID ->
            {
                final SeatAwayDecoder away = new SeatAwayDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader);
                final BenchSeat seat = seatOf(link, away.roomId(), away.seatIndex(), away.generation());
                if (null != seat)
                {
                    seat.away();
                }
            }
            case LeftDecoder.TEMPLATE_ID ->
            {
                final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader);
                final BenchSeat seat = seatOf(link, left.roomId(), left.seatIndex(), left.generation());
                if (null != seat)
                {
                    seat.left(REASONS[left.reason()], left.code());
                }
            }
            case RefusedDecoder.TEMPLATE_ID ->
                onRefused(link, new RefusedDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader));
            default -> throw new IllegalStateException("no output to a link: template " + trunkHeader.templateId());
        }
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case SubscribeDecoder.TEMPLATE_ID ->
                onSubscribe(new SubscribeDecoder().wrapAndApplyHeader(buffer, offset, header).roomId());
            case DirectoryEntryDecoder.TEMPLATE_ID ->
                onDirectoryEntry(new DirectoryEntryDecoder().wrapAndApplyHeader(buffer, offset, header));
            default -> throw new IllegalStateException("no output to the edge: template " + header.templateId());
        }
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
        // Only a test asks, and the test reads the answers itself.
    }

    /** A request leaves the state of the loop: for a service, or for a new room. */
    boolean onRequest(final DirectBuffer buffer, final int offset, final int length)
    {
        if (OpenRoomDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId())
        {
            bench.followUpOpen(bytes(buffer, offset, length));
            return true;
        }
        final RequestDecoder request = new RequestDecoder().wrapAndApplyHeader(buffer, offset, header);
        final byte[] payload = new byte[request.payloadLength()];
        request.getPayload(payload, 0, payload.length);
        bench.followUpRequest(
            request.roomId(), request.correlationId(), request.serviceId(), request.orderKey(), payload);
        return true;
    }

    @Override
    public void flush()
    {
        // The bench hands output over at the end of each turn.
    }

    private void onJoined(final JoinedDecoder joined)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.requestId == joined.requestId())
            {
                final byte[] answer = new byte[joined.answerLength()];
                seat.joined(joined.seatIndex(), joined.generation(), joined.sequence(), answer);
                joined.getAnswer(answer, 0, answer.length);
            }
        }
    }

    private void onResumed(final int link, final SeatResumedDecoder resumed)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.roomId == resumed.roomId() && seat.index == resumed.seatIndex() &&
                seat.generation == resumed.generation())
            {
                seat.resumed(link, resumed.sequence());
            }
        }
    }

    private BenchSeat seatOf(final int link, final long roomId, final int seatIndex, final int generation)
    {
        for (final BenchSeat seat : seats)
        {
            if (seat.link == link && seat.roomId == roomId && seat.index == seatIndex &&
                seat.generation == generation)
            {
                return seat;
            }
        }
        return null;
    }

    private void onRefused(final int link, final RefusedDecoder refused)
    {
        for (final BenchSeat seat : seats)
        {
            final boolean matches = SendDecoder.TEMPLATE_ID == refused.templateId() ?
                seat.link == link && seat.roomId == refused.roomId() : seat.requestId == refused.reference();
            if (matches)
            {
                seat.refused(JoinDecoder.TEMPLATE_ID == refused.templateId(), refused.code());
            }
        }
    }

    private void onSubscribe(final long roomId)
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

    private void onDirectoryEntry(final DirectoryEntryDecoder entry)
    {
        final long roomId = entry.subjectRoomId();
        switch (entry.change())
        {
            case OPENED ->
            {
                final Known room = new Known(roomId, entry.typeId(), entry.seatLimit());
                knownByRoomMap.put(roomId, room);
                publish(DirectoryChange.OPENED, room, 0, NO_VALUE);
            }
            case CLOSED ->
            {
                subscribers.remove(roomId);
                publish(DirectoryChange.CLOSED, knownByRoomMap.remove(roomId), 0, NO_VALUE);
            }
            case OCCUPANCY ->
            {
                final Known room = knownByRoomMap.get(roomId);
                room.seatsTaken = entry.seatsTaken();
                publish(DirectoryChange.OCCUPANCY, room, 0, NO_VALUE);
            }
            case LABEL ->
            {
                final Known room = knownByRoomMap.get(roomId);
                final int key = entry.labelKey();
                final byte[] value = new byte[entry.valueLength()];
                entry.getValue(value, 0, value.length);
                room.labels.put(key, value);
                publish(DirectoryChange.LABEL, room, key, value);
            }
            default -> throw new IllegalStateException("no change of a room: " + entry.change());
        }
    }

    private void publish(final DirectoryChange change, final Known room, final int labelKey, final byte[] value)
    {
        for (final long subscriber : subscribers)
        {
            bench.followUpEntry(subscriber, change, room, labelKey, value);
        }
    }

    private static boolean isFor(final BenchSeat seat, final int audience, final long selector)
    {
        return switch (audience)
        {
            case ALL -> true;
            case ALL_EXCEPT -> seat.index != (int)selector;
            case MASK -> 0 != (selector & (1L << seat.index));
            case ONE -> seat.index == (int)selector && seat.generation == (int)(selector >>> 32);
            default -> throw new IllegalStateException("no such audience: " + audience);
        };
    }

    private static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}
