package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.engine.spi.LogInService;
import io.escapement.gateway.GatewayCredentials;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option that says who logs players in. */
final class LogInOptions
{
    /** Why an option of accounts is refused. */
    static final String NO_ACCOUNTS = "players have no accounts: remove it, or use --log-in accounts";

    /** Who logs players in. */
    private enum Kind
    {
        ACCOUNTS, GUESTS, GAME, TOKEN
    }

    private static final String OPTION = "--log-in";

    @Option(names = OPTION, paramLabel = "accounts|guests|game|token", description = "How players log in. " +
        "accounts: by name and password, with a database. guests: by a random key that their program keeps. game: " +
        "by the game's own log-in. token: by a token of an identity provider. Default: accounts if the rooms use " +
        "accounts, otherwise game if the game has a log-in, otherwise guests.")
    private Kind kind;

    /** Choose, and refuse a choice that the game or this server does not have. */
    void conclude(final Game game)
    {
        final boolean hasAccounts = Game.NO_ACCOUNTS != game.accountsServiceId();
        if (null == kind)
        {
            kind = hasAccounts ? Kind.ACCOUNTS : null == game.logIn() ? Kind.GUESTS : Kind.GAME;
        }
        final String reason = Kind.ACCOUNTS == kind && !DatabaseAccounts.isOnClassPath() ? DatabaseAccounts.MISSING :
            Kind.ACCOUNTS != kind && hasAccounts ? "the rooms of " + game.name() + " use accounts: remove it" :
            Kind.GAME == kind && null == game.logIn() ? game.name() + " has no log-in: use accounts or guests" : null;
        if (null != reason)
        {
            throw new ConfigException(OPTION, name(), reason);
        }
    }

    /** As the other, for a command without options of tokens. */
    void concludeWithoutTokens(final Game game)
    {
        ConfigException.check(Kind.TOKEN != kind, OPTION, name(), "only serve and gateway have it");
        conclude(game);
    }

    boolean isByTokens()
    {
        return Kind.TOKEN == kind;
    }

    boolean isByAccounts()
    {
        return Kind.ACCOUNTS == kind;
    }

    /** The option for another process. */
    List<String> arguments()
    {
        return List.of(OPTION, name());
    }

    /** The service, unless the accounts have it. */
    LogInService service(final Game game)
    {
        return Kind.GAME == kind ? game.logIn() : LogInService.guests();
    }

    /** How a gateway passes on the players' credentials. */
    GatewayCredentials credentials()
    {
        return isByAccounts() ? new PlayerCredentials() : GatewayCredentials.UNCHANGED;
    }

    private String name()
    {
        return null == kind ? null : kind.name().toLowerCase(Locale.ROOT);
    }
}
