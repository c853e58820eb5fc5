package io.escapement.accounts;

import io.escapement.config.ConfigException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL without user and password. No driver, pool or migration can then log a URL with a password.
 */
final class DatabaseUrl
{
    private static final String OPTION = "databaseUrl";
    private static final String H2 = "jdbc:h2:";
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final Pattern PASSWORD_SETTING = Pattern.compile("(?i)(password=)[^&;]*");
    private static final Pattern PASSWORD_OF_HOST = Pattern.compile("//[^?;]*@");
    private static final int MIN_SECRET_LENGTH = 3;

    private final String url;
    private final String user;
    private final String password;
    private final boolean isH2;

    private DatabaseUrl(final String url, final String user, final String password, final boolean isH2)
    {
        this.url = url;
        this.user = user;
        this.password = password;
        this.isH2 = isH2;
    }

    /** Separate user and password override the URL's. */
    static DatabaseUrl parse(final String given, final String user, final String password)
    {
        final String lower = given.toLowerCase(Locale.ROOT);
        final boolean isH2 = isOfH2(given);
        if (!isH2 && !lower.startsWith(POSTGRESQL))
        {
            throw new ConfigException(OPTION, masked(given), "must start with " + H2 + " or " + POSTGRESQL);
        }
        final String separators = isH2 ? ";" : "?&";
        final String inUser = setting(given, separators, "user");
        final String inPassword = setting(given, separators, "password");
        final String bare = without(without(given, separators, "user"), separators, "password");
        if (!isH2 && PASSWORD_OF_HOST.matcher(bare).find())
        {
            throw new ConfigException(OPTION, masked(given),
                "set user and password by databaseUser and databasePassword, not before the host");
        }
        return new DatabaseUrl(bare, null != user ? user : inUser, null != password ? password : inPassword, isH2);
    }

    static boolean isOfH2(final String url)
    {
        return url.toLowerCase(Locale.ROOT).startsWith(H2);
    }

    private static String masked(final String url)
    {
        return PASSWORD_OF_HOST.matcher(PASSWORD_SETTING.matcher(url).replaceAll("$1***")).replaceAll("//***@");
    }

    boolean isH2()
    {
        return isH2;
    }

    /** The URL with defaults for settings that it does not contain. */
    String url()
    {
        if (!isH2)
        {
            return url;
        }
        // H2's shutdown hook must not close the database while the server drains. H2 refuses that option for a file
        // shared by several processes. A commit must be in the file before it is acknowledged, so that it survives the
        // end of the process. RetryingDatabase forces it to the disk. H2 would also answer a query from its last result
        // although another transaction has been committed since. Then a retry would not find the effects of the first
        // attempt.
        final String open = has("AUTO_SERVER") ? url : withSetting(url, "DB_CLOSE_ON_EXIT", "FALSE");
        return withSetting(withSetting(open, "WRITE_DELAY", "0"), "OPTIMIZE_REUSE_RESULTS", "FALSE");
    }

    String user()
    {
        return user;
    }

    String password()
    {
        return password;
    }

    boolean has(final String setting)
    {
        return null != setting(url, isH2 ? ";" : "?&", setting);
    }

    /** The first line of an exception's message, without the password. */
    String masked(final Exception ex)
    {
        final String message = ex.getMessage();
        final String safe = masked(null == message ? "" : message.lines().findFirst().orElse(""));
        return null == password || password.length() < MIN_SECRET_LENGTH ? safe : safe.replace(password, "***");
    }

    @Override
    public String toString()
    {
        return masked(url);
    }

    private static String withSetting(final String url, final String name, final String value)
    {
        return null != setting(url, ";", name) ? url : url + ';' + name + '=' + value;
    }

    private static String setting(final String url, final String separators, final String name)
    {
        final Matcher matcher = pattern(separators, name).matcher(url);
        if (!matcher.find())
        {
            return null;
        }
        // Only PostgreSQL encodes values as in a web URL.
        return separators.startsWith("?") ?
            URLDecoder.decode(matcher.group(2), StandardCharsets.UTF_8) : matcher.group(2);
    }

    private static String without(final String url, final String separators, final String name)
    {
        final String rest = pattern(separators, name).matcher(url).replaceAll((found) ->
            "?".equals(found.group(1)) ? "?" : "");
        return rest.replace("?&", "?").replaceAll("\\?$", "");
    }

    private static Pattern pattern(final String separators, final String name)
    {
        return Pattern.compile("(?i)([" + separators + "])" + name + "=([^&;]*)");
    }
}
