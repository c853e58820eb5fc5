package io.escapement.server;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.film.JournaledArena;
import io.escapement.arena.room.RoundTime;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The link of a finished round in a Chromium, without an account and without a trunk. */
@RealTime("a browser of this machine")
class FilmPageTest
{
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String NOTE = BrowserTest.textOf("film-note");

    private static Gateway gateway(final ArenaGame game)
    {
        final GatewayContext context = new GatewayContext().index(game.page()).secret(new byte[16])
            .udp(Program.freeEndpoint(), Program.freeEndpoint()).errorHandler((ex) -> { });
        game.configure(context);
        return Gateway.launch(context);
    }

    private static void open(final BrowserPage page, final Gateway gateway, final long roomId, final long endedAt)
    {
        // Another fragment alone is no other page.
        page.open("about:blank");
        page.open("http://127.0.0.1:" + gateway.port() + "/arena/film.html#" + roomId + "/" + endedAt);
    }

    private static void scrub(final BrowserPage page, final int subStep)
    {
        page.eval("(() => { const scrub = document.getElementById('film-scrub'); scrub.value = '" + subStep +
            "'; scrub.dispatchEvent(new Event('input')); })()");
        page.await("film.state.shown === " + subStep / 12 + " && !film.isPlaying");
    }

    @Test
    void shouldPlayARoundAgain(@TempDir final Path directory)
    {
        final ArenaGame game = new ArenaGame();
        try (JournaledArena arena = new JournaledArena(directory, game); Gateway gateway = gateway(game);
            Browser browser = new Browser(BrowserTest.findBrowser()); BrowserPage page = browser.newPage())
        {
            arena.join(1);
            arena.join(2);
            arena.playUntil(RoundTime.ROUND + 1_200);
            arena.awaitFiles();
            page.size(1280, 800, false);
            page.beforeScripts(BrowserTest.KEEP_SOCKETS);
            open(page, gateway, arena.roomId(), RoundTime.ROUND);
            page.await("film.state.pictures === 1801 && film.state.shown > 3 && film.state.players === 2");
            page.screenshot(PICTURES.resolve("film.png"));
            scrub(page, 12_000);
            scrub(page, 600);
            page.await("film.state.players === 2");
            page.eval("document.getElementById('film-speed').value = '8'; film.play(true)");
            page.await("film.state.shown > 150");
            scrub(page, RoundTime.ROUND);
            page.await(BrowserTest.textOf("film-time") + " === '3:00 / 3:00' && film.state.players === 0");
            page.size(390, 844, true);
            page.screenshot(PICTURES.resolve("film-phone.png"));
            assertEquals(0.0, page.eval("sockets.length"));
            assertEquals(List.of(), page.errors());
            open(page, gateway, arena.roomId(), 2 * RoundTime.ROUND + 720);
            page.await(NOTE + " === 'This round has not ended.\\n'");
            open(page, gateway, arena.roomId(), RoundTime.ROUND + 6);
            page.await(NOTE + ".startsWith('There is no film of this round here.')");
            page.screenshot(PICTURES.resolve("film-none.png"));
            assertTrue(Boolean.TRUE.equals(page.eval("document.getElementById('film-bar').hidden")));
        }
    }

    @Test
    void shouldSayWhyThereIsNoFilm()
    {
        final ArenaGame game = new ArenaGame();
        try (Gateway gateway = gateway(game);
            Browser browser = new Browser(BrowserTest.findBrowser()); BrowserPage page = browser.newPage())
        {
            open(page, gateway, 5, RoundTime.ROUND);
            page.await(NOTE + ".endsWith('or this server makes none.')");
            try (JournaledArena arena = new JournaledArena(null, game))
            {
                open(page, gateway, arena.roomId(), RoundTime.ROUND);
                page.await(NOTE + ".startsWith('This server keeps no log')");
            }
        }
    }
}
