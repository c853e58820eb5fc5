package io.escapement.console;

import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The page in Chromium: skipped where there is none; about 4 s. */
@RealTime("a browser of this machine")
class BrowserTest
{
    private static final Path PICTURES = Path.of("target");

    /** Frames of the room as it is shown. */
    private static final String FRAMES = "Number([...document.querySelectorAll('#past-values tr')]" +
        ".find((row) => row.cells[0].textContent === 'frames')?.cells[1].textContent ?? 0)";

    private static Browser browser;

    @BeforeAll
    static void start()
    {
        final Path program = Browser.find();
        if (null == program)
        {
            assertTrue(!Browser.isRequired(), "no Chromium: set -Descapement.browser");
            Assumptions.abort("no Chromium: set -Descapement.browser");
        }
        browser = new Browser(program);
    }

    @AfterAll
    static void end()
    {
        if (null != browser)
        {
            browser.close();
        }
    }

    @Test
    void shouldShowAnEngineAndOperateIt(@TempDir final Path directory) throws IOException
    {
        final MonitorContext monitor = new MonitorContext().governor(false);
        final ConsoleContext context = new ConsoleContext().observe(monitor);
        final long first;
        try (Engine engine = Engine.launch(ConsoleTest.engineContext(monitor).recordTo(directory));
            Console console = launch(context.engine(engine));
            Player player = new Player(engine, ConsoleTest.HOSTILE); BrowserPage page = browser.newPage())
        {
            first = engine.openRoom(ConsoleTest.TYPE).roomId();
            engine.openRoom(ConsoleTest.TYPE);
            player.join(engine, first, 7);
            player.pollInBackground();
            page.size(1280, 1000, false);
            page.colours("dark");
            page.open(console.url());
            page.await("Number(document.body.dataset.events) > 2");
            assertEquals("", page.eval("location.hash"), "the token is still in the address bar");
            page.await("document.getElementById('head-rooms').textContent === '2'");
            page.await("[...document.querySelectorAll('#heat')].some((canvas) => canvas.getContext('2d')" +
                ".getImageData(60, 0, canvas.width - 60, canvas.height - 30).data.some((value) => value > 0))");
            page.await("document.querySelector('#curve canvas') !== null");
            // Numbers change.
            engine.openRoom(ConsoleTest.TYPE);
            page.await("document.getElementById('head-rooms').textContent === '3'");
            assertInert(page);
            page.await("document.getElementById('trunks').textContent.includes('onerror')");
            page.await("document.getElementById('services').textContent.includes('imgsrc')");
            page.eval("document.querySelector('#rooms [data-key=\"" + first + "\"]').click()");
            page.await("!document.getElementById('room').hidden");
            page.await("document.getElementById('seats').textContent.includes('present')");
            page.await("/\\d+ B|kB/.test(document.getElementById('room-figures').textContent)");
            assertNumbersChange(page);
            // The rows are replaced every two seconds. The button that has the focus keeps it.
            page.eval("document.querySelector('#seats button').focus()");
            page.eval("new Promise((resolve) => { const row = document.querySelector('#seats tr'); " +
                "const wait = () => row.isConnected ? setTimeout(wait, 50) : resolve(); wait(); })");
            assertEquals("7", page.eval("document.activeElement.dataset.key"));
            assertInert(page);
            kickAndCap(page, engine, first);
            lock(page);
            page.eval("document.getElementById('room-close').click()");
            page.await("document.getElementById('dialog').open");
            page.eval("document.getElementById('dialog-cancel').click()");
            page.await("!document.getElementById('dialog').open");
            assertEquals("3", page.eval("document.getElementById('head-rooms').textContent"));
            page.eval("document.getElementById('room-close').click()");
            page.eval("document.getElementById('dialog-run').click()");
            page.await("document.getElementById('head-rooms').textContent === '2'");
            page.await("document.getElementById('operations').textContent.includes('close room " + first + "')");
            page.screenshot(PICTURES.resolve("console.png"));
            assertTrue(Files.size(PICTURES.resolve("console.png")) > 0);
            page.eval("document.getElementById('drain').click()");
            page.await("document.getElementById('dialog').open");
            page.eval("document.getElementById('dialog-value').value = '0'");
            page.eval("document.getElementById('dialog-run').click()");
            Tests.await(() -> !engine.isAlive(), "the drain");
            page.await("document.getElementById('mode').textContent !== 'running'");
            // The page may have asked for the drawing of the room when that had just closed.
            final String gone = "404 (Not Found) http://127.0.0.1:" + console.port() + "/api/view?id=" + first;
            assertEquals(List.of(), page.errors().stream().filter((error) -> !error.contains(gone)).toList());
        }
        final List<String> commands = new ArrayList<>();
        Durability.journal(directory).read((logs) -> addCommands(commands, logs.get(0)));
        assertEquals(List.of("kick 7 of " + first), commands.stream().filter((one) -> one.startsWith("kick")).toList());
        assertTrue(commands.contains("cap 7 at 5"), commands::toString);
    }

