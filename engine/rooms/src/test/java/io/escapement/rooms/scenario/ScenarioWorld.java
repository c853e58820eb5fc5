package io.escapement.rooms.scenario;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.host.Outputs;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Remembers who sits where, and turns what rooms ask for into the commands of later turns. */
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

    private final RoomCommandEncoder encoder = new RoomCommandEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Long.BYTES]);
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
    public void joined(
        final int link,
        final long requestId,
        final long roomId,
        final int seatIndex,
        final int generation,
        final long playerId,
        final long sequence)
    {
        count(0 == sequence ? "joined" : "returned");
        forget(roomId, seatIndex);
        final Place place = new Place(roomId, seatIndex, generation, playerId);
        place.link = link;
        place.sequence = sequence;
        places.add(place);
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        count("resumed");
        for (final Place place : places)
        {
            if (place.roomId == roomId && place.seatIndex == seatIndex)
            {
                place.link = link;
                place.sequence = sequence;
            }
        }
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        count(reason.name());
        // The place stays: messages to an away seat are worth a try.
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        count(reason.name());
        if (random.nextInt(50) != 0)
        {
            forget(roomId, seatIndex);
        }
    }

    @Override
    public void refused(
        final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        count(code < RoomLogic.FIRST_APPLICATION_CODE ?
            "refused " + RefusalCode.get(code) : "refused by the application");
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
        count(reason.name());
        places.removeIf((place) -> place.roomId == roomId && random.nextInt(50) != 0);
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer source, final int offset, final int length)
    {
        count("label");
    }

    @Override
    public void subscribe(final long roomId)
    {
        count("subscribe");
    }

    @Override
    public void signal(
        final long fromRoomId,
        final long correlationId,
        final long toRoomId,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        count("signal");
        wait(random.nextInt(8) == 0 ?
            encoder.refusal(buffer, 0, fromRoomId, correlationId, RefusalCode.QUEUE_FULL.value()) :
            encoder.signal(buffer, 0, toRoomId, fromRoomId, correlationId, source, offset, length));
    }

    @Override
    public void async(
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        count("async");
        wait(random.nextInt(8) == 0 ?
            encoder.refusal(buffer, 0, roomId, correlationId, RefusalCode.UNKNOWN_SERVICE.value()) :
            encoder.reply(buffer, 0, roomId, correlationId, serviceId, source, offset, length));
    }

    @Override
    public void openRoom(
        final long roomId,
        final long correlationId,
        final int typeId,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        count("openRoom");
        wait(encoder.openRoom(buffer, 0, roomIds.getAsLong(), typeId, random.nextLong(), roomId, correlationId,
            source, offset, length));
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        count("reserve");
        wait(encoder.reserve(buffer, 0, inRoomId, playerId, ttlNs, roomId, correlationId));
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        count("reply " + RefusalCode.get(status).name());
        answer.putLong(0, roomId);
        wait(encoder.reply(buffer, 0, toRoomId, correlationId, status, answer, 0, Long.BYTES));
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
        count("signalRefused");
        wait(encoder.refusal(buffer, 0, toRoomId, correlationId, code));
    }

    @Override
    public void flush()
    {
        // Nothing to send on.
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
