package io.escapement.server;

import io.escapement.client.TrunkContext;
import io.escapement.config.ConfigException;
import io.escapement.driver.Endpoints;
import io.escapement.engine.Secrets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;

/** The options that name a server and the secret of its trunks. */
final class ServerOptions
{
    /** Environment variable with the secret, unless a file is given. */
    static final String SECRET_VARIABLE = "ESCAPEMENT_SECRET";

    /** Between the endpoints of several servers. */
    private static final String SEPARATOR = ",";

    /** Secret of servers with demo accounts. It gives no protection. */
    private static final String DEMO_SECRET = "everybody may know this one";

    @Option(names = "--server", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40100",
        description = "UDP endpoint of the server's --listen (default: ${DEFAULT-VALUE}).")
    private String ingress;

    @Option(names = "--respond", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40101",
        description = "UDP endpoint of the server's --respond (default: ${DEFAULT-VALUE}).")
    private String response;

    @Option(names = "--driver-dir", paramLabel = "DIR", description = "Connect over shared memory instead of UDP, " +
        "through the media driver in this directory: the --driver-dir of a server with --ipc.")
    private String driverDirectory;

    @Option(names = "--secret-file", paramLabel = "FILE",
        description = "File with the trunks' secret (default: the environment variable ESCAPEMENT_SECRET, " +
            "otherwise the secret of servers with demo accounts).")
    private Path secretFile;

    @Option(names = "--term-length", paramLabel = "BYTES", defaultValue = "262144",
        description = "Term length of the trunks' streams, at most the server's --term-length (default: " +
            "${DEFAULT-VALUE}).")
    private int termLength;

    @Option(names = "--feed", paramLabel = "HOST:PORT", arity = "0..1",
        fallbackValue = TrunkContext.ANY_FEED_ENDPOINT, description = "Receive states on the feed of a server with " +
            "--feed, at this address, or at any address if you name no address. Lost packets are not resent. A " +
            "--feed-group is joined on the interface with this address (default: states on the trunks).")
    private String feed = TrunkContext.FEED_DEFAULT;

    /** Where to receive feeds, or null not to. */
    String feed()
    {
        return feed;
    }

    int termLength()
    {
        return termLength;
    }

    /** The server's driver to join, or null to connect over UDP. */
    String driverDirectory()
    {
        return driverDirectory;
    }

    String ingress()
    {
        return ingress;
    }

    String response()
    {
        return response;
    }

    byte[] secret()
    {
        return secret(secretFile, true);
    }

    /** Refuse what bots cannot connect with, before anything is opened. */
    void check()
    {
        ServeCommand.checkTermLength(termLength);
        if (null == driverDirectory)
        {
            forEach(ingress, response, ServerOptions::checkHosts, ServerOptions::checkHosts);
        }
        if (null != feed)
        {
            Endpoints.checkUdp("--feed", feed);
        }
    }

    private static void checkHosts(final String ingress, final String response)
    {
        Endpoints.checkHost("--server", ingress);
        Endpoints.checkHost("--respond", response);
    }

    /**
     * Call with the endpoints of one server, or of each server that keeps the same log.
     *
     * @param ingresses endpoints of streams, separated by commas.
     * @param responses endpoints of responses, as many.
     * @param one       receives both of the only server.
     * @param member    receives both of each of several.
     */
    static void forEach(
        final String ingresses,
        final String responses,
        final BiConsumer<String, String> one,
        final BiConsumer<String, String> member)
    {
        final String[] ingress = ingresses.split(SEPARATOR);
        final String[] response = responses.split(SEPARATOR);
        ConfigException.check(ingress.length == response.length, "udp", ingresses + " and " + responses,
            "name as many endpoints for responses as servers");
        for (int i = 0; i < ingress.length; i++)
        {
            (1 == ingress.length ? one : member).accept(ingress[i], response[i]);
        }
    }

    /**
     * From the file, otherwise from the environment. If both are missing and it is allowed, the secret of demo servers.
     */
    static byte[] secret(final Path file, final boolean isDemo)
    {
        if (null != file)
        {
            return Secrets.fromFile(file);
        }
        return null == System.getenv(SECRET_VARIABLE) && isDemo ?
            DEMO_SECRET.getBytes(StandardCharsets.US_ASCII) : Secrets.fromEnvironment(SECRET_VARIABLE);
    }
}
