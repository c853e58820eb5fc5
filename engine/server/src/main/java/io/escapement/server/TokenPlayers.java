package io.escapement.server;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.Engine;
import io.escapement.engine.spi.LogInService;
import io.escapement.tokens.TokenLogIn;
import io.escapement.tokens.TokenLogInContext;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/**
 * The log-in by tokens, of a library that a server may do without. It fetches keys only once the server has opened all
 * else. Until then log-ins are refused as SERVICE_FAILED, which players retry.
 */
final class TokenPlayers implements LogInService, AutoCloseable
{
    static final String MISSING = "escapement-tokens is not on the class path: add it";

    private static final System.Logger LOGGER = System.getLogger("io.escapement.server");

    private final TokenLogInContext context;
    private volatile TokenLogIn logIn;

    /** Of options, of which the last three may be null. */
    TokenPlayers(
        final String keys,
        final String issuer,
        final String audience,
        final String playerClaim,
        final Integer skewSeconds,
        final Path banned)
    {
        context = new TokenLogInContext().keys(keys).issuer(issuer).audience(audience).banned(banned)
            .errorHandler((ex) -> LOGGER.log(System.Logger.Level.WARNING, "tokens", ex));
        if (null != playerClaim)
        {
            context.playerClaim(playerClaim);
        }
        if (null != skewSeconds)
        {
            context.skewNs(TimeUnit.SECONDS.toNanos(skewSeconds));
        }
        context.conclude();
    }

    static boolean isOnClassPath()
    {
        return null != TokenPlayers.class.getResource("/io/escapement/tokens/TokenLogIn.class");
    }

    /** Fetch the keys, and remove banned players from an engine. */
    void start(final Engine engine)
    {
        context.bannedListener((playerIds) -> engine.operator().removePlayers(playerIds));
        logIn = TokenLogIn.launch(context);
    }

    @Override
    public void logIn(final long trunkId, final byte[] credentials, final Reply reply)
    {
        final TokenLogIn started = logIn;
        if (null == started)
        {
            reply.onReply(RefusalCode.SERVICE_FAILED.value(), 0);
        }
        else
        {
            started.logIn(trunkId, credentials, reply);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(logIn);
    }
}
