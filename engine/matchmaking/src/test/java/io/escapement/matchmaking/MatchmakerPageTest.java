package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.testsupport.PageConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** matchmaking.js with a matchmaker on a bench: each has what the other sends, byte by byte. */
class MatchmakerPageTest
{
    private static final int FRAMES = 4;
    private static final String MATCHMAKER = "1 ";

    private final MatchRig rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, 2).findTypeId(MatchRig.HALL), 2);
    private final List<String> calls = new ArrayList<>();
    /** None where the test is skipped, because JavaScript does not run on this JDK. */
    @AutoClose private PageConnection page;
    private MatchRig.Player player;
    private int eventsRead;

    @BeforeEach
    void open() throws IOException
    {
        page = new PageConnection("matchmaking.js", "messages/matchmaking.js");
        page.global("called", (Consumer<String>)calls::add);
        page.global("Matchmaker", page.load("matchmaking.js").getMember("Matchmaker"));
        page.eval("globalThis.matchmaker = new Matchmaker(connection, 1, " +
            "{onqueued: (missing) => called.accept('missing ' + missing)})");
    }

    @AfterEach
    void shouldNotHaveFailed()
    {
        assertEquals(List.of(), rig.bench.failures());
    }

    @Test
    void shouldJoinTheMatchInOneCall()
    {
        final Value seat = page.call("matchmaker.enqueue({rating: 1200, args: 'Ann'})");
        join();
        assertEquals(List.of("missing 0"), calls);
        assertEquals("waiting", text(seat));
        final MatchRig.Player other = rig.join(8);
        other.enqueue(1_210);
        pump();
        pump();
        assertEquals(other.roomId() + " Ann", page.nextJoin());
        assertEquals(List.of("8:1210:0", "7:1200:1"), rig.openedMap.get(other.roomId()));
        page.admit();
        assertEquals("room " + other.roomId(), text(seat));
    }

    @Test
    void shouldFindARoomWithLabels()
    {
        rig.openHall("0=desert", "3=casual");
        final long ranked = rig.openHall("0=desert", "3=ranked");
        final Value seat = page.call("matchmaker.find({0: 'desert', 3: 'ranked'})");
        join();
        pump();
        assertEquals(ranked + " ", page.nextJoin());
        page.refuse(77);
        assertEquals("refused 77", text(seat));
        final Value nowhere = page.call("matchmaker.find({0: 'sea'})");
        pump();
        pump();
        assertEquals("refused " + MatchmakingCode.NO_ROOM.value(), text(nowhere));
        assertEquals("RangeError", text(page.call("matchmaker.find({0: 'x'.repeat(31)})")));
        assertEquals("RangeError", text(page.call("matchmaker.find({0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e'})")));
    }

    @Test
    void shouldWaitForAParty()
    {
        final Value seat = page.call("matchmaker.enqueue({partyId: 99n, partySize: 2})");
        join();
        final MatchRig.Player other = rig.join(8);
        other.enqueue(0, 99, 2);
        pump();
        pump();
        assertEquals(List.of("missing 1", "missing 0"), calls);
        page.admit();
        assertEquals("room " + other.roomId(), text(seat));
    }

    @Test
    void shouldCancel()
    {
        page.eval("matchmaker.cancel()");
        final Value seat = page.call("matchmaker.enqueue()");
        join();
        page.eval("matchmaker.cancel()");
        pump();
        assertEquals("refused " + MatchmakingCode.CANCELLED.value(), text(seat));
        final Value again = page.call("matchmaker.enqueue()");
        pump();
        assertEquals("refused " + MatchmakingCode.ALREADY_QUEUED.value(), text(page.call("matchmaker.enqueue()")));
        assertEquals("waiting", text(again));
    }

    @Test
    void shouldRejectARefusedMessage()
    {
        final Value seat = page.call("matchmaker.enqueue({partySize: 1, partyId: 5n})");
        join();
        assertEquals(List.of(MatchmakingCode.BAD_REQUEST.value()), player.seat.refusals());
        page.refuseMessage(MatchmakingCode.NOT_QUEUED.value());
        assertEquals("waiting", text(seat), "that is the answer to an earlier Cancel");
        page.refuseMessage(MatchmakingCode.BAD_REQUEST.value());
        assertEquals("refused " + MatchmakingCode.BAD_REQUEST.value(), text(seat));
    }

    @Test
    void shouldRejectWhenTheSeatIsAwayOrLeft()
    {
        final Value away = page.call("matchmaker.enqueue()");
        join();
        page.away();
        assertEquals("ConnectionError", text(away));
        assertEquals("ConnectionError", text(page.call("matchmaker.enqueue()")));
        page.back();
        final Value left = page.call("matchmaker.enqueue()");
        page.left();
        assertEquals("ConnectionError", text(left));
        page.call("matchmaker.enqueue()");
        assertEquals(MATCHMAKER, page.nextJoin());
    }

    @Test
    void shouldRunThePageOfTheGuide() throws IOException
    {
        page.global("matchmakerId", 1);
        page.eval("globalThis.show = (text) => called.accept(text); globalThis.leaveButton = {}; " +
            "globalThis.onevent = null;");
        page.startReadme(Path.of("..", "guide", "matchmaking.md"), "Matchmaker");
        join();
        page.eval("leaveButton.onclick()");
        pump();
        assertEquals(List.of("0 friends are missing", "RefusedError " + MatchmakingCode.CANCELLED.value()), calls);
    }

    private static String text(final Value outcome)
    {
        return outcome.getMember("text").asString();
    }

    private void join()
    {
        assertEquals(MATCHMAKER, page.nextJoin());
        page.admit();
        player = rig.join(7);
        pump();
    }

    private void pump()
    {
        for (final byte[] message : page.takeSent())
        {
            player.seat.send(new UnsafeBuffer(message), 0, message.length);
        }
        rig.bench.step(FRAMES);
        for (; eventsRead < player.seat.events().size(); eventsRead++)
        {
            page.event(player.seat.events().get(eventsRead));
        }
    }
}
