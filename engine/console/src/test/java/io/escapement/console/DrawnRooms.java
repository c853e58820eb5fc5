package io.escapement.console;

import io.escapement.rooms.RoomLogic;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A view whose readings are the number of readings. */
final class DrawnRooms implements RoomView
{
    final AtomicInteger readings = new AtomicInteger();
    volatile RuntimeException failure;
    volatile int length = 3;

    @Override
    public byte[] read(final RoomLogic logic)
    {
        if (null != failure)
        {
            throw failure;
        }
        final byte[] bytes = new byte[length];
        bytes[0] = (byte)readings.incrementAndGet();
        return bytes;
    }

    @Override
    public String directory()
    {
        return "io/escapement/console/drawn";
    }

    @Override
    public List<String> files()
    {
        return List.of("drawn.js");
    }
}
