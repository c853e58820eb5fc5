package io.escapement.tokens;

import io.escapement.codecs.TrunkMessages;
import io.escapement.config.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;

/**
 * Options of {@link TokenLogIn}. {@link #conclude} or {@link TokenLogIn#launch} checks and freezes them: a wrong value
 * is a {@link ConfigException}, and a setter call after that an {@link IllegalStateException}.
 */
public final class TokenLogInContext
{
    /** See {@link #playerClaim(String)}. */
    public static final String PLAYER_CLAIM_DEFAULT = "sub";
    /** See {@link #skewNs(long)}. */
    public static final long SKEW_NS_DEFAULT = TimeUnit.SECONDS.toNanos(30);
    /** See {@link #refreshNs(long)}. */
    public static final long REFRESH_NS_DEFAULT = TimeUnit.MINUTES.toNanos(5);
    /** See {@link #retryNs(long)}. */
    public static final long RETRY_NS_DEFAULT = TimeUnit.SECONDS.toNanos(30);
    /** See {@link #timeoutNs(long)}. */
    public static final long TIMEOUT_NS_DEFAULT = TimeUnit.SECONDS.toNanos(5);
    /** See {@link #workers(int)}. */
    public static final int WORKERS_DEFAULT = 2;

    private static final long MAX_SKEW_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int MAX_WORKERS = 64;
    private static final int MAX_TEXT_LENGTH = 256;
    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private String keys;
    private String issuer;
    private String audience;
    private String playerClaim = PLAYER_CLAIM_DEFAULT;
    private Path banned;
    private Consumer<long[]> bannedListener = (playerIds) -> {};
    private long skewNs = SKEW_NS_DEFAULT;
    private long refreshNs = REFRESH_NS_DEFAULT;
    private long retryNs = RETRY_NS_DEFAULT;
    private long timeoutNs = TIMEOUT_NS_DEFAULT;
    private int workers = WORKERS_DEFAULT;
    private ErrorHandler errorHandler;
    private ThreadFactory threadFactory = TokenLogInContext::newDaemon;
    private EpochClock epochClock = SystemEpochClock.INSTANCE;
    private KeySource source;
    private KeySet firstKeys;
    private Set<String> firstBanned = Set.of();
    private boolean isConcluded;
    private boolean isLaunched;

    /**
     * The JSON Web Key Set of the identity provider: a file, or a URL of https, or of http on this machine. A file is
     * read when it has changed, and must be readable by its owner only if it has a secret of HS256. A URL is read in
     * its own thread, up to 64 KiB and without redirects, and its secrets are ignored, because everybody reads them.
     *
     * @param fileOrUrl of the keys.
     */
    public TokenLogInContext keys(final String fileOrUrl)
    {
        checkOpen();
        keys = fileOrUrl;
        return this;
    }

    /**
     * The issuer, which the claim {@code iss} must equal.
     *
     * @param value as the identity provider writes it.
     */
    public TokenLogInContext issuer(final String value)
    {
        checkOpen();
        issuer = value;
        return this;
    }

    /**
     * The audience, which the claim {@code aud} must be or contain. Without it a token for another application of the
     * issuer would log in.
     *
     * @param value as the identity provider writes it.
     */
    public TokenLogInContext audience(final String value)
    {
        checkOpen();
        audience = value;
        return this;
    }

    /**
     * The claim that says who the player is. Default {@code sub}. An integer from 1 to 2^62 - 1 is the player id. A
     * text of 1 to 256 characters becomes an id with bit 62 set and 62 bits of the text's SHA-256.
     *
     * @param name of the claim.
     */
    public TokenLogInContext playerClaim(final String name)
    {
        checkOpen();
        playerClaim = name;
        return this;
    }

    /**
     * A file of banned players, at most 10,000: a line for each, with the value of the player's claim or the player id
     * in digits. It is reread within a second of a change. Default: none.
     *
     * @param file or null.
     */
    public TokenLogInContext banned(final Path file)
    {
        checkOpen();
        banned = file;
        return this;
    }

    /**
     * Receives the ids on the list of banned players after each change, once per second for 30 s. It can thus remove
     * players who are in, and players who were logging in or joining. Called in a thread of the log-in. It may be set
     * after {@link #conclude}.
     *
     * @param value that may block.
     */
    public TokenLogInContext bannedListener(final Consumer<long[]> value)
    {
        // It removes players of an engine that is launched after the options are checked.
        if (isLaunched)
        {
            checkOpen();
        }
        bannedListener = value;
        return this;
    }

    /**
     * How far the clocks of the issuer and of this host may differ. Default 30 s, at most 10 minutes.
     *
     * @param ns from 0.
     */
    public TokenLogInContext skewNs(final long ns)
    {
        checkOpen();
        skewNs = ns;
        return this;
    }

    /**
     * Interval at which the keys are fetched. Default 5 minutes: a withdrawn key remains in use that long.
     *
     * @param ns at least the retry time.
     */
    public TokenLogInContext refreshNs(final long ns)
    {
        checkOpen();
        refreshNs = ns;
        return this;
    }

    /**
     * Shortest time between two fetches of the keys, after a failure or for a token of an unknown key. Default 30 s.
     *
     * @param ns at least the timeout.
     */
    public TokenLogInContext retryNs(final long ns)
    {
        checkOpen();
        retryNs = ns;
        return this;
    }