    /** Nothing happens before the dialog is confirmed. */
    private static void kickAndCap(final BrowserPage page, final Engine engine, final long roomId)
    {
        final String ask = "document.querySelector('#seats button').click()";
        page.eval(ask);
        page.await("document.getElementById('dialog').open");
        assertEquals("Player 7 leaves room #" + (roomId & -1L >>> 10) + " and loses its seat.",
            page.eval("document.getElementById('dialog-effect').textContent"));
        page.eval("document.getElementById('dialog-cancel').click()");
        page.await("!document.getElementById('dialog').open");
        assertEquals(1, ConsoleTest.await(engine.operator().seats(roomId)).size());
        page.eval(ask);
        page.eval("document.getElementById('dialog-run').click()");
        Tests.await(() -> ConsoleTest.await(engine.operator().seats(roomId)).isEmpty(), "the kick");
        page.await("document.getElementById('seats').rows.length === 0");
        page.await("document.getElementById('operations').textContent.includes('kick player 7 from room " + roomId +
            "')");
        page.eval("document.querySelector('#type-form [name=cap]').click()");
        page.await("document.getElementById('dialog-title').textContent === 'Cap a frame rate'");
        page.eval("document.getElementById('dialog-value').value = '5'");
        assertEquals(60, ConsoleTest.await(engine.operator().figures(roomId)).rateHz());
        page.eval("document.getElementById('dialog-run').click()");
        Tests.await(() -> 5 == ConsoleTest.await(engine.operator().figures(roomId)).rateHz(), "the cap");
        page.await("document.getElementById('operations').textContent.includes('cap type 7 at 5 Hz')");
    }

    private static void lock(final BrowserPage page)
    {
        page.eval("document.getElementById('room-lock').click()");
        page.await("document.getElementById('dialog-effect').textContent.includes('no new players')");
        page.eval("document.getElementById('dialog-run').click()");
        page.await("document.getElementById('room-id').textContent.includes('locked')");
        page.await("document.getElementById('room-lock').textContent.startsWith('Unlock')");
        page.eval("document.querySelector('#type-form [name=unlock]').click()");
        page.await("document.getElementById('dialog-title').textContent === 'Unlock joins'");
        page.eval("document.getElementById('dialog-cancel').click()");
    }

