package io.escapement.console;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.http.HttpError;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RoomViewsTest
{
    private final MonitorContext monitor = new MonitorContext();
    private final ConsoleContext context = new ConsoleContext().observe(monitor);
    private final Engine engine = ConsoleTest.launch(monitor);

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

    /** The loop is held in a reading while others fill its inbox: the rooms are there, and soon to be seen. */
    @Test
    void shouldAskToTryAgainWhileTheInboxOfALoopIsFull() throws Exception
    {
        final long roomId = engine.openRoom(ConsoleTest.TYPE).roomId();
        final List<String> paths = List.of("/api/view?id=" + roomId + "&type=" + ConsoleTest.TYPE,
            "/api/room?id=" + roomId, "/api/rooms?loop=0&type=-1&from=0");
        final CountDownLatch isRead = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        try (Console console = Console.launch(context.engine(engine).view(ConsoleTest.TYPE, new DrawnRooms())))
        {
            final CompletableFuture<Boolean> held = engine.operator().read(roomId, (logic) ->
            {
                isRead.countDown();
                return awaits(mayGoOn);
            });
            isRead.await();
            CompletableFuture<?> last = held;
            for (int i = 0; i < EngineContext.INBOX_SLOTS_DEFAULT && !last.isCompletedExceptionally(); i++)
            {
                last = engine.operator().read(roomId, Object::toString);
            }
            for (final String path : paths)
            {
                final HttpResponse<String> busy = get(console, path);
                assertEquals(503, busy.statusCode(), path);
                assertEquals("1", busy.headers().firstValue("Retry-After").orElse("none"), path);
                assertEquals("the inbox of loop 0 is full\n", busy.body());
            }
            mayGoOn.countDown();
            assertTrue(held.get());
            // A reading is shared for a while, also one that failed.
            Tests.await(() -> paths.stream().allMatch((path) -> 200 == get(console, path).statusCode()), "answers");
        }
        finally
        {
            mayGoOn.countDown();
        }
    }

    private static boolean awaits(final CountDownLatch latch)
    {
        try
        {
            latch.await();
            return true;
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static HttpResponse<String> get(final Console console, final String path)
    {
        try
        {
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder()
                .uri(URI.create("http://127.0.0.1:" + console.port() + path))
                .header("Authorization", "Bearer " + console.viewUrl().replaceAll(".*#", "")).build(),
                HttpResponse.BodyHandlers.ofString());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
