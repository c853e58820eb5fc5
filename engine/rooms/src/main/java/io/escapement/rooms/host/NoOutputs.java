package io.escapement.rooms.host;

import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import org.agrona.DirectBuffer;

/** Where output goes that nobody wants, as in a replay, which compares hashes. */
public final class NoOutputs implements Outputs
{
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
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
    }

    @Override
    public void refused(final int link, final int templateId, final long roomId, final long reference, final int code)
    {
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public void subscribe(final long roomId)
    {
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
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
    }

    @Override
    public void flush()
    {
    }
}
