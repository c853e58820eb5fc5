package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RoomLoggerTest
{
    private final RecordingLogger logger = new RecordingLogger();
    private final ByteSink log = new ByteSink();

    @Test
    void shouldLogOfALiveRoomAndNotOfItsReplay()
    {
        final HostContext live = context();
        final RecordedHost recorded = new RecordedHost(live, log);
        open(recorded);
        recorded.close();
        assertEquals(List.of("room 1 opened"), logger.messages);

        final Replay replay = new Replay(LogFile.open(log.buffer(), 0, log.length()), context()).run();
        assertTrue(replay.isSame());
        assertEquals(1, replay.host().openRooms());
        assertEquals(List.of("room 1 opened"), logger.messages, "the replay must log nothing");
    }

    /** The seeded stream is state: a number more or less makes a replay differ. */
    @Test
    void shouldBeTheSameForARoomInAReplay()
    {
        final StringBuilder seen = new StringBuilder();
        final HostContext live = context(() -> new Drawing(seen));
        final RecordedHost recorded = new RecordedHost(live, log);
        logger.isThrowing = true;
        open(recorded);
        recorded.close();
        assertEquals(1, recorded.host.openRooms(), "a logger that throws is no fault of the room");
        final String liveSeen = seen.toString();

        seen.setLength(0);
        final Replay replay =
            new Replay(LogFile.open(log.buffer(), 0, log.length()), context(() -> new Drawing(seen))).run();
        assertTrue(replay.isSame(), replay::difference);
        assertEquals(liveSeen, seen.toString());
    }

    private static void open(final RecordedHost recorded)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        final int length = new RoomEncoder().openRoom(buffer, 0, 1, 7, 0, 0, 1, buffer, 0, 0);
        assertEquals(0, recorded.turn(1, buffer, length));
    }

    private HostContext context()
    {
        return context(Logging::new);
    }

    private HostContext context(final Supplier<RoomLogic> logic)
    {
        return new HostContext().outputs(NoOutputs.NONE).logger(logger).roomType(RoomType.of(1, "log", 1, logic));
    }

    private static final class Drawing implements RoomLogic
    {
        private final StringBuilder seen;

        Drawing(final StringBuilder seen)
        {
            this.seen = seen;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            final System.Logger log = room.logger();
            seen.append(log.getName()).append(log.isLoggable(System.Logger.Level.TRACE));
            log.log(System.Logger.Level.TRACE, () -> "drew " + room.random().nextInt(6));
            log.log(System.Logger.Level.INFO, "with a cause", new IllegalStateException("expected"));
            seen.append(room.random().nextLong());
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }
    }

    private static final class Logging implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.logger().log(System.Logger.Level.INFO, "room " + room.roomId() + " opened");
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }
    }

    private static final class RecordingLogger implements System.Logger
    {
        private final List<String> messages = new ArrayList<>();
        private boolean isThrowing;

        @Override
        public String getName()
        {
            return "test";
        }

        @Override
        public boolean isLoggable(final Level level)
        {
            return true;
        }

        @Override
        public void log(
            final Level level, final ResourceBundle bundle, final String message, final Throwable thrown)
        {
            add(message);
        }

        @Override
        public void log(final Level level, final ResourceBundle bundle, final String format, final Object... params)
        {
            add(format);
        }

        private void add(final String message)
        {
            if (isThrowing)
            {
                throw new IllegalStateException("expected");
            }
            messages.add(message);
        }
    }
}
