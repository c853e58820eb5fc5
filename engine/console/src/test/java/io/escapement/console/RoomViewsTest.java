package io.escapement.console;

import io.escapement.engine.Engine;
import io.escapement.engine.monitor.MonitorContext;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class RoomViewsTest
{
    private final Engine engine = ConsoleTest.launch(new MonitorContext());

    @AfterEach
    void close()
    {
        engine.close();
    }

    /** Ten pages at a room cost it as much as one. */
    @Test
    void shouldReadARoomForAllPagesAtOnce() throws HttpError
    {
        final long roomId = engine.openRoom(ConsoleTest.TYPE).roomId();
        final DrawnRooms drawn = new DrawnRooms();
        final RoomViews views = new RoomViews(Map.of(ConsoleTest.TYPE, drawn), engine.operator());
        for (int i = 0; i < 10; i++)
        {
            assertEquals(3, views.read(roomId, ConsoleTest.TYPE, i).length);
        }
        assertEquals(1, drawn.readings.get());
        views.read(roomId, ConsoleTest.TYPE, TimeUnit.MILLISECONDS.toNanos(100));
        assertEquals(2, drawn.readings.get());
    }

    @Test
    void shouldSurviveAViewThatFails() throws HttpError
    {
        final long roomId = engine.openRoom(ConsoleTest.TYPE).roomId();
        final DrawnRooms failing = new DrawnRooms();
        final RoomViews views = new RoomViews(Map.of(ConsoleTest.TYPE, failing), engine.operator());
        failing.failure = new IllegalStateException("of the view");
        assertEquals(504, assertThrows(HttpError.class, () -> views.read(roomId, ConsoleTest.TYPE, 0)).status());
        failing.failure = null;
        failing.length = RoomViews.MAX_LENGTH + 1;
        final long laterNs = TimeUnit.SECONDS.toNanos(1);
        assertEquals(500, assertThrows(HttpError.class, () -> views.read(roomId, ConsoleTest.TYPE, laterNs)).status());
        failing.length = 1;
        assertEquals(1, views.read(roomId, ConsoleTest.TYPE, 2 * laterNs).length);
        assertTrue(engine.isAlive());
        for (int i = 1; i <= RoomViews.LIMIT; i++)
        {
            final long other = roomId + 1_000 + i;
            assertThrows(HttpError.class, () -> views.read(other, ConsoleTest.TYPE, 2 * laterNs));
        }
        assertEquals(503,
            assertThrows(HttpError.class, () -> views.read(roomId + 9, ConsoleTest.TYPE, 2 * laterNs)).status());
        assertEquals(1, views.read(roomId, ConsoleTest.TYPE, 5 * laterNs).length, "the others are forgotten");
    }
}
