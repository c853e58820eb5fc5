package io.escapement.engine.sample;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class InvitedPlayersTest
{
    private final InvitedPlayers service = new InvitedPlayers(Map.of("a secret text", 7L));
    private final List<String> replies = new ArrayList<>();

    @Test
    void shouldReplyWithThePlayerOrACode()
    {
        logIn("a secret text");
        logIn("another text");
        assertEquals(List.of("0 7", InvitedPlayers.NOT_INVITED + " 0"), replies);
    }

    private void logIn(final String invitation)
    {
        service.logIn(1, invitation.getBytes(StandardCharsets.UTF_8),
            (status, playerId) -> replies.add(status + " " + playerId));
    }
}
