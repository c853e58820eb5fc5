package io.escapement.examples;

import io.escapement.examples.chat.ChatGame;
import io.escapement.examples.turns.TurnsGame;
import io.escapement.server.Game;
import io.escapement.server.LocalServer;
import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The pages in a Chromium. Skipped where none is found. */
@RealTime("a browser of this machine")
class BrowserTest
{
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    private static Browser browser;

    @BeforeAll
    static void launch()
    {
        final Path program = Browser.find();
        if (null == program && !Browser.isRequired())
        {
            Assumptions.abort("no Chromium: set -Descapement.browser");
        }
        assertTrue(null != program, "no Chromium, though -Descapement.browser.required: set -Descapement.browser");
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
    void shouldChatAndShowHostileTextAsText()
    {
        try (LocalServer server = launch(new ChatGame()); BrowserPage ann = browser.newPage();
            BrowserPage ben = browser.newPage())
        {
            ann.colours("dark");
            ben.colours("light");
            ben.size(390, 780, true);
            enter(ann, server.url(), "Ann");
            enter(ben, server.url(), "<b>Ben");
            for (final String text : List.of("Hello, is this on?", HOSTILE))
            {
                ben.type("text", text);
                ben.key("Enter");
            }
            ann.await("document.getElementById('lines').textContent.includes('" + HOSTILE + "')");
            ben.type("text", "before \u202Eafter");
            ben.key("Enter");
            ann.await("document.querySelector('#lines li:last-child bdi.text').textContent === 'before after'");
            ann.type("text", "It is.");
            ann.key("Enter");
            ann.type("open-name", "Ann's room");
            ben.await("document.getElementById('lines').textContent.includes('It is.')");
            ann.await("document.getElementById('people').textContent === 'Ann, <b>Ben'");
            ann.screenshot(PICTURES.resolve("chat.png"));
            ben.screenshot(PICTURES.resolve("chat-phone.png"));
            assertEquals(0.0, ann.eval("document.querySelectorAll('#chat img, #chat b').length"),
                "a text became an element");
            ann.key("Enter");
            ann.await("document.getElementById('title').textContent === \"Ann's room\"");
            ben.await("document.getElementById('rooms').textContent.includes(\"Ann's room\")");
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    @Test
    void shouldPlayFourInARow()
    {
        try (LocalServer server = launch(new TurnsGame()); BrowserPage ann = browser.newPage();
            BrowserPage ben = browser.newPage())
        {
            ann.colours("dark");
            ben.colours("light");
            ben.size(390, 780, true);
            enterTable(ann, server.url(), "Ann");
            enterTable(ben, server.url(), "<b>Ben");
            for (int move = 0; move < 6; move++)
            {
                play(0 == (move & 1) ? ann : ben, move & 1);
            }
            ann.await("document.getElementById('message').textContent === 'Your turn.'");
            ann.screenshot(PICTURES.resolve("turns.png"));
            play(ann, 0);
            ann.await("document.getElementById('message').textContent === 'You win: four in a row.'");
            ben.await("document.getElementById('message').textContent === 'Ann wins: four in a row.'");
            ben.screenshot(PICTURES.resolve("turns-phone.png"));
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    private static void play(final BrowserPage page, final int column)
    {
        page.await("!document.getElementById('board').children[" + column + "].disabled");
        page.eval("document.getElementById('board').children[" + column + "].click()");
        page.await("document.getElementById('board').children[" + column + "].disabled");
    }

    private static void enterTable(final BrowserPage page, final String url, final String name)
    {
        page.open(url);
        page.await("document.readyState === 'complete' && document.getElementById('door')");
        page.type("name", name);
        page.key("Enter");
        page.await("document.querySelector('.players').textContent.includes('" + name + "')");
    }

    private static LocalServer launch(final Game game)
    {
        final LocalServer server = LocalServer.launch(game, 0, null);
        Tests.await(server::isReady, "the gateway");
        return server;
    }

    private static void enter(final BrowserPage page, final String url, final String name)
    {
        page.open(url);
        page.await("document.readyState === 'complete' && document.getElementById('door')");
        page.type("name", name);
        page.key("Enter");
        page.await("document.getElementById('people').textContent.includes('" + name + "')");
    }
}
