package io.escapement.arena.lobby;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.RoomChangedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.common.Received;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static io.escapement.arena.common.Received.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Names that others do not see, or take for another. */
class LobbyNamesTest
{
    private final InMemoryCharacters characters = new InMemoryCharacters();
    private final RoomBench bench = RoomBench.of(ArenaGame.all(characters))
        .service(InMemoryCharacters.SERVICE_ID, characters);
    private final BenchSeat ann = bench.join(1);
    private final BenchSeat bob = bench.join(2);
    private final ArenaSender annSays = new ArenaSender(ann::send);
    private final ArenaSender bobSays = new ArenaSender(bob::send);

    @AfterEach
    void shouldReplayToTheSame()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldRefuseNamesThatDoNotShow()
    {
        for (final String name : List.of("\u3164\u3164", "bob\u034F", "\u202Eevil", "bob\u200B", "  ", " bob", "bob ",
            "b  b", "\u2800\u2800", "bob\uDB40\uDC41"))
        {
            forget(ann);
            annSays.createRoom(1, name, 4, "courtyard", "");
            assertRefused(ArenaCode.TEXT_NOT_PRINTABLE, ann);
            forget(ann);
            annSays.createCharacter(2, name);
            assertRefused(ArenaCode.TEXT_NOT_PRINTABLE, ann);
        }
        assertTrue(characters.characterByIdMap.isEmpty());
        assertEquals(0, Received.count(ann, RoomCreatedDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldRefuseARoomThatLooksLikeAnother()
    {
        annSays.createRoom(1, "Scope Hill", 4, "courtyard", "");
        assertNotEquals(0, Received.last(ann, new RoomCreatedDecoder()).roomId());
        bobSays.createRoom(1, "Den", 4, "courtyard", "");
        final long den = Received.last(bob, new RoomCreatedDecoder()).roomId();
        // Cyrillic letters, a digit, a capital I.
        for (final String name : List.of("\u0405\u0441\u043E\u0440\u0435 Hill", "Sc0pe Hill", "SCOPE hill",
            "Scope HilI"))
        {
            forget(bob);
            bobSays.createRoom(2, name, 4, "courtyard", "");
            assertRefused(ArenaCode.NAME_TAKEN, bob);
            forget(bob);
            bobSays.changeRoom(3, den, name, null);
            assertRefused(ArenaCode.NAME_TAKEN, bob);
        }
        bobSays.changeRoom(4, den, "D\u0435n", null);
        assertEquals(den, Received.last(bob, new RoomChangedDecoder()).roomId(), "a look-alike of its own name");
    }

    /** Earlier refusals, and what counts for the rate. */
    private void forget(final BenchSeat seat)
    {
        bench.runFor(1_000_000_000L);
        seat.received().clear();
    }
}