    /**
     * Longest time of a fetch, from the connection to the last byte. Default 5 s.
     *
     * @param ns at least 1 ms.
     */
    public TokenLogInContext timeoutNs(final long ns)
    {
        checkOpen();
        timeoutNs = ns;
        return this;
    }

    /**
     * Threads that verify signatures. Default 2. The JDK needs a core for one to three milliseconds per signature of
     * ES256 or EdDSA, and a tenth of it for RS256.
     *
     * @param count from 1 to 64.
     */
    public TokenLogInContext workers(final int count)
    {
        checkOpen();
        workers = count;
        return this;
    }

    /**
     * Receives faults. No token is in them.
     *
     * @param value the handler.
     */
    public TokenLogInContext errorHandler(final ErrorHandler value)
    {
        checkOpen();
        errorHandler = value;
        return this;
    }

    /**
     * Makes the threads. Default: daemons.
     *
     * @param value the factory.
     */
    public TokenLogInContext threadFactory(final ThreadFactory value)
    {
        checkOpen();
        threadFactory = value;
        return this;
    }

    /**
     * The time that tokens are compared with.
     *
     * @param value the clock.
     */
    public TokenLogInContext epochClock(final EpochClock value)
    {
        checkOpen();
        epochClock = value;
        return this;
    }

    /** Check all options, read the keys of a file and the banned players, and freeze all. Opens no connection. */
    public TokenLogInContext conclude()
    {
        if (isConcluded)
        {
            return this;
        }
        checkText("tokens.issuer", issuer, "name the issuer of the tokens, as in their claim iss");
        checkText("tokens.audience", audience, "name the audience of the tokens, as in their claim aud");
        checkText("tokens.playerClaim", playerClaim, "name a claim");
        checkRange("tokens.skewNs", skewNs, 0, MAX_SKEW_NS);
        checkRange("tokens.timeoutNs", timeoutNs, TimeUnit.MILLISECONDS.toNanos(1), Long.MAX_VALUE);
        checkRange("tokens.retryNs", retryNs, timeoutNs, Long.MAX_VALUE);
        checkRange("tokens.refreshNs", refreshNs, retryNs, Long.MAX_VALUE);
        checkRange("tokens.workers", workers, 1, MAX_WORKERS);
        ConfigException.check(null != errorHandler, "tokens.errorHandler", null, "set it");
        checkText("tokens.keys", keys, "name a file or a URL of a key set");
        concludeKeys();
        concludeBanned();
        isConcluded = true;
        return this;
    }

    void launched()
    {
        isLaunched = true;
    }

    private void concludeKeys()
    {
        if (keys.contains("://"))
        {
            source = new KeyServer(checkedUrl(), timeoutNs);
            return;
        }
        try
        {
            source = new KeyFile("tokens.keys", Path.of(keys));
            firstKeys = source.load();
        }
        catch (final KeyFailure | InvalidPathException ex)
        {
            throw new ConfigException("tokens.keys", keys, ex.getMessage() + ": name a file of a key set", ex);
        }
    }

    private URI checkedUrl()
    {
        try
        {
            final URI url = new URI(keys);
            final String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            ConfigException.check(null != url.getHost() && null == url.getRawUserInfo() && null == url.getRawFragment(),
                "tokens.keys", keys, "name a URL as https://HOST/PATH");
            ConfigException.check("https".equals(scheme) ||
                "http".equals(scheme) && LOOPBACK_HOSTS.contains(url.getHost()), "tokens.keys", keys,
                "use https: whoever is on the path could replace the keys");
            return url;
        }
        catch (final URISyntaxException ex)
        {
            throw new ConfigException("tokens.keys", keys, "name a URL as https://HOST/PATH", ex);
        }
    }

    private void concludeBanned()
    {
        try
        {
            firstBanned = null == banned ? Set.of() : BanList.read(banned);
        }
        catch (final IOException ex)
        {
            throw new ConfigException("tokens.banned", banned,
                "cannot be read: name a text file with a player per line, at most " + BanList.MAX_ENTRIES, ex);
        }
    }

    private static void checkText(final String option, final String value, final String remedy)
    {
        ConfigException.check(
            null != value && !value.isBlank() && value.length() <= MAX_TEXT_LENGTH, option, value, remedy);
    }

    private static void checkRange(final String option, final long value, final long min, final long max)
    {
        ConfigException.check(value >= min && value <= max, option, value, "use " + min + " to " + max);
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the options are frozen: set them before the launch");
        }
    }

    private static Thread newDaemon(final Runnable task)
    {
        final Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    String keys()
    {
        return keys;
    }

    String issuer()
    {
        return issuer;
    }

    String audience()
    {
        return audience;
    }

    String playerClaim()
    {
        return playerClaim;
    }

    int tokenLimit()
    {
        return TrunkMessages.MAX_LOG_IN_LENGTH;
    }

    long skewNs()
    {
        return skewNs;
    }

    long refreshNs()
    {
        return refreshNs;
    }

    long retryNs()
    {
        return retryNs;
    }

    int workers()
    {
        return workers;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    EpochClock epochClock()
    {
        return epochClock;
    }

    Thread newThread(final String name, final Runnable task)
    {
        final Thread thread = threadFactory.newThread(task);
        thread.setName(name);
        return thread;
    }

    KeyRefresh newKeyRefresh(final TokenCounters counters)
    {
        return new KeyRefresh(this, source, firstKeys, counters);
    }

    BanList newBanList(final TokenCounters counters)
    {
        return new BanList(banned, firstBanned, counters, bannedListener);
    }
}
