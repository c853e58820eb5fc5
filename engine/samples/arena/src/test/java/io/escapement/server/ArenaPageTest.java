package io.escapement.server;

import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static io.escapement.server.BrowserTest.HELD;
import static io.escapement.server.BrowserTest.awaitPlaying;
import static io.escapement.server.BrowserTest.enter;
import static io.escapement.server.BrowserTest.number;
import static io.escapement.server.BrowserTest.signUp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * How the arena's page is handled and how it looks, and the arena on the console's page, in a Chromium. Without bots,
 * so nobody is hurt by chance.
 */
@RealTime("a browser of this machine")
class ArenaPageTest
{
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final double LEAST_CONTRAST = 4.5;
    private static final double LEAST_FONT_PX = 12;
    private static final double LEAST_LOBBY_FONT_PX = 14;
    private static final int LAG_MS = 400;
    private static final String LONGEST_NAME = "Wilhelmina-of-the-Long-Corridors";
    private static final int[][] WAYS = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    /** Whether the server has the own player run to a side, and hardly across. */
    private static final String RUNS = "((x, y) => { const {vx, vy} = " + HELD + "; " +
        "return vx * x + vy * y > 10 * Math.abs(vx * y - vy * x); })";
    /** Long enough to be seen as a way in the console's picture. */
    private static final int RUN_STATES = 12;
    /** The audio contexts of the page, and how many tones each has made. */
    private static final String KEEP_AUDIO = "window.audios = []; window.AudioContext = class extends AudioContext { " +
        "tones = 0; constructor() { super(); audios.push(this); } " +
        "createOscillator() { this.tones++; return super.createOscillator(); } };";
    private static final String HINTS =
        "[...document.querySelectorAll('.hint')].filter((hint) => hint.checkVisibility()).map((hint) => hint.id)";
    private static final String STANDS = HELD + ".vx === 0 && " + HELD + ".vy === 0 && !arena.game.own.hasChanged";

    private static Program server;
    private static Browser browser;
    private static String url;

    @BeforeAll
    static void launch()
    {
        final Path program = BrowserTest.findBrowser();
        server = new Program("serve", "--demo-accounts", "--listen", Program.freeEndpoint(), "--respond",
            Program.freeEndpoint(), "--database", "jdbc:h2:mem:page", "--web-port", "0", "--console-port", "0",
            // All tests sign up from one address.
            "--web-log-in-rate", "600");
        server.awaitLine(ServeCommand.CONSOLE);
        url = BrowserTest.url(server, ServeCommand.WEB);
        browser = new Browser(program);
    }

    @AfterAll
    static void end()
    {
        if (null != browser)
        {
            browser.close();
            assertEquals(0, server.end(), () -> String.join("\n", server.lines));
        }
    }

