package io.escapement.console;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The page's program runs as it is shown, on another port. */
class ReadmeTest
{
    private static final Path SOURCE = Path.of("src/test/java/io/escapement/console/ReadmeTest.java");

    @Test
    void shouldRunAsItIsShown() throws InterruptedException
    {
        final RoomType chat = RoomType.of(1, "chat", 1, () -> new RoomLogic()
        {
            @Override
            public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
            {
            }

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
            }
        });
        final byte[] secret = new byte[32];
        final CountDownLatch barrier = new CountDownLatch(0);

        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext console = new ConsoleContext().observe(monitor);      // before the engine's launch
        final TrunkServerContext trunks = new TrunkServerContext().ipc(true).secret(secret, true);
        try (Engine engine = Engine.launch(new EngineContext().roomType(chat).trunks(trunks).monitor(monitor));
            Console open = Console.launch(console.engine(engine).port(0)))
        {
            System.out.println(open.url());
            barrier.await();
        }
    }

    @Test
    void shouldShowWhatRuns() throws IOException
    {
        final String page = Files.readString(Path.of("..", "guide", "console.md"));
        final int start = page.indexOf("```java\n") + "```java\n".length();
        final String shown = flat(page.substring(start, page.indexOf("```", start))).replace("port(7071)", "port(0)");
        assertTrue(flat(Files.readString(SOURCE)).contains(shown), shown);
    }

    /** Without indentation. */
    private static String flat(final String text)
    {
        return text.strip().replaceAll("\\n\\s*", "\n");
    }
}
