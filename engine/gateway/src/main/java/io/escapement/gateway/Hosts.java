package io.escapement.gateway;

import io.escapement.config.ConfigException;
import io.netty.util.NetUtil;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names under which pages may reach a gateway. If a stranger's own name resolves to the gateway's address (DNS
 * rebinding), the Origin of the stranger's page equals its Host. An address in digits is always allowed.
 */
final class Hosts
{
    private static final String LOOPBACK_NAME = "localhost";
    private static final Pattern NAME = Pattern.compile("[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?");
    private static final Pattern PORT = Pattern.compile("(?::[0-9]{0,5})?");

    private final Set<String> names = new HashSet<>();

    Hosts()
    {
        names.add(LOOPBACK_NAME);
    }

    /** Allow a name, without a port, that an option has. */
    void add(final String option, final String name)
    {
        final String lower = name.toLowerCase(Locale.ROOT);
        ConfigException.check(NAME.matcher(lower).matches(), option, name,
            "use a name without scheme and port, such as play.example");
        names.add(lower);
    }

    /** Whether the value of a Host header names this gateway. */
    boolean has(final String header)
    {
        final int bracket = header.indexOf(']');
        final int colon = header.indexOf(':', bracket + 1);
        final int end = colon < 0 ? header.length() : colon;
        if (!PORT.matcher(header.substring(end)).matches())
        {
            return false;
        }
        final String name = header.substring(0, end);
        return name.startsWith("[") ? NetUtil.isValidIpV6Address(name) :
            NetUtil.isValidIpV4Address(name) || names.contains(name.toLowerCase(Locale.ROOT));
    }
}
