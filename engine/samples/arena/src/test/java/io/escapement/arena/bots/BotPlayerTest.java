package io.escapement.arena.bots;

import io.escapement.arena.client.ClientCommons;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.client.ClientSeat;
import io.escapement.client.ForgedSeats;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.server.BotOptions;
import io.escapement.server.BotProvider;
import java.util.HashSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A bot whose requests were overdue and sent again, so that two answers arrive. */
class BotPlayerTest
{
    private static final int NAME_TAKEN = 1;
    private static final long ARENA = 5;
    private static final byte[] TOKEN = {1, 2, 3};

    private final BotOptions options =
        new BotOptions(null, "", "", TOKEN, null, 65_536, false, 1, 2, 0, 1, 10, 1, 1, 1);
    private final BotPlayer bot = new BotPlayer(0, BotPlayer.Group.of(1)[0], options,
        new ClientCommons(new ArenaMaps()), new HashSet<>(), new NoHost(), null);
    private final ClientSeat lobby = ForgedSeats.of(LobbyRoom.ROOM_ID, 0, 1, 0);
    private final ClientSeat arena = ForgedSeats.of(ARENA, 0, 1, 0);

    @BeforeEach
    void logIn()
    {
        assertTrue(bot.onLogIn(0, 9, TOKEN));
        assertEquals(BotPlayer.Step.JOIN_LOBBY, bot.step());
    }

    @Test
    void shouldNotGoBackToTheLogInByALateAnswer()
    {
        bot.onJoined(lobby, 0);
        assertTrue(bot.onLogIn(NAME_TAKEN, 0, null), "nothing to do again");
        assertEquals(BotPlayer.Step.LIST, bot.step());

        bot.onJoined(arena, 0);
        assertTrue(bot.onLogIn(0, 9, TOKEN));
        assertEquals(BotPlayer.Step.PLAYING, bot.step());
    }

    @Test
    void shouldEnterAgainLaterWhenItIsRefused()
    {
        assertTrue(bot.onJoinRefused(LobbyRoom.ROOM_ID, 0));
        assertEquals(BotPlayer.Step.JOIN_LOBBY, bot.step());

        bot.onJoined(lobby, 0);
        bot.onJoined(arena, 0);
        assertTrue(bot.onLeft(arena));
        assertEquals(BotPlayer.Step.ENTER, bot.step());
        assertTrue(bot.onJoinRefused(ARENA, 0));
        assertEquals(BotPlayer.Step.ENTER, bot.step());
    }

    @Test
    void shouldNotGoOnToAnArenaByALateRefusalOfTheLobby()
    {
        bot.onJoined(lobby, 0);
        assertFalse(bot.onJoinRefused(LobbyRoom.ROOM_ID, 0));
        assertEquals(BotPlayer.Step.LIST, bot.step());
        assertFalse(bot.onJoinRefused(ARENA, 0));
        assertEquals(BotPlayer.Step.LIST, bot.step());
    }

    /** A trunk that connects again joins all of its players again. */
    @Test
    void shouldGoOnWhenItsSeatsAreJoinedAgain()
    {
        bot.onJoined(lobby, 0);
        bot.onJoined(arena, 0);
        bot.onJoined(lobby, 0);
        bot.onJoined(arena, 0);
        assertEquals(BotPlayer.Step.PLAYING, bot.step());
        assertFalse(bot.onJoinRefused(ARENA, 0), "the seat is there");
        assertEquals(BotPlayer.Step.PLAYING, bot.step());
        ForgedSeats.away(arena);
        assertTrue(bot.onJoinRefused(ARENA, 0), "the seat is gone");
        assertFalse(bot.isSeated());
        assertEquals(BotPlayer.Step.ENTER, bot.step());
    }

    /** A trunk that no server knows any more is made again, and the tokens of its players are void. */
    @Test
    void shouldLogInAgainWhenItsTokenIsVoid()
    {
        final int isVoid = TrunkCode.BAD_PLAYER_TOKEN.value();
        assertTrue(bot.onJoinRefused(LobbyRoom.ROOM_ID, isVoid));
        assertEquals(BotPlayer.Step.LOG_IN, bot.step());
        assertFalse(bot.onJoinRefused(LobbyRoom.ROOM_ID, isVoid), "it logs in already");
        logIn();

        bot.onJoined(lobby, 0);
        bot.onJoined(arena, 0);
        assertFalse(bot.onJoinRefused(ARENA, isVoid), "the seat is there");
        assertEquals(BotPlayer.Step.PLAYING, bot.step());
        ForgedSeats.away(arena);
        assertTrue(bot.onJoinRefused(ARENA, isVoid));
        assertFalse(bot.isSeated());
        assertEquals(BotPlayer.Step.LOG_IN, bot.step());
    }

    @Test
    void shouldLeaveForGoodWhenItIsStopped()
    {
        bot.onJoined(lobby, 0);
        bot.onJoined(arena, 0);
        bot.stop();
        assertFalse(bot.onLeft(arena));
        assertEquals(BotPlayer.Step.DONE, bot.step());
        assertEquals(Long.MAX_VALUE, bot.act(0));
    }

    /** A host that counts nothing. */
    private static final class NoHost implements BotProvider.Host
    {
        @Override
        public void onLogIn()
        {
        }

        @Override
        public void onSent()
        {
        }

        @Override
        public void onRefused()
        {
        }

        @Override
        public void onPing(final long ns)
        {
        }

        @Override
        public void onWait(final long ns)
        {
        }

        @Override
        public void onDelivered(final long more)
        {
        }

        @Override
        public void count(final String name, final long more)
        {
        }

        @Override
        public boolean tryLeave(final long nowNs)
        {
            return true;
        }
    }
}
