package io.escapement.server;

import io.escapement.config.ConfigException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of {@code --log-in token}. */
final class TokenOptions
{
    private static final String NO_TOKENS = "players have no tokens: remove it, or use --log-in token";

    private static final int MAX_SKEW_SECONDS = 600;

    @Option(names = "--jwks", paramLabel = "FILE|URL", description = "Keys of the identity provider whose JSON Web " +
        "Tokens log players in: a JSON Web Key Set, in a file or at an https URL.")
    private String keys;

    @Option(names = "--jwt-issuer", paramLabel = "TEXT", description = "Issuer of the tokens, as in their iss claim.")
    private String issuer;

    @Option(names = "--jwt-audience", paramLabel = "TEXT", description = "Audience of the tokens, as in " +
        "their aud claim.")
    private String audience;

    @Option(names = "--jwt-player-claim", paramLabel = "NAME", description = "Claim that identifies the player. An " +
        "integer is the player id. A text is hashed to a player id (default: sub).")
    private String playerClaim;

    @Option(names = "--jwt-skew", paramLabel = "SECONDS", description = "Maximum difference between the clocks of " +
        "the identity provider and of this host, 0 to 600 (default: 30).")
    private Integer skewSeconds;

    @Option(names = "--banned", paramLabel = "FILE", description = "File with the banned players, one per line, by " +
        "the value of the claim or by player id. A changed file is reread (default: none).")
    private Path banned;

    private TokenPlayers players;

    /** Check the options, and make the log-in if players have tokens. */
    void conclude(final boolean isByTokens)
    {
        if (isByTokens)
        {
            ConfigException.check(TokenPlayers.isOnClassPath(), "--log-in", "token", TokenPlayers.MISSING);
            ConfigException.check(null != keys && null != issuer && null != audience, "--log-in", "token",
                "set --jwks, --jwt-issuer and --jwt-audience too");
            ConfigException.check(null == skewSeconds || skewSeconds >= 0 && skewSeconds <= MAX_SKEW_SECONDS,
                "--jwt-skew", skewSeconds, "use 0 to " + MAX_SKEW_SECONDS);
            players = new TokenPlayers(keys, issuer, audience, playerClaim, skewSeconds, banned);
            return;
        }
        refuse("--jwks", keys);
        refuse("--jwt-issuer", issuer);
        refuse("--jwt-audience", audience);
        refuse("--jwt-player-claim", playerClaim);
        refuse("--jwt-skew", skewSeconds);
        refuse("--banned", banned);
    }

    private static void refuse(final String option, final Object value)
    {
        ConfigException.check(null == value, option, value, NO_TOKENS);
    }

    /** The log-in, or null if players have no tokens. */
    TokenPlayers players()
    {
        return players;
    }
}
