package io.escapement.server;

import io.escapement.arena.bots.ArenaBots;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.function.BooleanSupplier;

/**
 * Players who enter, play and leave, so that the server is as before. Bots enter over trunks and open an arena, and
 * other players enter over WebSocket. Connections are lost, and some of them come back.
 */
@RealTime("sockets and other processes")
final class EnduranceCrowd
{
    private static final long LOBBY = LobbyRoom.ROOM_ID;
    /** Accounts that take turns: the database does not grow, and a seat that was lost is free when its turn comes. */
    private static final int RUNS = 8;
    /** Fewer, because an address logs in ten times per minute. */
    private static final int WEB_RUNS = 2;
    private static final int SEATS = 16;
    private static final int TRUNKS = 2;
    /** 30 inputs per second, so that the journal has a new segment after each hour or sooner. */
    private static final int SAMPLING = 30;
    private static final int TERM_LENGTH = 256 * 1_024;

    private final String listen;
    private final String respond;
    private final String url;
    private final long playNs;
    private BotHost bots;

    /** A crowd whose bots play for this time in each round. */
    EnduranceCrowd(final String listen, final String respond, final String url, final long playNs)
    {
        this.listen = listen;
        this.respond = respond;
        this.url = url;
        this.playNs = playNs;
    }

    /**
     * A round of players.
     *
     * @param round   number of rounds before.
     * @param isLossy whether some connections are lost for good. The engine and the gateway hold their seats for 30 s.
     */
    void play(final int round, final boolean isLossy)
    {
        final BotOptions options = new BotOptions(null, listen, respond, ServerOptions.secret(null, true), null,
            TERM_LENGTH, false, 1, SEATS, 0, TRUNKS, SAMPLING, 1, round % RUNS, round);
        try (BotHost opened = new BotHost(options, new ArenaBots()))
        {
            bots = opened;
            await("the bots in their arena", () -> options.players() == bots.entered());
            final long startNs = System.nanoTime();
            await("the bots to play", () -> System.nanoTime() - startNs >= playNs);
            visitByTrunk(round, isLossy);
            visitByWeb(round, isLossy);
            if (!isLossy)
            {
                bots.stop();
                await("the bots to leave", () -> 0 == bots.seated());
            }
        }
    }

    /** A player whose connection is lost and comes back, and is lost for good in a lossy round. */
    private void visitByTrunk(final int round, final boolean isLossy)
    {
        final TestPlayer player =
            new TestPlayer(bots.aeron(), listen, respond, ServerOptions.secret(null, true));
        await(player, "a trunk", player::isUp);
        final String name = "trunk" + round % RUNS;
        if (round < RUNS)
        {
            player.signUp(name);
        }
        else
        {
            player.logIn(name);
        }
        await(player, "a token", () -> 1 == player.logIns());
        await(player, "the request to be sent", () -> player.join(LOBBY));
        await(player, "a seat", () -> player.isIn(LOBBY));
        player.lose();
        player.comeBack();
        await(player, "the seat again", () -> player.isUp() && player.isIn(LOBBY));
        if (isLossy)
        {
            player.lose();
            return;
        }
        await(player, "the leave to be sent", () -> player.leave(LOBBY));
        await(player, "the seat to be left", () -> !player.isIn(LOBBY));
        player.close();
    }

    /** A player whose connection is lost and comes back, and is lost for good in a lossy round. */
    private void visitByWeb(final int round, final boolean isLossy)
    {
        final String name = "web" + round % WEB_RUNS;
        try (WebPlayer lost = round < WEB_RUNS ? new WebPlayer(url, name) : WebPlayer.known(url, name))
        {
            lost.ask(round);
            lost.await(WebPlayer.PAGE + round);
            lost.lose();
            try (WebPlayer back = WebPlayer.returning(url, lost))
            {
                back.ask(round);
                back.await(WebPlayer.PAGE + round);
                if (!isLossy)
                {
                    back.goodbye();
                }
            }
        }
    }

    private void await(final TestPlayer player, final String what, final BooleanSupplier condition)
    {
        await(what, () ->
        {
            player.poll();
            return condition.getAsBoolean();
        });
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            bots.turn();
            return condition.getAsBoolean();
        }, what);
    }
}
