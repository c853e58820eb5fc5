package io.escapement.server;

import io.escapement.arena.codecs.EventKind;
import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The arena's page in a Chromium, against the program as users start it. Skipped where no Chromium is found. */
@RealTime("a browser of this machine")
class BrowserTest
{
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    /** Bots seldom attack a newcomer, which every page here is. */
    private static final long DEATH_NS = TimeUnit.MINUTES.toNanos(3);
    /** Longest wait in one question to the browser, which must answer within 30 s. */
    private static final int WAIT_MS = 1_500;
    private static final int BACKGROUND_MS = 40_000;
    private static final String OWN = "(() => { const g = arena.game; return g.own.body; })()";
    /** The own player as the server holds it. */
    static final String HELD = "(() => { const g = arena.game; return g.world.players[g.index]; })()";

    static final String KEEP_SOCKETS = "window.sockets = []; window.WebSocket = class extends WebSocket { " +
        "constructor(...values) { super(...values); sockets.push(this); } };";
    /** A name that the server admits, as long as the hostile text, which takes its place on the way to a page. */
    private static final String STAND_IN = "StandInForTheHostileTextHere";
    private static final String REPLACE_NAME = "window.WebSocket = class extends WebSocket { " +
        "constructor(...values) { super(...values); this.addEventListener('message', ({data}) => { " +
        "const bytes = new Uint8Array(data); const codes = (text) => [...text].map((c) => c.charCodeAt(0)); " +
        "const name = codes('" + STAND_IN + "'); " +
        "for (let at = bytes.indexOf(name[0]); at >= 0; at = bytes.indexOf(name[0], at + 1)) { " +
        "if (name.every((code, i) => bytes[at + i] === code)) { bytes.set(codes('" + HOSTILE + "'), at); } } }); } };";

    private static Program server;
    private static Program bots;
    private static Browser browser;
    private static String ingress;
    private static String response;
    private static String url;
    private static int accounts;

    @BeforeAll
    static void launch()
    {
        final Path program = findBrowser();
        ingress = Program.freeEndpoint();
        response = Program.freeEndpoint();
        server = new Program("serve", "--demo-accounts", "--listen", ingress, "--respond", response,
            "--database", "jdbc:h2:mem:browser", "--web-port", "0", "--web-log-in-rate", "600");
        server.awaitLine(ServeCommand.WEB);
        url = url(server, ServeCommand.WEB);
        bots = new Program("bots", "--server", ingress, "--respond", response, "--rooms", "1", "--seats", "3",
            "--spare", "13", "--trunks", "1", "--warm-up", "1", "--seconds", "600");
        bots.awaitLine(BotsCommand.WARM);
        browser = new Browser(program);
    }

    /** A Chromium, or the end of the class without one. */
    static Path findBrowser()
    {
        final Path program = Browser.find();
        if (null == program && !Browser.isRequired())
        {
            Assumptions.abort("no Chromium: set -Descapement.browser");
        }
        assertTrue(null != program, "no Chromium, though -Descapement.browser.required: set -Descapement.browser");
        return program;
    }

    /** The address that a server has printed after a word. */
    static String url(final Program server, final String word)
    {
        return server.line(word).substring(word.length()).trim();
    }

    @AfterAll
    static void end()
    {
        if (null != browser)
        {
            browser.close();
            bots.close();
            assertEquals(0, server.end(), () -> String.join("\n", server.lines));
        }
    }

