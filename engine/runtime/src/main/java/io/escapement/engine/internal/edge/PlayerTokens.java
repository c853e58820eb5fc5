package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.ByteOrder;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Signed proofs of a player's log-in on a trunk, with an expiry in wall-clock time, so that they stay valid in the next
 * incarnation. A log-in on another trunk voids the player's tokens of earlier trunks. Single-threaded. A check does not
 * allocate.
 */
final class PlayerTokens
{
    /** Maximum number of players. The last log-in of each is remembered until its token expires. */
    static final int MAX_PLAYERS = 1_000_000;

    private static final int MIN_PURGE = 1_024;

    /** Where a player logged in last. */
    private record LogIn(long trunkId, long expiryNs)
    {
    }

    private final TokenKeys keys;
    private final byte[] token = new byte[TokenKeys.PLAYER_TOKEN_LENGTH];
    private final UnsafeBuffer tokenBuffer = new UnsafeBuffer(token);
    private final Long2ObjectHashMap<LogIn> lastByPlayerMap = new Long2ObjectHashMap<>();
    private int purgeSize = MIN_PURGE;

    PlayerTokens(final TokenKeys keys)
    {
        this.keys = keys;
    }

    /** Make a token. Null if too many players have logged in. */
    byte[] issue(final long trunkId, final long playerId, final long nowNs, final long expiryNs)
    {
        if (lastByPlayerMap.size() >= purgeSize)
        {
            lastByPlayerMap.values().removeIf((logIn) -> logIn.expiryNs < nowNs);
            purgeSize = Math.min(MAX_PLAYERS, Math.max(MIN_PURGE, 2 * lastByPlayerMap.size()));
        }
        if (lastByPlayerMap.size() >= MAX_PLAYERS)
        {
            return null;
        }
        lastByPlayerMap.put(playerId, new LogIn(trunkId, expiryNs));
        final byte[] issued = new byte[TokenKeys.PLAYER_TOKEN_LENGTH];
        keys.signPlayer(trunkId, playerId, expiryNs, issued);
        return issued;
    }

    /**
     * Void the tokens of a player until a time, or until the next log-in.
     *
     * @param playerId of the player.
     * @param untilNs  wall-clock time at which the last of them has expired.
     */
    void end(final long playerId, final long untilNs)
    {
        lastByPlayerMap.put(playerId, new LogIn(TrunkMessages.NO_TRUNK, untilNs));
    }

    /** Where to put the bytes of a token before {@link #check}. */
    byte[] tokenBuffer()
    {
        return token;
    }

    int check(final long trunkId, final long playerId, final int length, final long nowNs)
    {
        if (token.length != length)
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        final long expiryNs = tokenBuffer.getLong(0, ByteOrder.BIG_ENDIAN);
        if (!keys.isPlayerToken(trunkId, playerId, expiryNs, token))
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        final LogIn last = lastByPlayerMap.get(playerId);
        if (null != last && last.trunkId != trunkId && last.expiryNs >= nowNs)
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        return nowNs > expiryNs ? TrunkCode.PLAYER_TOKEN_EXPIRED.value() : RefusalCode.NONE.value();
    }
}