    /** Kicks and caps of a recording. */
    private static void addCommands(final List<String> commands, final LogSource log)
    {
        final ProposalReader turn = new ProposalReader();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final KickDecoder kick = new KickDecoder();
        final SetRateDecoder setRate = new SetRateDecoder();
        while (log.next())
        {
            // A message that is no proposal has no commands.
            turn.wrap(log.buffer(), log.offset(), log.length());
            while (turn.nextCommand())
            {
                switch (header.wrap(turn.buffer(), turn.commandOffset()).templateId())
                {
                    case KickDecoder.TEMPLATE_ID ->
                    {
                        kick.wrapAndApplyHeader(turn.buffer(), turn.commandOffset(), header);
                        commands.add("kick " + kick.playerId() + " of " + kick.roomId());
                    }
                    case SetRateDecoder.TEMPLATE_ID ->
                    {
                        setRate.wrapAndApplyHeader(turn.buffer(), turn.commandOffset(), header);
                        commands.add("cap " + setRate.typeId() + " at " + setRate.rateHz());
                    }
                    default ->
                    {
                    }
                }
            }
        }
    }

    /** The value of a figure of the chosen room. */
    private static String figure(final String name)
    {
        return "[...document.querySelectorAll('#room-figures div')]" +
            ".find((one) => one.querySelector('dt').textContent === '" + name + "').querySelector('dd').textContent";
    }

