package io.escapement.arena.lobby;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.common.Received;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A crowded lobby in which the connections of one address chat as much as they may. */
class LobbyChatTest
{
    private static final int PLAYERS = 480;
    private static final int STRANGERS = 64;
    private static final int WINDOWS = 3;
    private static final int STEPS_OF_WINDOW = 4;

    private final InMemoryCharacters characters = new InMemoryCharacters();
    private final RoomBench bench = RoomBench.of(ArenaGame.all(characters))
        .service(InMemoryCharacters.SERVICE_ID, characters);

    @Test
    void shouldLimitTheMessagesToPlayersAndShareThemOut()
    {
        final List<BenchSeat> seats = new ArrayList<>();
        for (int player = 1; player <= PLAYERS; player++)
        {
            seats.add(bench.join(player));
        }
        final BenchSeat honest = seats.get(PLAYERS - 1);
        int sent = 0;
        for (int window = 0; window < WINDOWS; window++)
        {
            final long before = chats(honest);
            for (int step = 0; step < STEPS_OF_WINDOW; step++)
            {
                for (int stranger = 0; stranger < STRANGERS; stranger++)
                {
                    new ArenaSender(seats.get(stranger)::send).lobbyChat(1, "spam");
                }
                bench.runFor(ChatBudget.WINDOW_NS / STEPS_OF_WINDOW);
            }
            final long beforeOwn = chats(honest);
            new ArenaSender(honest::send).lobbyChat(window, "hello");
            sent += chats(honest) - beforeOwn;
            assertTrue((chats(honest) - before) * PLAYERS <= 2 * ChatBudget.MESSAGES_PER_WINDOW,
                "texts of a window: " + (chats(honest) - before));
        }
        assertEquals(WINDOWS, sent, "one text in each window");
        assertEquals(List.of(), Received.refusals(honest));
        assertTrue(Received.refusals(seats.get(0)).contains(ArenaCode.CHAT_FLOOD));
        assertTrue(chats(honest) * PLAYERS <= (WINDOWS + 1) * ChatBudget.MESSAGES_PER_WINDOW, "all: " + chats(honest));
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    private static long chats(final BenchSeat seat)
    {
        return Received.count(seat, ChatDecoder.TEMPLATE_ID);
    }
}
