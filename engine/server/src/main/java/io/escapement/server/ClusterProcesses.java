package io.escapement.server;

import io.escapement.cluster.NodeStoppedException;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.driver.Endpoints;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * The servers of a cluster as processes on this machine, for trying: each may be killed and is then restarted. Their
 * database is in this process.
 *
 * <p>They share two cores or so: each server runs in two threads, its node of the log in four, all of which park.
 */
final class ClusterProcesses implements AutoCloseable
{
    /** No server leads, as far as this process knows. */
    static final int NOBODY = -1;

    private static final int HEAP_MB = 192;
    private static final List<String> FLAGS = List.of(
        // The servers share the machine's cores, which the optimising compiler takes for a minute after each start.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC", "-Xms" + HEAP_MB + "m", "-Xmx" + HEAP_MB + "m", "-XX:+PerfDisableSharedMem");
    /** Ports of each member, of which the log takes five. */
    private static final int PORTS = 10;
    private static final int INGRESS_PORT = 5;
    private static final int RESPONSE_PORT = 6;
    private static final String LOG_TERM_LENGTH = "1048576";
    private static final String HOST = "127.0.0.1:";
    private static final int KEY_LENGTH = 32;
    private static final int LAST_PORT = 65_535;
    private static final long END_SECONDS = 30;

    private final int firstPort;
    private final Path directory;
    private final Path tokenKeys;
    private final Path key;
    private final boolean hasAccounts;
    private final Consumer<String> lines;
    private final List<Member> members = new ArrayList<>();
    /** Of the game, for each server. */
    private final List<String> arguments = new ArrayList<>();
    /** Null without accounts. */
    private ClusterDatabase database;

    /**
     * Servers that have yet to start.
     *
     * @param nodes     number of servers.
     * @param firstPort of the first. Each further server has its ports ten above.
     * @param directory of their logs and of the database, created if necessary.
     * @param logIn     of the players.
     * @param types     of the game.
     * @param lines     receives their output, with their number in front.
     */
    ClusterProcesses(
        final int nodes,
        final int firstPort,
        final Path directory,
        final LogInOptions logIn,
        final TypesOptions types,
        final Consumer<String> lines)
    {
        this.firstPort = firstPort;
        this.directory = directory;
        this.lines = lines;
        tokenKeys = directory.resolve("token-keys");
        key = directory.resolve("cluster-key");
        hasAccounts = logIn.isByAccounts();
        arguments.addAll(types.arguments());
        arguments.addAll(logIn.arguments());
        for (int i = 0; i < nodes; i++)
        {
            members.add(new Member(i));
        }
    }

    /**
     * Refuse ports and a directory that the servers cannot have.
     *
     * @param portOption      that names the first port.
     * @param directoryOption that names the directory.
     */
    void check(final String portOption, final String directoryOption)
    {
        for (final Member member : members)
        {
            for (int i = 0; i <= RESPONSE_PORT; i++)
            {
                Endpoints.checkUdp(portOption, endpoint(member.number, i));
            }
        }
        if (Files.exists(directory))
        {
            ConfigException.check(Files.isDirectory(directory) && Files.isWritable(directory), directoryOption,
                directory, "is no directory in which this user can write: name another");
        }
        else
        {
            PrivateFiles.checkCreatable(directoryOption, directory);
        }
    }

    /** Start all servers. */
    void start() throws IOException
    {
        Files.createDirectories(directory);
        makeSecret(tokenKeys);
        makeSecret(key);
        if (hasAccounts)
        {
            database = new ClusterDatabase(directory);
            arguments.addAll(List.of("--database", database.url()));
        }
        for (final Member member : members)
        {
            member.start();
        }
    }

    /** Number of UDP ports that a cluster takes, from its first on. */
    static int ports(final int nodes)
    {
        return nodes * PORTS;
    }

    /** Highest first port of a cluster. */
    static int lastFirstPort(final int nodes)
    {
        return LAST_PORT - ports(nodes);
    }

    /** The first of some ports that are free now. */
    static int freePorts(final int nodes) throws IOException
    {
        int first = LAST_PORT;
        while (first > lastFirstPort(nodes))
        {
            try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
            {
                first = socket.getLocalPort();
            }
        }
        return first;
    }

    int size()
    {
        return members.size();
    }

    /** The server that leads, or {@link #NOBODY}. */
    int leader()
    {
        // While a stopped leader has not noticed, two servers claim to lead: the later leader is right.
        int leader = NOBODY;
        for (final Member member : members)
        {
            final long leadsSinceNs = member.leadsSinceNs;
            if (0 != leadsSinceNs && member.isAlive() &&
                (NOBODY == leader || leadsSinceNs - members.get(leader).leadsSinceNs > 0))
            {
                leader = member.number;
            }
        }
        return leader;
    }

    /** Whether a server has joined the cluster and knows who leads. */
    boolean isUp(final int member)
    {
        return members.get(member).hasRole && isAlive(member);
    }

    boolean areUp()
    {
        return members.stream().allMatch((member) -> isUp(member.number));
    }

    boolean isAlive(final int member)
    {
        return members.get(member).isAlive();
    }

    /** Whether a server has exited because it would stop at the same turn again: it is not restarted. */
    boolean staysDown(final int member)
    {
        return !isAlive(member) && NodeStoppedException.EXIT_STATUS == members.get(member).process.awaitEnd(0);
    }

    long pid(final int member)
    {
        return members.get(member).process.pid();
    }

    /** Endpoints that receive from trunks, separated by commas. */
    String ingress()
    {
        return endpoints(INGRESS_PORT);
    }

    /** Endpoints that send to trunks, separated by commas. */
    String response()
    {
        return endpoints(RESPONSE_PORT);
    }

    String ingress(final int member)
    {
        return endpoint(member, INGRESS_PORT);
    }

    String response(final int member)
    {
        return endpoint(member, RESPONSE_PORT);
    }

    /** As kill -9 does. */
    void kill(final int member)
    {
        members.get(member).process.close();
        members.get(member).process.awaitEnd(END_SECONDS);
        members.get(member).leadsSinceNs = 0;
    }

    /** Restart a server that has exited. */
    void start(final int member)
    {
        members.get(member).start();
    }

    /** A text for each server: its ports, its directory and its process. */
    List<String> describe()
    {
        return members.stream().map((member) -> "server " + member.number + ": trunks " + ingress(member.number) +
            ", responses " + response(member.number) + ", log " + HOST + port(member.number) + " to " +
            (port(member.number) + INGRESS_PORT - 1) + ", " + member.data() + ", process " +
            member.process.pid()).toList();
    }

    /**
     * Stop all servers in order.
     *
     * @return whether each exited with status 0.
     */
    boolean end()
    {
        members.forEach((member) -> member.process.signalEnd());
        boolean isClean = true;
        for (final Member member : members)
        {
            isClean &= 0 == member.process.awaitEnd(END_SECONDS);
        }
        return isClean;
    }

    /** Wait until all servers have exited, after another caller or a signal has stopped them. */
    void awaitEnd()
    {
        members.forEach((member) -> member.process.awaitEnd(END_SECONDS));
    }

    @Override
    public void close()
    {
        members.forEach((member) -> CloseHelper.close(member.process));
        CloseHelper.close(database);
    }

    private String endpoints(final int offset)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < members.size(); i++)
        {
            text.append(0 == i ? "" : ",").append(endpoint(i, offset));
        }
        return text.toString();
    }

    private String endpoint(final int member, final int offset)
    {
        return HOST + (port(member) + offset);
    }

    private int port(final int member)
    {
        return firstPort + member * PORTS;
    }

    /** A file with a secret that all servers must share. */
    private static void makeSecret(final Path file) throws IOException
    {
        if (!Files.exists(file))
        {
            final byte[] key = new byte[KEY_LENGTH];
            new SecureRandom().nextBytes(key);
            Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, HexFormat.of().formatHex(key), StandardCharsets.US_ASCII);
        }
    }

    /** A server, and its role as it has printed it. */
    private final class Member
    {
        final int number;
        ChildCommand process;
        volatile boolean hasRole;
        /** 0 if it does not lead. */
        volatile long leadsSinceNs;

        Member(final int number)
        {
            this.number = number;
        }

        void start()
        {
            CloseHelper.close(process);
            hasRole = false;
            leadsSinceNs = 0;
            final List<String> serve = new ArrayList<>(List.of("serve", "--demo-accounts",
                "--cluster", endpoints(0), "--member", Integer.toString(number), "--data", data().toString(),
                "--log-term-length", LOG_TERM_LENGTH, "--listen", ingress(number), "--respond", response(number),
                "--token-key-file", tokenKeys.toString(), "--cluster-key-file", key.toString(), "--mode", "SHARED",
                "--idle", "PARK", "--loops", "1"));
            serve.addAll(arguments);
            process = new ChildCommand("server-" + number, FLAGS, serve, this::onLine);
        }

        boolean isAlive()
        {
            return process.isAlive();
        }

        Path data()
        {
            return directory.resolve("server-" + number);
        }

        private void onLine(final String line)
        {
            if (line.startsWith(ServeCommand.LEADING + " "))
            {
                leadsSinceNs = System.nanoTime();
                hasRole = true;
            }
            else if (line.startsWith(ServeCommand.FOLLOWING + " "))
            {
                leadsSinceNs = 0;
                hasRole = !line.endsWith(MemberRole.NOBODY);
            }
            else if (!line.startsWith(ServeCommand.SERVING + " ") && !line.startsWith(ServeCommand.READY + " "))
            {
                lines.accept("server " + number + ": " + line);
            }
        }
    }
}
