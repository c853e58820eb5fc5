package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The memory of a room, by the JVM's class histogram: each object is another cache miss of a host with many rooms. */
class RoomFootprintTest
{
    private static final int ROOMS = 4_096;
    private static final int SEATS = 16;
    private static final int LINK = 1;
    private static final int OUTPUT = 1_024;
    private static final int MOST_OBJECTS = 36;
    private static final int MOST_BYTES = 4_608;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final RoomType type = RoomType.of(1, "full", 1, Quiet::new).seats(SEATS).outputLimit(OUTPUT);
    private final RoomHost host = new RoomHost(context());
    /** Kept, so that it is reachable when its objects are counted. */
    private RoomHost restored;

    @Test
    void shouldHaveFewObjectsAndBytesForEachRoom() throws JMException
    {
        host.beginTurn(0);
        command(encoder.linkUp(buffer, 0, LINK, LINK));
        open(ROOMS);
        histogram();
        final String before = histogram();
        for (int room = 1; room < ROOMS; room++)
        {
            open(room);
        }
        host.endTurn();
        assertSmall(before, histogram());
    }

    @Test
    void shouldHaveNoMoreAfterARestore() throws JMException
    {
        host.beginTurn(0);
        command(encoder.linkUp(buffer, 0, LINK, LINK));
        open(ROOMS);
        host.endTurn();
        final byte[] one = snapshot();
        host.beginTurn(1);
        for (int room = 1; room < ROOMS; room++)
        {
            open(room);
        }
        host.endTurn();
        final byte[] all = snapshot();
        histogram();
        restored = RoomHost.restore(context(), new UnsafeBuffer(one), 0, one.length);
        final String before = histogram();
        restored = RoomHost.restore(context(), new UnsafeBuffer(all), 0, all.length);
        assertSmall(before, histogram());
    }

    private HostContext context()
    {
        return new HostContext().outputs(NoOutputs.NONE).roomType(type)
            .roomLimit(ROOMS).seatLimit(ROOMS * SEATS).timerLimit(ROOMS * type.timers());
    }

    private byte[] snapshot()
    {
        final ByteSink sink = new ByteSink();
        host.snapshot(sink);
        return sink.toArray();
    }

    private static void assertSmall(final String before, final String after)
    {
        final long objects = (total(after, 1) - total(before, 1)) / (ROOMS - 1);
        final long bytes = (total(after, 2) - total(before, 2)) / (ROOMS - 1);
        assertTrue(objects <= MOST_OBJECTS, () -> objects + " objects: " + after);
        assertTrue(bytes <= MOST_BYTES, () -> bytes + " bytes: " + after);
    }

    private void open(final int room)
    {
        command(encoder.openRoom(buffer, 0, room, room, 0, 0, type.id(), buffer, 0, 0));
        for (int player = 0; player < SEATS; player++)
        {
            command(encoder.join(buffer, 0, room, player, 0, LINK, buffer, 0, 0));
        }
    }

    private void command(final int length)
    {
        if (0 != host.onCommand(buffer, 0, length))
        {
            throw new IllegalStateException("refused");
        }
    }

    /** The objects that are reachable, for each class. */
    private static String histogram() throws JMException
    {
        return (String)ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
            new Object[]{new String[0]}, new String[]{String[].class.getName()});
    }

    private static long total(final String histogram, final int column)
    {
        final String[] lines = histogram.strip().split("\n");
        return Long.parseLong(lines[lines.length - 1].strip().split(" +")[column]);
    }
}
