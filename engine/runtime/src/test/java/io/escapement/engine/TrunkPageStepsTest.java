package io.escapement.engine;

import io.escapement.codecs.Shapes;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.monitor.TrunkReport;
import io.escapement.engine.trunks.TrunkServerContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs the minimal client of codecs/protocol/trunk.md: its send and await lines, in their order, against an engine. */
class TrunkPageStepsTest
{
    private static final Pattern STEP = Pattern.compile("^ *(send|await) (control|loop) (\\w+)", Pattern.MULTILINE);
    private static final Shapes SCHEMA = new Shapes("trunk.xml");
    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final byte PLAYER = 7;
    private static final int CONTROL = TrunkMessages.CONTROL_STREAM_ID;
    private static final int LOOP = TrunkMessages.loopStreamId(0);

    private final TestEngine engine = new TestEngine(new EngineContext().loops(1).roomType(EchoRoom.type())
        .trunks(new TrunkServerContext().secret(TestTrunk.SECRET, false)
            .logInService((trunkId, credentials, reply) -> reply.onReply(0, credentials[0]))));
    private final RoomHandle room = engine.engine().openRoom(1);
    private final RawTrunk trunk = new RawTrunk(engine);
    /** Received messages that a line has awaited. */
    private int awaited;

    @AfterEach
    void close()
    {
        trunk.close();
        engine.close();
    }

    @Test
    void shouldPlayAsThePageSays() throws IOException
    {
        trunk.isAcceptedWanted = true;
        trunk.open(CONTROL);
        int steps = 0;
        for (final Matcher step = STEP.matcher(pseudoCode()); step.find(); steps++)
        {
            if ("send".equals(step.group(1)))
            {
                send(step.group(3));
            }
            else
            {
                await(step.group(3));
            }
        }
        assertEquals(21, steps);
        assertEquals(List.of(), trunk.received.stream()
            .filter((message) -> message.matches("(?:Reject|Refused|EntryRefused|Goodbye) .*")).toList());
        assertEquals(List.of("Welcome false", "Welcome true"),
            trunk.received.stream().filter((message) -> message.startsWith("Welcome")).toList());
        engine.await("Goodbye", trunk::poll, () -> 0 == engine.engine().counter("escapement edge: trunks up"));
        final CompletableFuture<List<TrunkReport>> trunks = engine.engine().operator().trunks();
        engine.await("the report of trunks", trunk::poll, trunks::isDone);
        assertEquals(List.of(), trunks.join());
    }

    private void send(final String message)
    {
        switch (message)
        {
            case "Hello" -> trunk.hello(TrunkMessages.PROTOCOL_VERSION);
            case "Proof" -> trunk.proof(trunk.rightProof());
            case "Keepalive" -> trunk.keepalive();
            case "Attach" ->
            {
                trunk.open(LOOP);
                trunk.attach(0, trunk.trunkId, trunk.attachToken);
            }
            case "LogIn" -> trunk.logIn(1, new byte[]{PLAYER});
            case "Join" -> trunk.join(0, 2, room.roomId(), PLAYER, trunk.tokens.get(0));
            case "Send" -> trunk.sendMessage(0, room.roomId(), 0, 1, 1, PAYLOAD);
            case "Resume" -> resume();
            case "Leave" -> trunk.leave(0, room.roomId(), 0, 1);
            case "Goodbye" -> trunk.goodbye(TrunkCode.CLOSED_BY_PEER);
            default -> throw new AssertionError("a step that this test does not know: " + message);
        }
    }

    /** On new channels, as the page says in the line before. */
    private void resume()
    {
        trunk.drop(LOOP);
        trunk.drop(CONTROL);
        trunk.open(CONTROL);
        send("Hello");
        await("Challenge");
        trunk.resume(trunk.trunkId, trunk.resumeHigh, trunk.resumeLow);
    }

    private void await(final String message)
    {
        trunk.await(message + " after " + trunk.received.subList(0, awaited), () -> indexOf(message) >= 0);
        awaited = indexOf(message) + 1;
    }

    /** Of the next such message that no line has awaited, or -1. */
    private int indexOf(final String message)
    {
        for (int i = awaited; i < trunk.received.size(); i++)
        {
            final String received = trunk.received.get(i);
            final String name = received.startsWith("template ") ?
                SCHEMA.nameByTemplate.get(Integer.parseInt(received.substring("template ".length()))) :
                received.replaceFirst(" .*", "");
            if (message.equals(name))
            {
                return i;
            }
        }
        return -1;
    }

    private static String pseudoCode() throws IOException
    {
        final String page =
            Files.readString(Path.of("..", "..", "codecs", "protocol", "trunk.md"), StandardCharsets.UTF_8);
        final int start = page.indexOf("```pseudo\n");
        return page.substring(start, page.indexOf("```\n", start + 3));
    }
}
