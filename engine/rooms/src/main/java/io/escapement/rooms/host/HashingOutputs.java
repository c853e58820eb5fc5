package io.escapement.rooms.host;

import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.StateHash;
import org.agrona.DirectBuffer;

/**
 * Passes everything on and keeps a running hash of it: a log holds the hash of every turn, so that a replay can name
 * the first turn that differs. Flushes are not part of it, they tell nothing that a room did.
 */
final class HashingOutputs implements Outputs
{
    private final Outputs outputs;
    private final StateHash hash = new StateHash();

    HashingOutputs(final Outputs outputs)
    {
        this.outputs = outputs;
    }

    long value()
    {
        return hash.value();
    }

    void value(final long value)
    {
        hash.value(value);
    }

    @Override
    public void flush()
    {
        outputs.flush();
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
        hash.putLong(1);
        hash.putLong(link);
        hash.putLong(roomId);
        hash.putLong(outputClass);
        hash.putLong(audience);
        hash.putLong(selector);
        hash.putBytes(buffer, offset, length);
        outputs.message(link, roomId, outputClass, audience, selector, buffer, offset, length);
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
        hash.putLong(2);
        hash.putLong(link);
        hash.putLong(requestId);
        hash.putLong(roomId);
        hash.putLong(seatIndex);
        hash.putLong(generation);
        hash.putLong(playerId);
        hash.putLong(sequence);
        outputs.joined(link, requestId, roomId, seatIndex, generation, playerId, sequence);
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        hash.putLong(3);
        hash.putLong(link);
        hash.putLong(roomId);
        hash.putLong(seatIndex);
        hash.putLong(generation);
        hash.putLong(sequence);
        outputs.resumed(link, roomId, seatIndex, generation, sequence);
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        hash.putLong(4);
        hash.putLong(link);
        hash.putLong(roomId);
        hash.putLong(seatIndex);
        hash.putLong(generation);
        hash.putLong(reason.ordinal());
        outputs.away(link, roomId, seatIndex, generation, reason);
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        hash.putLong(5);
        hash.putLong(link);
        hash.putLong(roomId);
        hash.putLong(seatIndex);
        hash.putLong(generation);
        hash.putLong(reason.ordinal());
        outputs.left(link, roomId, seatIndex, generation, reason);
    }

    @Override
    public void refused(final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        hash.putLong(6);
        hash.putLong(link);
        hash.putLong(templateId);
        hash.putLong(roomId);
        hash.putLong(reference);
        hash.putLong(code);
        outputs.refused(link, templateId, roomId, reference, code);
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        hash.putLong(7);
        hash.putLong(roomId);
        hash.putLong(typeId);
        hash.putLong(seatLimit);
        outputs.roomOpened(roomId, typeId, seatLimit);
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
        hash.putLong(8);
        hash.putLong(roomId);
        hash.putLong(reason.ordinal());
        outputs.roomClosed(roomId, reason);
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
        hash.putLong(9);
        hash.putLong(roomId);
        hash.putLong(seatsTaken);
        outputs.occupancy(roomId, seatsTaken);
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer buffer, final int offset, final int length)
    {
        hash.putLong(10);
        hash.putLong(roomId);
        hash.putLong(key);
        hash.putBytes(buffer, offset, length);
        outputs.label(roomId, key, buffer, offset, length);
    }

    @Override
    public void subscribe(final long roomId)
    {
        hash.putLong(11);
        hash.putLong(roomId);
        outputs.subscribe(roomId);
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
        hash.putLong(12);
        hash.putLong(fromRoomId);
        hash.putLong(correlationId);
        hash.putLong(toRoomId);
        hash.putBytes(buffer, offset, length);
        outputs.signal(fromRoomId, correlationId, toRoomId, buffer, offset, length);
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
        hash.putLong(13);
        hash.putLong(roomId);
        hash.putLong(correlationId);
        hash.putLong(serviceId);
        hash.putLong(orderKey);
        hash.putBytes(buffer, offset, length);
        outputs.async(roomId, correlationId, serviceId, orderKey, buffer, offset, length);
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
        hash.putLong(14);
        hash.putLong(roomId);
        hash.putLong(correlationId);
        hash.putLong(typeId);
        hash.putBytes(buffer, offset, length);
        outputs.openRoom(roomId, correlationId, typeId, buffer, offset, length);
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        hash.putLong(15);
        hash.putLong(roomId);
        hash.putLong(correlationId);
        hash.putLong(inRoomId);
        hash.putLong(playerId);
        hash.putLong(ttlNs);
        outputs.reserve(roomId, correlationId, inRoomId, playerId, ttlNs);
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        hash.putLong(16);
        hash.putLong(toRoomId);
        hash.putLong(correlationId);
        hash.putLong(status);
        hash.putLong(roomId);
        outputs.reply(toRoomId, correlationId, status, roomId);
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
        hash.putLong(17);
        hash.putLong(toRoomId);
        hash.putLong(correlationId);
        hash.putLong(code);
        outputs.signalRefused(toRoomId, correlationId, code);
    }
}
