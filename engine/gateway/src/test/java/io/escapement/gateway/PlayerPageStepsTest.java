package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the minimal client of codecs/protocol/player.md: its send and await lines, in their order, against sessions. */
class PlayerPageStepsTest
{
    private static final Pattern STEP = Pattern.compile("^ *(send|await) (\\w+)", Pattern.MULTILINE);
    private static final long ROOM = 1;

    private final GatewayBench bench = new GatewayBench();
    private final List<String> received = new ArrayList<>();
    private FakeLink link;
    private int awaited;

    @Test
    void shouldPlayAsThePageSays() throws IOException
    {
        int steps = 0;
        for (final Matcher step = STEP.matcher(pseudoCode()); step.find(); steps++)
        {
            if ("send".equals(step.group(1)))
            {
                send(step.group(2));
            }
            else
            {
                bench.turns(3);
                received.addAll(link.take());
                assertTrue(awaited < received.size() && received.get(awaited).toLowerCase(Locale.ROOT)
                    .startsWith(step.group(2).toLowerCase(Locale.ROOT) + " "), () -> step.group() + ": " + received);
                awaited++;
            }
        }
        assertEquals(15, steps);
        assertEquals(List.of("welcome new", "loggedIn 1 0 7", "joined 2 1 7", "pong 9", "welcome resumed",
            "joined 0 1 7 return", "left 1 0"), received);
        assertEquals(CloseCode.NORMAL, link.closed);
        bench.turns(2);
        assertEquals(0, bench.sessions.sessions());
        assertEquals(List.of("logIn 7", "join 1 7", "send 1 7 hi", "away 1 7", "join 1 7", "leave 1 7"),
            bench.engine.log);
    }

    private void send(final String message)
    {
        switch (message)
        {
            case "Hello" ->
            {
                final byte[] token = null == link ? FakeLink.NO_TOKEN : link.token;
                if (null != link)
                {
                    link.lose();
                    bench.turns(3);
                }
                link = new FakeLink().open(bench.sessions, "10.0.0.1");
                link.hello(token);
            }
            case "LogIn" -> link.logIn(1, "7");
            case "Join" -> link.join(2, ROOM);
            case "Message" -> link.message(ROOM, "hi");
            case "Ping" -> link.pingGateway(9);
            case "Leave" -> link.leave(ROOM);
            case "Goodbye" -> link.goodbye();
            default -> throw new AssertionError("a step that this test does not know: " + message);
        }
    }

    private static String pseudoCode() throws IOException
    {
        final String page =
            Files.readString(Path.of("..", "..", "codecs", "protocol", "player.md"), StandardCharsets.UTF_8);
        final int start = page.indexOf("```pseudo\n");
        return page.substring(start, page.indexOf("```\n", start + 3));
    }
}
