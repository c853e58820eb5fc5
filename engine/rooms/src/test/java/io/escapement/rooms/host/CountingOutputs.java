package io.escapement.rooms.host;

import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import org.agrona.DirectBuffer;

/** Counts what leaves a host, and keeps nothing. */
class CountingOutputs implements Outputs
{
    long messages;
    long others;

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
        messages++;
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
        others++;
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        others++;
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        others++;
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        others++;
    }

    @Override
    public void refused(
        final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        others++;
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        others++;
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
        others++;
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
        others++;
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer buffer, final int offset, final int length)
    {
        others++;
    }

    @Override
    public void subscribe(final long roomId)
    {
        others++;
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
        others++;
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
        others++;
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
        others++;
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        others++;
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        others++;
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
        others++;
    }

    @Override
    public void flush()
    {
        others++;
    }
}
