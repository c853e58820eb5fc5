package io.escapement.server;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces the libraries' options in their messages by the command line's options. */
final class OptionNames
{
    private static final Map<String, String> OF_SERVER = Map.ofEntries(
        Map.entry("trunks.udp", "--listen, --respond"),
        Map.entry("trunks.udp.ingress", "--listen"),
        Map.entry("trunks.udp.response", "--respond"),
        Map.entry("udp.ingress", "--listen"),
        Map.entry("udp.response", "--respond"),
        Map.entry("trunks.secret", "--secret-file"),
        Map.entry("secret file", "--secret-file"),
        Map.entry("trunks.tokenKeyFile", "--token-key-file"),
        Map.entry("trunks.limit", "--trunk-limit"),
        Map.entry("trunks.termLength", "--term-length"),
        Map.entry("escapement.guard.max.term.length", "--term-length"),
        Map.entry("trunks.feedGroup", "--feed-group"),
        Map.entry("trunks.queueLength", "--queue-length"),
        Map.entry("trunks.queueMemory", "--queue-memory"),
        Map.entry("trunks.slowNs", "--slow-trunk"),
        Map.entry("trunks.socketBuffer", "--socket-buffer"),
        Map.entry("driverDirectory", "--driver-dir"),
        Map.entry("driverGroup", "--driver-group"),
        Map.entry("aeronDirectory", "--aeron-dir"),
        Map.entry("aeronDirectoryName", "--aeron-dir"),
        Map.entry("driverProfile", "--profile"),
        Map.entry("threadingMode", "--mode"),
        Map.entry("idle", "--idle"),
        Map.entry("warmUp.limitNs", "--warm-up"),
        Map.entry("warmUp.log", "--warm-up-log"),
        Map.entry("loops", "--loops"),
        Map.entry("cores", "--cores"),
        Map.entry("databaseUrl", "--database"),
        Map.entry("tokens.keys", "--jwks"),
        Map.entry("tokens.issuer", "--jwt-issuer"),
        Map.entry("tokens.audience", "--jwt-audience"),
        Map.entry("tokens.playerClaim", "--jwt-player-claim"),
        Map.entry("tokens.banned", "--banned"),
        Map.entry("databaseUser", "--database-user"),
        Map.entry("databasePassword", "ESCAPEMENT_DATABASE_PASSWORD"),
        Map.entry("metricsPort", "--metrics-port"),
        Map.entry("metricsHost", "--metrics-host"),
        Map.entry("otlp", "--otlp"),
        Map.entry("histogramLog", "--hlog"),
        Map.entry("durability", "--journal"),
        Map.entry("durability.journal", "--journal"),
        Map.entry("durability.acknowledge", "--acknowledge"),
        Map.entry("durability.keepNs", "--keep"),
        Map.entry("durability.tailDirectory", "--tail"),
        Map.entry("withoutTail()", "--tail none"),
        Map.entry("recordTo", "--record"),
        Map.entry("bundles", "--bundles"),
        Map.entry("cluster.members", "--cluster"),
        Map.entry("cluster.memberId", "--member"),
        Map.entry("cluster.key", "--cluster-key-file"),
        Map.entry("cluster.directory", "--data"),
        Map.entry("cluster.acknowledge", "--acknowledge"),
        Map.entry("cluster.termLength", "--log-term-length"),
        Map.entry("durability.amendments", "--amendments"),
        Map.entry("port", "--web-port"),
        Map.entry("host", "--web-host"),
        Map.entry("workers", "--web-workers"),
        Map.entry("limits.logInRate", "--web-log-in-rate"),
        Map.entry("gateway.metricsPort", "--web-metrics-port"),
        Map.entry("gateway.metricsHost", "--web-metrics-host"),
        Map.entry("allowHost", "--web-allow-host"),
        Map.entry("files", "--pages"),
        Map.entry("proxy", "--proxy"),
        Map.entry("proxyProtocol", "--proxy-protocol"),
        Map.entry("console.port", "--console-port"),
        Map.entry("console.host", "--console-host"),
        Map.entry("console.allowHost", "--console-allow-host"),
        Map.entry("console.tokenFile", "--console-token-file"),
        Map.entry("certificate", "--cert, --key"),
        Map.entry("certificate.chain", "--cert"),
        Map.entry("certificate.key", "--key"));

    private static final Map<String, String> OF_CLIENT = clients();

    private OptionNames()
    {
    }

    /**
     * Rename.
     *
     * @param message  of a library, which starts with an option or names options as the cure.
     * @param isServer whether the command runs a server. A client's message also names options of its server.
     */
    static String replaced(final String message, final boolean isServer)
    {
        // A word that is an option elsewhere, such as "idle", is replaced only where it names the option at fault.
        final Map<String, String> optionByNameMap = isServer ? OF_SERVER : OF_CLIENT;
        final int end = message.indexOf(": ");
        final String first = end < 0 ? null : optionByNameMap.get(message.substring(0, end));
        String text = null == first ? message : first + message.substring(end);
        for (final Map.Entry<String, String> name : optionByNameMap.entrySet())
        {
            if (isUnmistakable(name.getKey()))
            {
                text = Pattern.compile("(?<![\\w.-])" + Pattern.quote(name.getKey()) + "(?![\\w.]|=)").matcher(text)
                    .replaceAll(Matcher.quoteReplacement(name.getValue()));
            }
        }
        return text.replace("--term-length or --term-length", "--term-length")
            .replace("--term-length, --term-length", "--term-length");
    }

    private static boolean isUnmistakable(final String name)
    {
        return name.contains(".") || !name.equals(name.toLowerCase(Locale.ROOT));
    }

    private static Map<String, String> clients()
    {
        final Map<String, String> names = new TreeMap<>(OF_SERVER);
        names.put("udp", "--server, --respond");
        names.put("udp.ingress", "--server");
        names.put("udp.response", "--respond");
        names.put("trunks.udp", "--server, --respond");
        names.put("secret", "--secret-file");
        names.put("termLength", "--term-length");
        names.put("feed", "--feed");
        return Map.copyOf(names);
    }
}
