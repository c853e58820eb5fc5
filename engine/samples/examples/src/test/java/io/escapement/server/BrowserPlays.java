package io.escapement.server;

import io.escapement.testsupport.BrowserPage;
import java.nio.file.Path;
import java.util.List;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Two players of each example, by the elements of its page. Pictures of both are kept. */
final class BrowserPlays
{
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    private static final String POSITION =
        "document.getElementById('position').textContent + ' ' + document.getElementById('cash').textContent";

    private BrowserPlays()
    {
    }

    static void dots(final BrowserPage ann, final BrowserPage ben)
    {
        for (final BrowserPage player : List.of(ann, ben))
        {
            player.await("document.getElementById('notice').textContent.startsWith('2 playing')");
        }
        ann.mouse("mouseMoved", 400, 200, "none");
        keepPictures("game", ann, ben);
    }

    /** Hostile text is shown as text. */
    static void chat(final BrowserPage ann, final BrowserPage ben)
    {
        enter(ann, "Ann", "#people");
        enter(ben, "<b>Ben", "#people");
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
        keepPictures("chat", ann, ben);
        assertEquals(0.0, ann.eval("document.querySelectorAll('#chat img, #chat b').length"),
            "a text became an element");
        ann.key("Enter");
        ann.await("document.getElementById('title').textContent === \"Ann's room\"");
        ben.await("document.getElementById('rooms').textContent.includes(\"Ann's room\")");
    }

    static void turns(final BrowserPage ann, final BrowserPage ben)
    {
        enter(ann, "Ann", ".players");
        enter(ben, "<b>Ben", ".players");
        for (int move = 0; move < 6; move++)
        {
            drop(0 == (move & 1) ? ann : ben, move & 1);
        }
        ann.await("document.getElementById('message').textContent === 'Your turn.'");
        drop(ann, 0);
        ann.await("document.getElementById('message').textContent === 'You win: four in a row.'");
        ben.await("document.getElementById('message').textContent === 'Ann wins: four in a row.'");
        keepPictures("turns", ann, ben);
    }

    static void trade(final BrowserPage ann, final BrowserPage ben)
    {
        for (final BrowserPage page : List.of(ann, ben))
        {
            page.await("document.getElementById('bid-quantity').textContent === 'nobody'");
        }
        ann.click("sell");
        ben.await("document.getElementById('ask').textContent === '100'");
        ben.eval("document.getElementById('quantity').value = '4'");
        ben.click("buy");
        for (final BrowserPage page : List.of(ann, ben))
        {
            page.await("document.querySelector('#fills .state').textContent === 'booked'");
        }
        assertEquals("-4 400", ann.eval(POSITION));
        assertEquals("4 -400", ben.eval(POSITION));
        ann.await("document.getElementById('orders').textContent.includes('sell 6 at 100')");
        keepPictures("exchange", ann, ben);
        ann.eval("document.querySelector('#orders button').click()");
        ben.await("document.getElementById('ask-quantity').textContent === 'nobody'");
    }

    private static void drop(final BrowserPage page, final int column)
    {
        page.await("!document.getElementById('board').children[" + column + "].disabled");
        page.eval("document.getElementById('board').children[" + column + "].click()");
        page.await("document.getElementById('board').children[" + column + "].disabled");
    }

    private static void enter(final BrowserPage page, final String name, final String people)
    {
        page.await("document.readyState === 'complete' && document.getElementById('door')");
        page.type("name", name);
        page.key("Enter");
        page.await("document.querySelector('" + people + "').textContent.includes('" + name + "')");
    }

    private static void keepPictures(final String name, final BrowserPage ann, final BrowserPage ben)
    {
        ann.screenshot(PICTURES.resolve(name + ".png"));
        ben.screenshot(PICTURES.resolve(name + "-phone.png"));
    }
}
