package io.escapement.engine.spi;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GuestLogInTest
{
    private final List<Integer> statuses = new ArrayList<>();
    private final List<Long> players = new ArrayList<>();

    @Test
    void shouldKnowAPlayerByTheKey()
    {
        logIn("a random key of a page");
        logIn("another key of a page");
        logIn("a random key of a page");
        assertEquals(List.of(0, 0, 0), statuses);
        assertTrue(players.stream().allMatch((player) -> player > 0), players::toString);
        assertEquals(players.get(0), players.get(2));
        assertNotEquals(players.get(0), players.get(1));
    }

    @Test
    void shouldRefuseAKeyThatIsNoSecret()
    {
        logIn("fifteen bytes..");
        logIn("x".repeat(129));
        logIn("x".repeat(128));
        logIn("sixteen bytes ..");
        assertEquals(List.of(LogInService.BAD_GUEST_KEY, LogInService.BAD_GUEST_KEY, 0, 0), statuses);
    }

    private void logIn(final String key)
    {
        LogInService.guests().logIn(1, key.getBytes(StandardCharsets.UTF_8), (status, playerId) ->
        {
            statuses.add(status);
            players.add(playerId);
        });
    }
}
