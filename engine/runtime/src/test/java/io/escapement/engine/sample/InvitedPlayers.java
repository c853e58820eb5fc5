package io.escapement.engine.sample;

import io.escapement.codecs.Codes;
import io.escapement.engine.spi.LogInService;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Logs in the players that have an invitation, a text that only one player knows. */
final class InvitedPlayers implements LogInService
{
    static final int NOT_INVITED = Codes.FIRST_APPLICATION_CODE;

    private final Map<String, Long> playerByInvitationMap;

    InvitedPlayers(final Map<String, Long> playerByInvitationMap)
    {
        this.playerByInvitationMap = playerByInvitationMap;
    }

    @Override
    public void logIn(final long trunkId, final byte[] credentials, final Reply reply)
    {
        final Long playerId = playerByInvitationMap.get(new String(credentials, StandardCharsets.UTF_8));
        if (null == playerId)
        {
            reply.onReply(NOT_INVITED, 0);
        }
        else
        {
            reply.onReply(0, playerId);
        }
    }
}
