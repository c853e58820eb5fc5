package io.escapement.rooms.scenario;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.output.Outputs;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Tracks the seats of players, and answers the requests of rooms by commands in later turns. */
final class ScenarioWorld implements Outputs
{
    static final class Place
    {
        final long roomId;
        final int seatIndex;
        final int generation;
        final long playerId;
        int link;
        long sequence;

        Place(final long roomId, final int seatIndex, final int generation, final long playerId)
        {
            this.roomId = roomId;
            this.seatIndex = seatIndex;
            this.generation = generation;
            this.playerId = playerId;
        }
    }

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.escapement.codecs.trunk.MessageHeaderDecoder trunkHeader =
        new io.escapement.codecs.trunk.MessageHeaderDecoder();
    private final OpenRoomEncoder openRoom = new OpenRoomEncoder();
    private final Map<String, Integer> countByEventMap;
    private final List<Place> places;
    private final Deque<byte[]> waiting;
    private final SplittableRandom random;
    private final LongSupplier roomIds;

    ScenarioWorld(
        final Map<String, Integer> countByEventMap,
        final List<Place> places,
        final Deque<byte[]> waiting,
        final SplittableRandom random,
        final LongSupplier roomIds)
    {
        this.countByEventMap = countByEventMap;
        this.places = places;
        this.waiting = waiting;
        this.random = random;
        this.roomIds = roomIds;
    }

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        count("message " + outputClass + " " + audience);
        if (STATE == outputClass && ONE == audience && random.nextInt(200) == 0)
        {
            wait(encoder.stateLost(buffer, 0, roomId, (int)selector, (int)(selector >>> 32)));
        }
    }

    @Override
    public void toLink(final int link, final DirectBuffer source, final int offset, final int length)
    {
        switch (trunkHeader.wrap(source, offset).templateId())
        {
            case JoinedDecoder.TEMPLATE_ID ->
                onJoined(link, new JoinedDecoder().wrapAndApplyHeader(source, offset, trunkHeader));
            case SeatResumedDecoder.TEMPLATE_ID ->
                onResumed(link, new SeatResumedDecoder().wrapAndApplyHeader(source, offset, trunkHeader));
            case SeatAwayDecoder.TEMPLATE_ID ->
            {
                final SeatAwayDecoder away = new SeatAwayDecoder().wrapAndApplyHeader(source, offset, trunkHeader);
                count(AwayReason.values()[away.reason()].name());
                // The seat stays in the list, to send messages to away seats as well.
            }
            case LeftDecoder.TEMPLATE_ID ->
            {
                final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(source, offset, trunkHeader);
                count(LeaveReason.values()[left.reason()].name() + (0 == left.code() ? "" : " with a code"));
                if (random.nextInt(50) != 0)
                {
                    forget(left.roomId(), left.seatIndex());
                }
            }
            case RefusedDecoder.TEMPLATE_ID ->
            {
                final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(source, offset, trunkHeader);
                final int code = refused.code();
                // The player of a trunk that was lost is not notified of the end of its grace.
                if (RefusalCode.STALE_SEAT.value() == code && random.nextInt(8) != 0)
                {
                    forget(refused.roomId(), refused.seatIndex());
                }
                count(code < RoomLogic.FIRST_APPLICATION_CODE ?
                    "refused " + Codes.nameOf(code) : "refused by the application");
            }
            default -> throw new IllegalStateException("to a link: template " + trunkHeader.templateId());
        }
    }

    /** Rooms of the loop get these from its state. */
    @Override
    public void onCommand(final DirectBuffer source, final int offset, final int length)
    {
        switch (header.wrap(source, offset).templateId())
        {
            case SignalDecoder.TEMPLATE_ID -> count("signal");
            case ReserveDecoder.TEMPLATE_ID -> count("reserve");
            case AskDecoder.TEMPLATE_ID -> count("ask");
            case ReplyDecoder.TEMPLATE_ID -> count("reply " + RefusalCode.get(
                new ReplyDecoder().wrapAndApplyHeader(source, offset, header).status()).name());
            case RefusalDecoder.TEMPLATE_ID -> count("signalRefused");
            case OpenRoomDecoder.TEMPLATE_ID -> count("openRoom");
            case RequestDecoder.TEMPLATE_ID -> count("async");
            default -> throw new IllegalStateException("of a room: template " + header.templateId());
        }
    }

    /** A request leaves the state of the loop, if there is room for it. */
    boolean onRequest(final DirectBuffer source, final int offset, final int length)
    {
        if (0 == random.nextInt(4))
        {
            return false;
        }
        if (OpenRoomDecoder.TEMPLATE_ID == header.wrap(source, offset).templateId())
        {
            source.getBytes(offset, buffer, 0, length);
            openRoom.wrap(buffer, MessageHeaderDecoder.ENCODED_LENGTH)
                .roomId(roomIds.getAsLong()).seed(random.nextLong());
            wait(length);
            return true;
        }
        final RequestDecoder request = new RequestDecoder().wrapAndApplyHeader(source, offset, header);
        final long roomId = request.roomId();
        final long correlationId = request.correlationId();
        final int serviceId = request.serviceId();
        final int payloadLength = request.payloadLength();
        final int payload = request.limit() + RequestDecoder.payloadHeaderLength();
        wait(random.nextInt(8) == 0 ?
            encoder.refusal(buffer, 0, roomId, correlationId, RefusalCode.UNKNOWN_SERVICE.value()) :
            encoder.reply(buffer, 0, roomId, correlationId, serviceId, source, payload, payloadLength));
        return true;
    }

    @Override
    public void toEdge(final DirectBuffer source, final int offset, final int length)
    {
        switch (header.wrap(source, offset).templateId())
        {
            case SubscribeDecoder.TEMPLATE_ID -> count("subscribe");
            case DirectoryEntryDecoder.TEMPLATE_ID ->
                onDirectoryEntry(new DirectoryEntryDecoder().wrapAndApplyHeader(source, offset, header));
            default -> throw new IllegalStateException("to the edge: template " + header.templateId());
        }
    }

    @Override
    public void toApplication(final DirectBuffer source, final int offset, final int length)
    {
        count("answer to the program");
    }

    @Override
    public void flush()
    {
        // Nothing to send on.
    }

    private void onJoined(final int link, final JoinedDecoder joined)
    {
        count(0 == joined.sequence() ? "joined" : "returned");
        forget(joined.roomId(), joined.seatIndex());
        final Place place =
            new Place(joined.roomId(), joined.seatIndex(), joined.generation(), joined.playerId());
        place.link = link;
        place.sequence = joined.sequence();
        places.add(place);
    }

    private void onResumed(final int link, final SeatResumedDecoder resumed)
    {
        count("resumed");
        for (final Place place : places)
        {
            if (place.roomId == resumed.roomId() && place.seatIndex == resumed.seatIndex())
            {
                place.link = link;
                place.sequence = resumed.sequence();
            }
        }
    }

    private void onDirectoryEntry(final DirectoryEntryDecoder entry)
    {
        if (DirectoryChange.LABEL == entry.change())
        {
            count("label");
        }
        else if (DirectoryChange.CLOSED == entry.change())
        {
            final long roomId = entry.subjectRoomId();
            places.removeIf((place) -> place.roomId == roomId && random.nextInt(50) != 0);
        }
    }

    private void count(final String event)
    {
        countByEventMap.merge(event, 1, Integer::sum);
    }

    private void wait(final int length)
    {
        waiting.add(Arrays.copyOf(buffer.byteArray(), length));
    }

    private void forget(final long roomId, final int seatIndex)
    {
        places.removeIf((place) -> place.roomId == roomId && place.seatIndex == seatIndex);
    }
}
