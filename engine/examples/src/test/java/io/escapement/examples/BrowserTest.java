package io.escapement.examples;

import io.escapement.examples.chat.ChatCommand;
import io.escapement.examples.common.ExampleServer;
import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The pages in a Chromium. Skipped where none is found. */
@Timeout(120)
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
        final ChatCommand chat = new ChatCommand();
        Examples.commandLine().addSubcommand("tested", chat).parseArgs("tested");
        try (ExampleServer server = chat.launch(); BrowserPage ann = browser.newPage();
            BrowserPage ben = browser.newPage())
        {
            Tests.await(server::isReady, "the gateway");
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

    private static void enter(final BrowserPage page, final String url, final String name)
    {
        page.open(url);
        page.await("document.readyState === 'complete' && document.getElementById('door')");
        page.type("name", name);
        page.key("Enter");
        page.await("document.getElementById('people').textContent.includes('" + name + "')");
    }
}
