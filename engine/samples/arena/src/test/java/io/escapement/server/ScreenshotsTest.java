package io.escapement.server;

import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Takes the pictures of the READMEs, on a host that does nothing else: {@code mvn test -pl engine/samples/arena
 * -Dtest=ScreenshotsTest -Descapement.pictures=true}. It takes {@code -Descapement.pictures.seconds=100} and more.
 */
@RealTime("a browser of this machine")
class ScreenshotsTest
{
    private static final Path ARENA = Path.of("arena.png");
    private static final Path CONSOLE = Path.of("..", "..", "console", "console.png");
    private static final int WIDTH = 1280;
    private static final int CONSOLE_WIDTH = 1600;
    private static final String NEAREST = "(() => { const {game} = arena; const me = game.world.players[game.index]; " +
        "return game.world.players.filter((p, i) => p.isLiving && i !== game.index)" +
        ".map((p) => ({p, d: Math.hypot(p.x - me.x, p.y - me.y)})).sort((a, b) => a.d - b.d)[0]; })()";
    /** Keeps away from whoever is near, and shoots at whoever is nearest. */
    private static final String FIGHT = "(() => { const {game} = arena; " +
        "if (!game.own || !game.own.canAct) { return; } const near = " + NEAREST + "; if (!near) { return; } " +
        "const me = game.world.players[game.index]; " +
        "const x = near.p.x - me.x, y = near.p.y - me.y; const s = 1000 / Math.max(1, near.d); " +
        "const run = near.d > 60000 ? 1 : -1; game.steer(Math.round(run * x * s), Math.round(run * y * s)); " +
        "game.own.shoot(Math.round(x * s), Math.round(y * s)); })()";

    @Test
    void shouldTakeThePictures()
    {
        Assumptions.assumeTrue(Boolean.getBoolean("escapement.pictures"), "-Descapement.pictures=true takes pictures");
        final int seconds = Integer.getInteger("escapement.pictures.seconds", 100);
        final String ingress = Program.freeEndpoint();
        final String response = Program.freeEndpoint();
        try (Program server = new Program("serve", "--demo-accounts", "--listen", ingress, "--respond", response,
            "--database", "jdbc:h2:mem:pictures", "--web-port", "0", "--console-port", "0");
            Program bots = bots(server, ingress, response); Browser first = new Browser(Browser.find());
            Browser second = new Browser(Browser.find()))
        {
            bots.awaitLine(BotsCommand.WARM);
            server.awaitLine(ServeCommand.CONSOLE);
            // A page that another one of its browser covers is hidden, and rests.
            try (BrowserPage game = first.newPage(); BrowserPage console = second.newPage())
            {
                enter(game, BrowserTest.url(server, ServeCommand.WEB));
                console.size(CONSOLE_WIDTH, 1752, false);
                console.colours("dark");
                console.open(BrowserTest.url(server, ServeCommand.CONSOLE));
                console.await("[...document.querySelectorAll('#rooms tr')].some((row) => " +
                    "row.textContent.includes('10 / 12'))");
                console.eval("[...document.querySelectorAll('#rooms tr')].find((row) => " +
                    "row.textContent.includes('10 / 12')).querySelector('button').click()");
                console.await("!document.getElementById('room-view').hidden");
                fight(game, seconds);
                console.eval("scrollTo(0, 0)");
                console.screenshot(CONSOLE);
                assertTrue(CONSOLE.toFile().length() > 0);
            }
        }
    }

    private static Program bots(final Program server, final String ingress, final String response)
    {
        server.awaitLine(ServeCommand.WEB);
        return new Program("bots", "--server", ingress, "--respond", response, "--rooms", "12", "--seats", "9",
            "--spare", "3", "--trunks", "3", "--warm-up", "1", "--seconds", "600");
    }

    private static void enter(final BrowserPage page, final String url)
    {
        page.size(WIDTH, 800, false);
        page.colours("dark");
        page.open(url);
        page.await("document.body.dataset.ready === 'true'");
        page.click("sign-up");
        page.type("account", "Harrison");
        page.type("password", "a long password");
        page.key("Enter");
        page.await("!document.getElementById('lobby').hidden && document.querySelector('#characters li')");
        // Its map fits the window.
        page.type("room-filter", "Arena 0");
        page.await("[...document.querySelectorAll('#rooms li')].length === 1");
        page.eval("document.querySelector('#rooms button').click()");
        page.await("arena.game && arena.game.own && arena.game.own.canAct");
    }

    /** The picture is taken when enough happens: shots in flight, and the own player in the score list alive. */
    private static void fight(final BrowserPage page, final int seconds)
    {
        final long endNs = System.nanoTime() + seconds * 1_000_000_000L;
        boolean hasChatted = false;
        double best = -1;
        while (System.nanoTime() < endNs)
        {
            page.eval(FIGHT);
            page.eval("new Promise((resolve) => setTimeout(resolve, 120))");
            if (!hasChatted)
            {
                page.eval("arena.game.chat('longitude, at last')");
                hasChatted = true;
            }
            final double action = (Double)page.eval("(() => { const {world, own, index} = arena.game; " +
                "if (!own || !own.isPlaced || !world.players[index].isLiving) { return -1; } " +
                "return world.shots.filter((shot) => shot.owner >= 0).length + 2 * " +
                "world.players.filter((p) => p.isLiving).length + 3 * world.players[index].kills; })()");
            if (action > best)
            {
                best = action;
                page.screenshot(ARENA);
            }
        }
    }
}