    /** Answers with figures that no two cells share: each has its place. */
    @Test
    void shouldShowEachFigureInItsPlace() throws IOException
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext context = new ConsoleContext().observe(monitor);
        try (Engine engine = ConsoleTest.launch(monitor); Console console = Console.launch(context.engine(engine));
            BrowserPage page = browser.newPage())
        {
            final long roomId = engine.openRoom(ConsoleTest.TYPE).roomId();
            page.size(1280, 1000, false);
            page.beforeScripts(script("answers.js"));
            page.open(console.url());
            page.await("Number(document.body.dataset.events) > 0");
            assertEquals(List.of("0", " 34 %", "\u22122", "5", "+12", "300", "7000", "40", "1.5 ms", "3 / 4",
                "24.7 \u00b5s / 175 \u00b5s / 2.9 ms", "10.2 \u00b5s / 85 \u00b5s / 1.1 ms",
                "13.8 \u00b5s / 211 \u00b5s / 3.8 ms", "8", "9", "10", "11", "13"), cells(page, "loops"));
            assertEquals("heap 65 MB, 21 safepoints, 43 ms in them",
                page.eval("document.getElementById('jvm').textContent"));
            assertFeeds(page);
            page.await("document.getElementById('storage').rows.length === 1");
            assertEquals(List.of("0", "100 \u00b5s / 200 \u00b5s / 3 ms", "1", "2", "3", "40 ms"),
                cells(page, "storage"));
            page.await("document.querySelectorAll('#faults details').length === 2");
            assertEquals(List.of("Stall: room 5 has held loop 0 for 120 ms", "RoomFailure: room 5 failed"),
                page.eval("[...document.querySelectorAll('#faults summary')].map((one) => " +
                "one.textContent.replace(/^.*?  /, ''))"));
            page.eval("document.querySelectorAll('#faults summary')[1].click()");
            page.eval("window.before = document.querySelector('#faults li')");
            page.await("!before.isConnected");
            assertEquals("a.B.c(B.java:1)\nCaused by: d.E: text\nf.G.h(G.java:2)",
                page.eval("document.querySelector('#faults details[open] pre').textContent"), "open while it is read");
            page.await("document.querySelector('#rooms [data-key=\"" + roomId + "\"]') !== null");
            page.eval("document.querySelector('#rooms [data-key=\"" + roomId + "\"]').click()");
            page.await("!document.getElementById('room').hidden");
            assertEquals(List.of("4", "5", "6", "7", "8.0 kB"), List.of(page.eval(figure("timers")),
                page.eval(figure("requests")), page.eval(figure("states lost")), page.eval(figure("refused")),
                page.eval(figure("output"))));
            assertEquals("Last refusals: NOT_JOINED of seat 1, ROOM_LOCKED",
                page.eval("document.getElementById('room-refusals').textContent"));
            assertEquals(List.of(), page.errors());
        }
    }

    /** With figures that are as long as figures are after a day. */
    @Test
    void shouldShowEachTextWholeInWindowsOfEachWidth() throws IOException
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext context = new ConsoleContext().observe(monitor);
        try (Engine engine = ConsoleTest.launch(monitor); Console console = Console.launch(context.engine(engine));
            BrowserPage page = browser.newPage())
        {
            final long roomId = engine.openRoom(ConsoleTest.TYPE).roomId();
            page.beforeScripts(script("answers.js"));
            page.beforeScripts(script("whole-texts.js"));
            page.colours("dark");
            page.open(console.url());
            page.await("document.querySelector('#rooms [data-key=\"" + roomId + "\"]') !== null");
            page.eval("document.querySelector('#rooms [data-key=\"" + roomId + "\"]').click()");
            page.await("!document.getElementById('room').hidden");
            page.await("document.querySelectorAll('#faults details').length === 2");
            for (final int width : new int[]{1600, 1280, 1024, 390, 320})
            {
                page.size(width, 2400, width < 1000);
                page.await("innerWidth === " + width);
                page.screenshot(PICTURES.resolve("console-" + width + ".png"));
                assertEquals(List.of(), page.eval("notWhole()"), "at a width of " + width);
                assertEquals((double)width, page.eval("document.documentElement.scrollWidth"));
                assertEquals(width >= 1280, page.eval("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)" +
                    "(document.getElementById('loops').closest('.wide'))"), "whole loops at a width of " + width);
            }
            assertEquals(List.of(), page.errors());
        }
    }

    /** Draws the past of a room, forward and back, by the bar, by frames and as a film. */
    @Test
    void shouldScrubThroughThePastOfARoom(@TempDir final Path directory) throws IOException
    {
        final MonitorContext monitor = new MonitorContext().governor(false);
        final ConsoleContext context = new ConsoleContext().observe(monitor)
            .view(PastRoomsTest.TYPE, new PastRoomsTest.CountedView());
        try (Engine engine = Engine.launch(PastRoomsTest.engineContext(monitor, directory));
            Console console = Console.launch(context.engine(engine)); BrowserPage page = browser.newPage())
        {
            final long roomId = engine.openRoom(PastRoomsTest.TYPE).roomId();
            page.size(1280, 1600, false);
            page.colours("dark");
            page.open(console.url());
            page.await("document.querySelector('#rooms [data-key=\"" + roomId + "\"]') !== null");
            page.eval("document.querySelector('#rooms [data-key=\"" + roomId + "\"]').click()");
            page.await("document.getElementById('room-view').dataset.shown !== undefined");
            Tests.await(() -> ConsoleTest.await(engine.operator().figures(roomId)).callbacks() > 600, "ten seconds");
            page.eval("document.getElementById('room-past').click()");
            page.await("!document.getElementById('past-panel').hidden && " + FRAMES + " > 500");
            final double last = (Double)page.eval(FRAMES);
            page.eval("document.querySelector('[data-move=\"-frame\"]').click()");
            page.await(FRAMES + " === " + (last - 1));
            page.eval("document.querySelector('[data-move=frame]').click()");
            page.await(FRAMES + " === " + last);
            final String scrub = "const bar = document.getElementById('past-scrub'); bar.value = %s; " +
                "bar.dispatchEvent(new Event('input'))";
            page.eval("(() => {" + String.format(scrub, "bar.max - 6000") + "})()");
            page.await(FRAMES + " < " + (last - 240));
            final double before = (Double)page.eval(FRAMES);
            page.await("Math.abs(document.getElementById('room-view').dataset.shown.split(' ')[0] - " +
                (long)before % 256 + ") < 1");
            page.await("document.getElementById('past-lanes-note').textContent !== ''");
            page.screenshot(PICTURES.resolve("console-past.png"));
            page.eval("document.getElementById('past-speed').value = '8'");
            page.eval("document.getElementById('past-play').click()");
            page.await("document.getElementById('past-play').textContent === 'Play'");
            page.await(FRAMES + " > " + (last - 60));
            page.eval("document.getElementById('past-end').click()");
            page.await("document.getElementById('past-panel').hidden");
            assertEquals(List.of(), page.errors());
        }
    }

    private static String script(final String name) throws IOException
    {
        try (InputStream in = BrowserTest.class.getResourceAsStream(name))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Nothing of feeds is there until a loop has one. */
    private static void assertFeeds(final BrowserPage page)
    {
        final String isShown = "['feed', 'feeds'].map((id) => !document.getElementById(id).hidden)";
        final String note = "document.getElementById('feeds').textContent";
        assertEquals(List.of(false, false), page.eval(isShown));
        page.eval("window.hasFeed = true");
        page.await("document.querySelector('#loops td:nth-child(9)')?.textContent === '14 / 15'");
        assertEquals(List.of(true, true), page.eval(isShown));
        assertEquals("feeds: left by trunks 74, datagrams missed are not counted (the driver has no guarded endpoint)",
            page.eval(note));
        page.eval("window.hasGuards = true");
        page.await(note + " === 'feeds: left by trunks 73, datagrams missed 71, NAKs and errors ignored 72'");
        page.screenshot(PICTURES.resolve("console-feeds.png"));
        page.eval("window.hasFeed = false");
        page.await("document.getElementById('feeds').hidden");
        assertEquals(List.of(false, false), page.eval(isShown));
        assertEquals(18.0, page.eval("document.getElementById('loops').rows[0].cells.length"));
    }

    /** The texts of the first row of a table. */
    private static Object cells(final BrowserPage page, final String id)
    {
        return page.eval("[...document.getElementById('" + id + "').rows[0].cells].map((cell) => cell.textContent)");
    }

    private static Console launch(final ConsoleContext context)
    {
        return Console.launch(context.view(ConsoleTest.TYPE, new DrawnRooms()));
    }

    /** Of the head, a loop, a trunk, the chosen room and its drawing: each is shown, and another number follows. */
    private static void assertNumbersChange(final BrowserPage page)
    {
        page.await("document.getElementById('head-players').textContent === '1'");
        page.await("document.getElementById('room-view').dataset.shown.endsWith(' of 3')");
        for (final String shown : List.of("document.getElementById('now').textContent",
            "document.getElementById('head-up').textContent",
            "document.querySelector('#loops td:nth-child(7)').textContent",
            "document.querySelector('#trunks td:nth-child(4)').textContent",
            "document.querySelector('#room-figures div dd').textContent",
            "document.getElementById('jvm').textContent",
            "document.getElementById('room-view').dataset.readings"))
        {
            page.eval("window.before = " + shown);
            page.await(shown + " !== before");
        }
        assertEquals("0", page.eval("document.querySelector('#seats td:nth-child(4)').textContent"), "sequence");
    }

    @Test
    void shouldAskForATokenAndHideOperationsFromAViewer()
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext context = new ConsoleContext().observe(monitor);
        try (Engine engine = ConsoleTest.launch(monitor); Console console = Console.launch(context.engine(engine));
            BrowserPage page = browser.newPage())
        {
            page.size(390, 844, true);
            page.colours("light");
            page.open("http://127.0.0.1:" + console.port() + "/");
            page.await("!document.getElementById('sign-in').hidden");
            page.type("token", console.viewUrl());
            page.key("Enter");
            page.await("Number(document.body.dataset.events) > 0");
            assertEquals(Boolean.TRUE, page.eval("document.getElementById('operate').hidden"));
            assertEquals(390.0, page.eval("document.documentElement.scrollWidth"), "it is too wide for a phone");
            page.screenshot(PICTURES.resolve("console-phone.png"));
            assertEquals(List.of(), page.errors());
        }
    }

    /** The type's name is an element with a script, if anything takes it for HTML. */
    private static void assertInert(final BrowserPage page)
    {
        page.await("document.getElementById('rooms').textContent.includes('onerror')");
        assertEquals(0.0, page.eval("document.querySelectorAll('img').length"), "a name became an element");
    }
}