    @Test
    void shouldPlay()
    {
        try (BrowserPage page = open())
        {
            signUp(page);
            page.type("lobby-chat-text", HOSTILE);
            page.key("Enter");
            page.await("document.querySelector('#lobby-chat li').textContent.includes('" + HOSTILE + "')");
            page.type("lobby-chat-text", "before \u202Eafter");
            page.key("Enter");
            page.await("document.querySelector('#lobby-chat li:last-child bdi.said').textContent === 'before after'");
            page.screenshot(PICTURES.resolve("lobby.png"));
            enter(page);
            run(page);
            act(page, EventKind.SHOT, () ->
            {
                page.mouse("mousePressed", 900, 300, "left");
                page.mouse("mouseReleased", 900, 300, "left");
            });
            act(page, EventKind.DASH, () -> page.key("Space"));
            act(page, EventKind.SWING, () -> page.key("KeyJ"));
            hit(page);
            page.screenshot(PICTURES.resolve("game.png"));
            page.key("Enter");
            page.type("room-chat-text", HOSTILE);
            page.key("Enter");
            page.await("document.querySelector('#room-chat').textContent.includes('" + HOSTILE + "')");
            assertEquals(0.0, page.eval("document.querySelectorAll('ol img').length"), "a text became an element");
            assertEquals(0.0, page.eval("arena.game.stats.gaps"), "lost states");
            assertHeldWhereShown(page);
            page.click("leave");
            page.await("!document.getElementById('lobby').hidden");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldPlayInAQuickMatch()
    {
        try (BrowserPage ann = open(); BrowserPage ben = open())
        {
            signUp(ann);
            final String bensName = signUp(ben);
            ann.click("quick-match");
            ann.await("document.getElementById('quick-match').ariaPressed === 'true'");
            ann.click("quick-match");
            ann.await("document.getElementById('quick-match').ariaPressed === 'false'");
            assertEquals(Boolean.TRUE, ann.eval("document.getElementById('toast').hidden"), "it stopped itself");
            ann.click("quick-match");
            ben.click("quick-match");
            awaitPlaying(ann);
            awaitPlaying(ben);
            ann.await("document.getElementById('room-title').textContent.includes('Quick match')");
            ann.await("[...arena.game.roster.values()].map((entry) => entry.name).includes('" + bensName + "')");
            assertEquals(2.0, ann.eval("arena.game.roster.size"), "players of the match");
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    @Test
    void shouldShowTwoPlayersToEachOther()
    {
        try (BrowserPage ann = open(); BrowserPage ben = open())
        {
            final String annsName = signUp(ann);
            final String bensName = signUp(ben);
            enter(ann);
            enter(ben);
            for (final BrowserPage page : List.of(ann, ben))
            {
                for (final String name : List.of(annsName, bensName))
                {
                    page.await("[...arena.game.roster.values()].some((entry) => entry.name === '" + name + "')");
                }
            }
            ann.keyDown("KeyD");
            final String annInBens = "arena.game.world.players[" + number(ann, "arena.game.index") + "]";
            ben.await(annInBens + ".vx > 0");
            ann.keyUp("KeyD");
            ben.await(annInBens + ".vx === 0 || !" + annInBens + ".isLiving");
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    @Test
    void shouldResumeWithItsSeatAfterTheNetworkWasCut()
    {
        try (BrowserPage page = open())
        {
            signUp(page);
            enter(page);
            final int index = number(page, "arena.game.index");
            page.eval("sockets.at(-1).close()");
            page.await("arena.connection.state !== 'open'");
            page.await("arena.connection.state === 'open' && arena.game.own && arena.game.own.canAct");
            assertEquals(index, number(page, "arena.game.index"), "another seat");
            assertEquals(2.0, page.eval("sockets.length"), "sockets");
            page.await("document.getElementById('banner').hidden");
            run(page);
            assertEquals(List.of(), page.errors());
        }
    }

    /** Browsers slow the timers of a page that nobody sees; the gateway's pings keep its connection. 40 s in full. */
    @Test
    void shouldPlayOnAfterItWasInTheBackground()
    {
        try (BrowserPage page = open(); BrowserPage other = open())
        {
            page.front();
            signUp(page);
            enter(page);
            final int index = number(page, "arena.game.index");
            other.front();
            page.await("document.hidden");
            for (int ms = 0; ms < BACKGROUND_MS; ms += WAIT_MS)
            {
                other.eval("new Promise((resolve) => setTimeout(resolve, " + WAIT_MS + "))");
            }
            assertEquals(Boolean.TRUE, page.eval("document.hidden"));
            page.front();
            page.await("!document.hidden");
            awaitPlaying(page);
            assertEquals(index, number(page, "arena.game.index"), "another seat");
            assertEquals(1.0, page.eval("sockets.length"), "the connection was lost");
            run(page);
            assertHeldWhereShown(page);
            assertEquals(List.of(), page.errors());
        }
    }

    /** In full only: it starts a gateway with TLS and another browser. */
    @Test
    void shouldPlayOverTls(@TempDir final Path directory) throws Exception
    {
        final Path[] pem = SelfSigned.write(directory);
        try (Program secure = new Program("gateway", "--server", ingress, "--respond", response, "--web-port", "0",
            "--cert", pem[0].toString(), "--key", pem[1].toString());
            Browser trusting = new Browser(Browser.find(), List.of("--ignore-certificate-errors")))
        {
            secure.awaitLine("https://");
            try (BrowserPage page = trusting.newPage())
            {
                page.size(1280, 800, false);
                page.beforeScripts(KEEP_SOCKETS);
                page.open(secure.line("https://"));
                page.await("document.body.dataset.ready === 'true'");
                signUp(page);
                enter(page);
                assertTrue(((String)page.eval("sockets.at(-1).url")).startsWith("wss://"));
                run(page);
                assertHeldWhereShown(page);
                assertEquals(List.of(), page.errors());
            }
        }
    }

    @Test
    void shouldPlayOnAfterAReload()
    {
        try (BrowserPage page = open())
        {
            signUp(page);
            final String player = "String(arena.connection.playerId)";
            final Object before = page.eval(player);
            page.open(url);
            page.await("!document.getElementById('lobby').hidden && document.querySelector('#characters li')");
            assertEquals(before, page.eval(player));
            enter(page);
            leaveBeforeALastMessage(page);
            page.await("!document.getElementById('lobby').hidden");
            page.click("log-out");
            page.await("!document.getElementById('door').hidden");
            page.open(url);
            page.await("document.body.dataset.ready === 'true' && !document.getElementById('door').hidden");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldPlayAsTheSameGuestAtTheNextVisit()
    {
        try (BrowserPage first = open())
        {
            first.front();
            first.key("Enter");
            awaitPlaying(first);
            final Object player = first.eval("String(arena.connection.playerId)");
            first.click("leave");
            first.click("log-out");
            first.await("document.activeElement.id === 'play'");
            final String name = (String)first.eval("/Guest-[0-9a-f]{6}/.exec(" + textOf("guest") + ")[0]");
            // Another tab has another session.
            try (BrowserPage second = open())
            {
                second.await(textOf("guest") + ".includes('" + name + "')");
                second.click("play");
                awaitPlaying(second);
                assertEquals(player, second.eval("String(arena.connection.playerId)"));
                assertEquals(name, second.eval("arena.game.roster.get(arena.game.index).name"));
                second.eval("localStorage.clear()");
                assertEquals(List.of(), second.errors());
            }
            assertEquals(List.of(), first.errors());
        }
    }

    @Test
    void shouldFitAPhoneInDaylight()
    {
        try (BrowserPage page = open())
        {
            page.size(390, 844, true);
            page.colours("light");
            signUp(page);
            page.screenshot(PICTURES.resolve("phone-lobby.png"));
            assertEquals(390.0, page.eval("document.documentElement.scrollWidth"), "the lobby is too wide");
            enter(page);
            page.screenshot(PICTURES.resolve("phone-game.png"));
            assertEquals(390.0, page.eval("document.documentElement.scrollWidth"), "the game is too wide");
            page.await("getComputedStyle(document.getElementById('stick-move')).display !== 'none'");
            assertEquals(List.of(), page.errors());
        }
    }

    /** The bots of its room see to the death, which takes half a minute or more: in full only. */
    @Test
    void shouldDieAndRespawn()
    {
        try (BrowserPage page = open())
        {
            signUp(page);
            enter(page);
            final String deaths = "(arena.game.stats.ownEvents[" + EventKind.DEATH.value() + "] || 0)";
            final String spawns = "(arena.game.stats.ownEvents[" + EventKind.SPAWN.value() + "] || 0)";
            final long startNs = System.nanoTime();
            while (0 == number(page, deaths) && System.nanoTime() - startNs < DEATH_NS)
            {
                page.eval("new Promise((resolve) => setTimeout(resolve, 250))");
            }
            assertTrue(number(page, deaths) > 0, "nobody killed a player who stands there");
            final int before = number(page, spawns);
            page.await("!document.getElementById('death').hidden && " +
                "document.getElementById('death').textContent.includes('Back in')");
            page.screenshot(PICTURES.resolve("death.png"));
            page.await(spawns + " > " + before + " && document.getElementById('death').hidden");
            page.await("arena.game.own.canAct && " + HELD + ".isLiving && " + HELD + ".health > 0");
            assertHeldWhereShown(page);
            run(page);
            assertEquals(List.of(), page.errors());
        }
    }

    /** The server refuses such a name of a character; its page does not rely on that. */
    @Test
    void shouldShowHostileNamesAsText()
    {
        try (BrowserPage hostile = open(url, REPLACE_NAME); BrowserPage other = open(url, REPLACE_NAME))
        {
            signUp(hostile);
            createCharacter(hostile, HOSTILE);
            hostile.await(textOf("toast") + ".includes('A name begins with a letter')");
            hostile.eval("document.getElementById('character-name').value = ''");
            createCharacter(hostile, STAND_IN);
            hostile.await(textOf("characters") + ".includes('" + HOSTILE + "')");
            hostile.eval("document.querySelector('details').open = true");
            hostile.type("room-name", HOSTILE);
            hostile.key("Enter");
            awaitPlaying(hostile);
            signUp(other);
            other.type("room-filter", HOSTILE);
            final String room = "[...document.querySelectorAll('#rooms li')]" +
                ".find((item) => item.textContent.includes('" + HOSTILE + "'))";
            other.await(room);
            other.eval(room + ".querySelector('button').click()");
            awaitPlaying(other);
            hostile.key("Enter");
            hostile.type("room-chat-text", "here");
            hostile.key("Enter");
            for (final BrowserPage page : List.of(hostile, other))
            {
                for (final String element : List.of("room-title", "scores", "room-chat"))
                {
                    page.await(textOf(element) + ".includes('" + HOSTILE + "')");
                }
                page.await("[...arena.game.roster.values()].some((entry) => entry.name === '" + HOSTILE + "')");
                assertEquals(0.0, page.eval("document.querySelectorAll('[onerror]').length"), "an element from a name");
                assertEquals(List.of(), page.errors());
            }
        }
    }

    /** An empty page has the origin "null". */
    @Test
    void shouldRefuseThePageOfAnotherOrigin()
    {
        try (BrowserPage page = browser.newPage())
        {
            final String socket = "new Promise((resolve) => { const socket = new WebSocket('" +
                url.replace("http://", "ws://") + "play', 'escapement.1'); " +
                "socket.onopen = () => resolve('open'); socket.onerror = () => resolve('refused'); })";
            assertEquals("refused", page.eval(socket));
            assertTrue(page.errors().toString().contains("403"), page.errors()::toString);
            page.open(url);
            page.await("document.body.dataset.ready === 'true'");
            assertEquals("open", page.eval(socket), "its own");
        }
    }

    /** In full only: it takes 8 s. */
    @Test
    void shouldPlayOnThroughAnotherGatewayWhenOneIsKilled()
    {
        try (Program killed = gateway(); Program other = gateway();
            LoadBalancer balancer = new LoadBalancer(killed.line("http://"));
            BrowserPage page = open(balancer.url(), KEEP_SOCKETS))
        {
            signUp(page);
            enter(page);
            final int index = number(page, "arena.game.index");
            final Object player = page.eval("String(arena.connection.playerId)");
            balancer.sendTo(other.line("http://"));
            killed.kill();
            page.await("arena.connection.state !== 'open' && !document.getElementById('banner').hidden");
            awaitPlaying(page);
            assertEquals(index, number(page, "arena.game.index"), "another seat");
            assertEquals(player, page.eval("String(arena.connection.playerId)"), "another player");
            page.await("document.getElementById('banner').hidden");
            run(page);
            assertHeldWhereShown(page);
            assertEquals(List.of(), page.errors());
        }
    }

    /** A chat arrives when the player has left. */
    private static void leaveBeforeALastMessage(final BrowserPage page)
    {
        page.eval("(() => { const socket = sockets.at(-1); const take = socket.onmessage; " +
            "socket.onmessage = (event) => { if (new TextDecoder().decode(event.data).includes('farewell')) { " +
            "document.getElementById('leave').click(); } take(event); }; })()");
        page.key("Enter");
        page.type("room-chat-text", "farewell");
        page.key("Enter");
    }

    private static Program gateway()
    {
        final Program gateway = new Program("gateway", "--server", ingress, "--respond", response, "--web-port", "0");
        gateway.awaitLine("http://");
        Program.awaitReady(gateway.line("http://"));
        return gateway;
    }

    private static BrowserPage open()
    {
        return open(url, KEEP_SOCKETS);
    }

    private static BrowserPage open(final String from, final String script)
    {
        return open(browser, from, script);
    }

    /** A page of the game, with a script that runs before its own. */
    static BrowserPage open(final Browser browser, final String from, final String script)
    {
        final BrowserPage page = browser.newPage();
        page.size(1280, 800, false);
        page.colours("dark");
        page.beforeScripts(script);
        page.open(from);
        page.await("document.body.dataset.ready === 'true'");
        return page;
    }

    static String signUp(final BrowserPage page)
    {
        final String name = "visitor" + accounts++;
        page.click("sign-up");
        page.type("account", name);
        page.type("password", "a long password");
        page.key("Enter");
        page.await("!document.getElementById('lobby').hidden && document.querySelector('#characters li')");
        return name;
    }

    static void enter(final BrowserPage page)
    {
        page.click("quick-play");
        awaitPlaying(page);
    }

    static void awaitPlaying(final BrowserPage page)
    {
        page.await("arena.connection.state === 'open' && !document.getElementById('game').hidden && " +
            "arena.game && arena.game.own && arena.game.own.canAct");
    }

    private static void createCharacter(final BrowserPage page, final String name)
    {
        page.type("character-name", name);
        page.key("Enter");
    }

    static String textOf(final String id)
    {
        return "document.getElementById('" + id + "').textContent";
    }

    /** Runs until the server has it elsewhere. A wall may be in one way, so it tries others. */
    private static void run(final BrowserPage page)
    {
        final int x = number(page, HELD + ".x");
        final int y = number(page, HELD + ".y");
        for (final String key : List.of("KeyD", "KeyS", "KeyA", "KeyW"))
        {
            page.keyDown(key);
            page.await(HELD + ".vx !== 0 || " + HELD + ".vy !== 0 || !" + HELD + ".isLiving");
            page.keyUp(key);
            page.await("!arena.game.own.isPlaced || !arena.game.own.hasChanged");
        }
        assertTrue(x != number(page, HELD + ".x") || y != number(page, HELD + ".y"), "it did not move");
    }

    /** Shoots at whoever is nearest until the server reports that it was hurt by this player. */
    static void hit(final BrowserPage page)
    {
        final long startNs = System.nanoTime();
        while (0 == number(page, "arena.game.stats.hits") && System.nanoTime() - startNs < DEATH_NS)
        {
            page.eval("(() => { const {game} = arena; const me = game.world.players[game.index]; " +
                "if (!game.own || !game.own.canAct || !me.isLiving) { return; } " +
                "const away = (p) => Math.hypot(p.x - me.x, p.y - me.y); " +
                "const near = game.world.players.filter((p, i) => p.isLiving && i !== game.index)" +
                ".sort((a, b) => away(a) - away(b))[0]; if (!near) { return; } " +
                "const scale = 1000 / Math.max(1, away(near)); " +
                "const x = Math.round((near.x - me.x) * scale), y = Math.round((near.y - me.y) * scale); " +
                // Along a wall that is in the way, for two seconds to one side, then to the other.
                "const place = me.x + ' ' + me.y; const isHeld = window.lastPlace === place; " +
                "window.lastPlace = place; window.held = (window.held || 0) + isHeld; " +
                "const side = window.held % 20 < 10 ? 1 : -1; " +
                "game.steer(isHeld ? -side * y : x, isHeld ? side * x : y); " +
                "game.own.shoot(x, y); game.own.melee(x, y); })()");
            page.eval("new Promise((resolve) => setTimeout(resolve, 100))");
        }
        page.eval("arena.game.steer(0, 0)");
        assertTrue(number(page, "arena.game.stats.hits") > 0, "nobody was hurt by this player");
    }

    /** Acts until the server has reported it: a player that is dead, or too early, acts in vain. */
    private static void act(final BrowserPage page, final EventKind kind, final Runnable input)
    {
        final String isDone = "(arena.game.stats.ownEvents[" + kind.value() + "] || 0) > 0";
        for (int i = 0; i < 40 && !Boolean.TRUE.equals(page.eval(isDone)); i++)
        {
            input.run();
            page.eval("new Promise((resolve) => setTimeout(resolve, 250))");
        }
        assertEquals(Boolean.TRUE, page.eval(isDone), () -> kind + " was not reported");
    }

    private static void assertHeldWhereShown(final BrowserPage page)
    {
        page.await("arena.game.own.canAct && " + HELD + ".isLiving && " + OWN + ".x === " + HELD + ".x && " +
            OWN + ".y === " + HELD + ".y");
    }

    static int number(final BrowserPage page, final String expression)
    {
        return ((Double)page.eval(expression)).intValue();
    }
}
