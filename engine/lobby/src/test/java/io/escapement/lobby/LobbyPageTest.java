package io.escapement.lobby;

import io.escapement.lobby.codecs.LobbyCode;
import io.escapement.testsupport.PageConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** lobby.js with a lobby on a bench: each has what the other sends, byte by byte. */
class LobbyPageTest
{
    private static final Map<Integer, String> DESERT = Map.of(0, "desert");
    private static final String ROOMS = "() => lobby.rooms.map(({id, type, taken, seats, labels}) => " +
        "id + ' type ' + type + ' ' + taken + '/' + seats + ' ' + JSON.stringify(labels)).join('\\n')";

    private final LobbyRig rig = new LobbyRig(new Lobby.Context().chat(1, 1_000_000_000L));
    private final List<String> calls = new ArrayList<>();
    /** None where the test is skipped, because JavaScript does not run on this JDK. */
    @AutoClose private PageConnection page;
    private LobbyRig.Player player;
    private int eventsRead;
    private int statesRead;

    @BeforeEach
    void open() throws IOException
    {
        page = new PageConnection("lobby.js", "messages/lobby.js");
        page.global("called", (Consumer<String>)calls::add);
        final Value module = page.load("lobby.js");
        page.global("Lobby", module.getMember("Lobby"));
        page.eval("globalThis.lobby = new Lobby(connection, {name: 'Ann', " +
            "onchat: (name, text, epochMs, playerId) => called.accept(name + ': ' + text + ' ' + playerId), " +
            "onrefused: (code) => called.accept('refused ' + code)})");
    }

    @AfterEach
    void shouldNotHaveFailed()
    {
        assertEquals(List.of(), rig.bench.failures());
    }

    @Test
    void shouldHaveTheSchemaOfTheList()
    {
        assertEquals(Lobby.SCHEMA.toJson(), page.load("lobby.js").getMember("SCHEMA").asString());
    }

    @Test
    void shouldJoinOrCreateInOneCall()
    {
        final long desert = rig.open(LobbyRig.HALL, DESERT);
        final Value seat = page.call("lobby.joinOrCreate(3, {0: 'desert'}, 'args')");
        joinLobby();
        assertEquals(desert + " type 3 0/3 {\"0\":\"desert\"}", page.eval(ROOMS).execute().asString());
        pump();
        assertEquals(desert + " args", page.nextJoin());
        page.admit();
        assertEquals("room " + desert, text(seat));
        final Value other = page.call("lobby.joinOrCreate(3, {0: 'forest', 3: 'für alle'}, 'args')");
        pump();
        assertEquals(List.of(desert + " ", "3 args"), rig.opened);
        assertEquals("3 args", page.nextJoin());
        page.refuse(77);
        assertEquals("refused 77", text(other));
        assertEquals(desert + " type 3 0/3 {\"0\":\"desert\"}\n3 type 3 1/3 {\"0\":\"forest\",\"3\":\"für alle\"}",
            page.eval(ROOMS).execute().asString());
    }

    @Test
    void shouldCreateAndMatchQuickly()
    {
        final Value created = page.call("lobby.create(3)");
        joinLobby();
        pump();
        page.admit();
        assertEquals("room 2", text(created));
        final Value matched = page.call("lobby.quickMatch(3)");
        pump();
        page.admit();
        assertEquals("room 2", text(matched));
    }

    @Test
    void shouldRejectWithTheCodeOfTheLobby()
    {
        final Value unknown = page.call("lobby.joinOrCreate(99)");
        final Value second = page.call("lobby.joinOrCreate(3)");
        joinLobby();
        pump();
        assertEquals("refused " + LobbyCode.UNKNOWN_TYPE.value(), text(unknown));
        assertEquals("2 ", page.nextJoin());
        page.admit();
        assertEquals("room 2", text(second));
    }

    @Test
    void shouldRejectAMessageThatTheEngineRefuses()
    {
        final Value seat = page.call("lobby.joinOrCreate(3)");
        joinLobby();
        page.refuseMessage(140);
        assertEquals("refused 140", text(seat));
        assertEquals(List.of(), calls);
    }

    @Test
    void shouldTalk()
    {
        page.call("lobby.say('hello <b>')");
        joinLobby();
        pump();
        assertEquals(List.of("Ann: hello <b> 1"), calls);
        page.call("lobby.say('too fast')");
        page.takeSent();
        page.refuseMessage(LobbyCode.TOO_FAST.value());
        assertEquals("refused " + LobbyCode.TOO_FAST.value(), calls.get(1));
    }

    @Test
    void shouldRejectWhatTheLossOfTheConnectionLeavesOpenAndGoOnWhenItIsBack()
    {
        final Value lost = page.call("lobby.joinOrCreate(3)");
        joinLobby();
        page.takeSent();
        page.away();
        assertEquals("ConnectionError", text(lost));
        assertEquals("ConnectionError", text(page.call("lobby.joinOrCreate(3)")));
        page.back();
        player.seat.disconnect();
        player = rig.join(1, "Ann");
        statesRead = 0;
        eventsRead = 0;
        final long desert = rig.open(LobbyRig.HALL, DESERT);
        rig.settle();
        deliver();
        assertEquals(desert + " type 3 0/3 {\"0\":\"desert\"}", page.eval(ROOMS).execute().asString());
        final Value seat = page.call("lobby.joinOrCreate(3)");
        pump();
        page.admit();
        assertEquals("room " + desert, text(seat));
    }

    @Test
    void shouldJoinTheLobbyAgainAfterItsSeatWasFreed()
    {
        page.call("lobby.join()");
        joinLobby();
        page.left();
        final Value seat = page.call("lobby.joinOrCreate(3)");
        assertEquals("1 Ann", page.nextJoin());
        page.refuse(64);
        assertEquals("refused 64", text(seat));
        page.call("lobby.join()");
        assertEquals("1 Ann", page.nextJoin());
    }

    @Test
    void shouldRunThePageOfTheGuide() throws IOException
    {
        final long general = rig.open(LobbyRig.HALL, Map.of(0, "general"));
        page.global("CHAT", LobbyRig.HALL);
        page.eval("globalThis.show = (text) => called.accept(text); globalThis.onevent = null; " +
            "globalThis.list = (rooms) => called.accept(rooms.length + ' rooms')");
        page.startReadme(Path.of("../guide/rooms-together.md"), "Lobby");
        joinLobby();
        pump();
        assertEquals(general + " Ann", page.nextJoin());
        page.admit();
        pump();
        assertEquals("1 rooms", calls.get(0));
        assertEquals("Ann: I am in " + general, calls.get(calls.size() - 1));
    }

    private static String text(final Value outcome)
    {
        return outcome.getMember("text").asString();
    }

    private void joinLobby()
    {
        assertEquals("1 Ann", page.nextJoin());
        page.admit();
        player = rig.join(1, "Ann");
        rig.settle();
        deliver();
    }

    /** Send the page's messages to the lobby, and the answers to the page. */
    private void pump()
    {
        for (final byte[] message : page.takeSent())
        {
            player.seat.send(new UnsafeBuffer(message), 0, message.length);
        }
        rig.settle();
        deliver();
    }

    private void deliver()
    {
        for (; statesRead < player.seat.states().size(); statesRead++)
        {
            page.state(player.seat.states().get(statesRead));
        }
        for (; eventsRead < player.seat.events().size(); eventsRead++)
        {
            page.event(player.seat.events().get(eventsRead));
        }
    }
}