    @Test
    void shouldRunAndShootByTouch()
    {
        try (BrowserPage page = open())
        {
            page.size(390, 844, true);
            signUp(page);
            enter(page);
            assertEquals(List.of("hint-move", "hint-aim"), page.eval(HINTS));
            final double[] run = middle(page, "stick-move");
            boolean hasMoved = false;
            for (final int[] way : WAYS)
            {
                final int x = number(page, HELD + ".x");
                final int y = number(page, HELD + ".y");
                page.touch("touchStart", run);
                page.touch("touchMove", run[0] + 60 * way[0], run[1] + 60 * way[1]);
                page.await(RUNS + "(" + way[0] + ", " + way[1] + ")");
                assertNotEquals("", page.eval("document.querySelector('#stick-move i').style.transform"), "the knob");
                page.touch("touchEnd");
                page.await(STANDS);
                // A wall may be in one way.
                hasMoved |= x != number(page, HELD + ".x") || y != number(page, HELD + ".y");
            }
            assertTrue(hasMoved, "it did not move");
            assertEquals(List.of("hint-aim"), page.eval(HINTS));
            // One thumb rests while the other one points to the lower left.
            final double[] aim = middle(page, "stick-aim");
            page.touch("touchStart", run);
            page.touch("touchStart", run[0], run[1], aim[0], aim[1]);
            page.touch("touchMove", run[0], run[1], aim[0] - 50, aim[1] + 50);
            page.await("arena.game.world.shots.some((shot) => shot.owner === arena.game.index && " +
                "shot.vx < 0 && shot.vy > 0 && Math.abs(shot.vx + shot.vy) < shot.vy / 10)");
            page.touch("touchEnd");
            assertEquals(List.of(), page.eval(HINTS));
            assertEquals(Boolean.TRUE, page.eval(STANDS), "the resting thumb made it run");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldShowTheHealthThatTheServerHoldsAndMeasureItsMeters()
    {
        try (BrowserPage ann = open(); BrowserPage ben = open())
        {
            for (final BrowserPage page : List.of(ann, ben))
            {
                page.front();
                signUp(page);
                page.click("quick-match");
            }
            awaitPlaying(ann);
            awaitPlaying(ben);
            ann.front();
            ann.await(showsHealth("health === 100"));
            ben.front();
            BrowserTest.hit(ben);
            ann.front();
            ann.await(showsHealth("health > 0 && health < 100"));
            assertPingIsMeasured(ann);
            assertFrameRateIsMeasured(ann);
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    @Test
    void shouldCountTheRoundDown()
    {
        try (BrowserPage ann = open(); BrowserPage ben = open())
        {
            for (final BrowserPage page : List.of(ann, ben))
            {
                page.front();
                signUp(page);
                page.click("quick-match");
            }
            awaitPlaying(ann);
            final String round = BrowserTest.textOf("round");
            ben.await("/^(3:00|2:5\\d)$/.test(" + round + ")");
            ben.eval("window.before = " + round);
            ben.await(round + " < before");
            assertEquals(number(ann, "arena.game.round.endsAt"), number(ben, "arena.game.round.endsAt"));
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    @Test
    void shouldListTheLeadersInTheLobby()
    {
        try (BrowserPage ann = open(); BrowserPage ben = open())
        {
            final String annsName = signUp(ann);
            final String bensName = signUp(ben);
            ben.await("/^(A kill gives|Your best)/.test(" + BrowserTest.textOf("place") + ")");
            for (final BrowserPage page : List.of(ann, ben))
            {
                page.front();
                page.click("quick-match");
            }
            awaitPlaying(ann);
            ben.front();
            awaitPlaying(ben);
            while (number(ben, "arena.game.roster.get(arena.game.index)?.kills || 0") == 0)
            {
                ben.eval("arena.game.stats.hits = 0");
                BrowserTest.hit(ben);
            }
            ben.click("leave");
            ben.await("[...document.querySelectorAll('#leaders .own')].some((row) => row.textContent === '" +
                bensName + "1 kill')");
            ben.await("/^Your best place: \\d+$/.test(" + BrowserTest.textOf("place") + ")");
            ben.screenshot(PICTURES.resolve("leaders.png"));
            assertFalse(((String)ben.eval(BrowserTest.textOf("leaders"))).contains(annsName), "without a kill");
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    @Test
    void shouldBeReadableInDarkAndLight() throws IOException
    {
        try (BrowserPage page = open())
        {
            load(page, "readable.js");
            assertReadable(page, LEAST_FONT_PX);
            signUp(page);
            assertReadable(page, LEAST_LOBBY_FONT_PX);
            enter(page);
            page.await("document.querySelectorAll('#scores li').length > 0 && /ping/.test(" +
                BrowserTest.textOf("meters") + ")");
            assertReadable(page, LEAST_FONT_PX);
            assertEquals(List.of(), page.errors());
        }
    }

    /** In a game as full as it gets, with names and texts as long as they may be. */
    @ParameterizedTest
    @CsvSource({"780, 360, true", "844, 390, true", "390, 844, true", "1280, 800, false"})
    void shouldOverlapNothing(final int width, final int height, final boolean isPhone) throws IOException
    {
        try (BrowserPage page = open())
        {
            page.size(width, height, isPhone);
            load(page, "overlaps.js");
            assertNoOverlaps(page, 4, "the door");
            page.click("sign-up");
            assertNoOverlaps(page, 9, "the door with its form");
            signUp(page);
            assertNoOverlaps(page, 20, "the lobby");
            page.screenshot(PICTURES.resolve("lobby-" + width + ".png"));
            enter(page);
            assertNoOverlaps(page, 8, "the game");
            page.eval("fill('" + LONGEST_NAME + "')");
            assertNoOverlaps(page, 20, "a full game");
            page.eval("endRound(true)");
            page.await("!document.getElementById('pause').hidden && document.getElementById('death').hidden");
            page.await(BrowserTest.textOf("winners") + ".endsWith(' and 4 more tie with 12 kills')");
            page.await(BrowserTest.textOf("next-round") + ".startsWith('Next round in ')");
            assertNoOverlaps(page, 20, "the end of a round");
            page.await("/\\/arena\\/film.html#[1-9]\\d*\\/-?\\d+$/.test(document.getElementById('film').href)");
            page.screenshot(PICTURES.resolve("pause-" + width + ".png"));
            page.eval("endRound(false)");
            page.await("document.getElementById('pause').hidden && " + BrowserTest.textOf("round") + " === '0:05'");
            page.eval("for (const id of ['banner', 'toast']) { document.getElementById(id).hidden = false; " +
                "document.getElementById(id).textContent = 'The server is away for a moment. Your seat is held.'; }");
            assertNoOverlaps(page, 15, "messages");
            page.eval("document.getElementById('room-chat-text').focus()");
            assertNoOverlaps(page, 15, "messages while a text is written");
            page.eval("document.getElementById('banner').hidden = true");
            assertNoOverlaps(page, 15, "a message while a text is written");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldShowWhoWasKilled() throws IOException
    {
        try (BrowserPage page = open())
        {
            signUp(page);
            enter(page);
            load(page, "overlaps.js");
            for (final int width : new int[]{1280, 390, 780})
            {
                page.size(width, 780 == width ? 360 : 844, width < 1280);
                page.eval("fill('Guest-4f2a9c')");
                assertEquals("Guest-4f2a9c stopped " + page.eval("arena.game.roster.get(arena.game.index).name"),
                    page.eval("document.querySelector('#feed li:last-child').textContent"));
                assertEquals(List.of(), page.eval("[...document.querySelectorAll('#feed li:last-child bdi')]" +
                    ".filter((name) => name.clientWidth === 0 || name.scrollWidth > name.clientWidth)" +
                    ".map((name) => name.textContent)"), width + " wide: names without their end");
            }
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldMoveLessForThoseWhoPreferThat()
    {
        final String transition =
            "getComputedStyle(document.getElementById('health-bar')).transitionProperty";
        try (BrowserPage page = open())
        {
            signUp(page);
            enter(page);
            assertEquals("transform", page.eval(transition));
            assertEquals(Boolean.FALSE, page.eval("arena.isCalm"));
            page.prefer("dark", true);
            assertEquals("none", page.eval(transition));
            page.await("arena.isCalm");
            page.prefer("dark", false);
            page.await("!arena.isCalm");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldPlaySoundsAfterAGestureUnlessMuted()
    {
        try (BrowserPage page = BrowserTest.open(browser, url, KEEP_AUDIO))
        {
            assertEquals(0.0, page.eval("audios.length"), "before a gesture");
            signUp(page);
            enter(page);
            page.await("audios.length === 1 && audios[0].state === 'running'");
            awaitShot(page);
            page.await("audios[0].tones > 0");
            page.click("game-settings");
            page.await("document.getElementById('settings').open");
            page.click("mute");
            page.key("Enter");
            final int tones = number(page, "audios[0].tones");
            awaitShot(page);
            assertEquals(tones, number(page, "audios[0].tones"), "muted");
            page.open(url);
            page.await("document.body.dataset.ready === 'true' && !document.getElementById('lobby').hidden");
            page.click("lobby-settings");
            assertEquals(Boolean.TRUE, page.eval("document.getElementById('mute').checked"), "after a reload");
            assertEquals(0.0, page.eval("audios.length"), "muted");
            page.click("mute");
            assertEquals(1.0, page.eval("audios.length"), "a gesture too");
            page.eval("localStorage.removeItem('escapement.arena.settings')");
            assertEquals(List.of(), page.errors());
        }
    }

    private static void awaitShot(final BrowserPage page)
    {
        page.eval("arena.game.stats.ownEvents[5] = 0");
        page.await("arena.game.own.shoot(1000, 0) || arena.game.stats.ownEvents[5] > 0");
        page.await("arena.game.stats.ownEvents[5] > 0");
    }

    /** With the keyboard only, and at the size of a phone upright and on its side. */
    @Test
    void shouldChangeSettingsByKeyboardOnAnyScreen() throws IOException
    {
        try (BrowserPage page = open())
        {
            page.front();
            signUp(page);
            enter(page);
            load(page, "overlaps.js");
            page.eval("document.getElementById('game-settings').focus()");
            page.key("Enter");
            for (final String id : List.of("mute", "volume", "show-names", "calm"))
            {
                page.await("document.activeElement.id === '" + id + "'");
                assertEquals(1.0, page.eval("document.activeElement.labels.length"), "labels of " + id);
                if ("volume".equals(id))
                {
                    page.eval("document.activeElement.stepDown(); " +
                        "document.activeElement.dispatchEvent(new Event('input'))");
                }
                else
                {
                    page.key("Space");
                }
                page.key("Tab");
            }
            assertEquals("{\"isMuted\":true,\"volume\":55,\"showsNames\":false,\"isCalm\":true}",
                page.eval("localStorage.getItem('escapement.arena.settings')"));
            assertEquals(List.of(true, "none"), page.eval("[arena.isCalm, " +
                "getComputedStyle(document.getElementById('health-bar')).transitionProperty]"));
            for (final String scheme : List.of("dark", "light"))
            {
                page.colours(scheme);
                for (final int[] size : new int[][]{{1280, 800}, {390, 844}, {844, 390}, {320, 568}})
                {
                    page.size(size[0], size[1], size[0] < 1280);
                    final String fits = "(({left, top, right, bottom}) => left >= 0 && top >= 0 && " +
                        "right <= innerWidth && bottom <= innerHeight)(document.getElementById('settings')" +
                        ".getBoundingClientRect())";
                    page.await("innerWidth === " + size[0]);
                    assertEquals(Boolean.TRUE, page.eval(fits), size[0] + " wide");
                    page.screenshot(PICTURES.resolve("settings-" + scheme + '-' + size[0] + ".png"));
                }
            }
            page.key("Enter");
            page.await("!document.getElementById('settings').open && document.activeElement.id === 'canvas'");
            page.eval("localStorage.removeItem('escapement.arena.settings')");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldReachAllOfTheLobbyByKeyboardAndKeepTheFocus() throws IOException
    {
        try (BrowserPage page = open())
        {
            page.front();
            signUp(page);
            page.eval("document.querySelector('details').open = true");
            load(page, "focus.js");
            final int controls = number(page, "tabs.wanted().length");
            assertTrue(controls > 12, controls + " controls");
            for (int i = 0; i < 2 * controls && 0 < number(page, "tabs.missing().length"); i++)
            {
                page.key("Tab");
                page.eval("tabs.visit()");
            }
            assertEquals(List.of(), page.eval("tabs.missing()"), "not reached");
            assertEquals(List.of(), page.eval("tabs.unseen()"), "without a visible focus");
            page.eval("document.querySelector('#characters li').focus()");
            page.key("Enter");
            assertEquals("option", page.eval("document.activeElement.role"), "the focus of the chosen character");
            enter(page);
            page.await("document.activeElement.id === 'canvas'");
            page.click("leave");
            page.await("document.activeElement.id === 'quick-play'");
            assertEquals(List.of(), page.errors());
        }
    }

    @Test
    void shouldDrawAnArenaLiveInTheConsoleBesideItsDatabase() throws IOException
    {
        try (BrowserPage player = open(); BrowserPage console = browser.newPage())
        {
            signUp(player);
            enter(player);
            console.size(1280, 1000, false);
            console.colours("dark");
            console.open(BrowserTest.url(server, ServeCommand.CONSOLE));
            console.front();
            final String room = "[...document.querySelectorAll('#rooms tr')]" +
                ".find((row) => row.textContent.includes('arena-8') && row.cells[2].textContent === '1 / 8')";
            console.await(room);
            console.eval(room + ".querySelector('button').click()");
            load(console, "marks.js");
            console.eval("marks.colour = '" + player.eval("document.querySelector('#scores .own i').style.background") +
                "'");
            console.await("marks.middle() !== null");
            console.eval("marks.before = marks.middle()");
            final String hasMoved =
                "Math.hypot(marks.middle().x - marks.before.x, marks.middle().y - marks.before.y) > 4";
            for (int i = 0; i < WAYS.length && !Boolean.TRUE.equals(console.eval(hasMoved)); i++)
            {
                // Its page is behind the console's, where no key is held for long.
                final int[] way = WAYS[i];
                player.eval("arena.game.steer(" + 65_536 * way[0] + ", " + 65_536 * way[1] + ")");
                player.await(RUNS + "(" + way[0] + ", " + way[1] + ")");
                player.await("arena.game.stats.deltas >= " + (number(player, "arena.game.stats.deltas") + RUN_STATES));
            }
            console.await(hasMoved);
            // The player has signed up and got a character.
            console.await("[...document.querySelectorAll('#services tr')].some((row) => " +
                "row.cells[0].textContent === 'accounts' && Number(row.cells[6].textContent) >= 2)");
            assertEquals(List.of(), console.errors());
            assertEquals(List.of(), player.errors());
        }
    }

    private static BrowserPage open()
    {
        return BrowserTest.open(browser, url, BrowserTest.KEEP_SOCKETS);
    }

    /** The shown health and its meter are those of the last state. */
    private static String showsHealth(final String condition)
    {
        return "(({health}) => " + condition + " && " + BrowserTest.textOf("health-text") + " === String(health) && " +
            "document.getElementById('health').ariaValueNow === String(health))(" + HELD + ")";
    }

    /** Messages arrive later from now on, and the shown time of a round trip follows. */
    private static void assertPingIsMeasured(final BrowserPage page)
    {
        final String ping = "Number(/^ping (\\d+) ms, \\d+ frames\\/s$/.exec(" + BrowserTest.textOf("meters") + ")[1])";
        page.await(ping + " >= 0 && " + ping + " < " + LAG_MS);
        page.eval("(() => { const socket = sockets.at(-1); const take = socket.onmessage; " +
            "socket.onmessage = (event) => setTimeout(() => take(event), " + LAG_MS + "); })()");
        page.await(ping + " >= " + LAG_MS);
    }

    /** Between two values that the page shows, the test counts frames too. */
    private static void assertFrameRateIsMeasured(final BrowserPage page)
    {
        final Map<?, ?> rates = (Map<?, ?>)page.eval("new Promise((resolve) => { " +
            "const meters = document.getElementById('meters'); let frames = 0; let sinceMs = 0; " +
            "const count = () => { frames++; requestAnimationFrame(count); }; requestAnimationFrame(count); " +
            "new MutationObserver(() => { const nowMs = performance.now(); if (sinceMs > 0) { resolve({" +
            "shown: Number(/(\\d+) frames/.exec(meters.textContent)[1]), " +
            "counted: 1000 * frames / (nowMs - sinceMs)}); } sinceMs = nowMs; frames = 0; })" +
            ".observe(meters, {childList: true}); })");
        assertTrue((Double)rates.get("shown") > 0, rates::toString);
        // Of half a second: a frame more or less, and the time until the observer is called.
        assertEquals((Double)rates.get("counted"), (Double)rates.get("shown"), 6, rates::toString);
    }

    private static void assertReadable(final BrowserPage page, final double leastFontPx)
    {
        double lightness = 0;
        for (final String scheme : List.of("dark", "light"))
        {
            page.colours(scheme);
            for (final boolean isPhone : new boolean[]{false, true})
            {
                final int width = isPhone ? 390 : 1280;
                page.size(width, isPhone ? 844 : 800, isPhone);
                final Map<?, ?> found = (Map<?, ?>)page.eval("readable()");
                final String where = scheme + ", " + width + " wide: " + found;
                assertTrue((Double)found.get("texts") > 3, where);
                assertTrue((Double)found.get("contrast") >= LEAST_CONTRAST, where);
                assertTrue((Double)found.get("fontPx") >= leastFontPx, where);
                assertTrue((Double)found.get("width") <= width, where);
                if ("light".equals(scheme))
                {
                    assertTrue((Double)found.get("lightness") > lightness + 0.5, where + ", dark " + lightness);
                }
                else
                {
                    lightness = (Double)found.get("lightness");
                }
            }
        }
        page.size(1280, 800, false);
    }

    private static void assertNoOverlaps(final BrowserPage page, final int least, final String what)
    {
        assertEquals(List.of(), page.eval("overlaps()"), what);
        final int shown = number(page, "shown()");
        assertTrue(shown >= least, what + ": " + shown + " controls and texts");
    }

    /** The middle of an element in pixels. */
    private static double[] middle(final BrowserPage page, final String id)
    {
        final List<?> point = (List<?>)page.eval("(({left, top, width, height}) => " +
            "[left + width / 2, top + height / 2])(document.getElementById('" + id + "').getBoundingClientRect())");
        return new double[]{(Double)point.get(0), (Double)point.get(1)};
    }

    /** Run a script that is among the resources of the tests. */
    private static void load(final BrowserPage page, final String name) throws IOException
    {
        try (InputStream in = ArenaPageTest.class.getResourceAsStream(name))
        {
            page.eval(new String(in.readAllBytes(), StandardCharsets.UTF_8) + "true;");
        }
    }
}
