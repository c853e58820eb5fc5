package io.escapement.server;

import io.escapement.cluster.ClusterLog;
import io.escapement.cluster.ClusterOptions;
import io.escapement.cluster.NodeStoppedException;
import io.escapement.config.ConfigException;
import io.escapement.engine.Durability;
import io.escapement.engine.Secrets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of a server that is a member of a cluster. */
final class MemberOptions
{
    @Option(names = "--cluster", paramLabel = "HOST:PORT,...", description = "Keep the rooms in a log that these " +
        "servers share. The leader serves the players. Each server uses five ports, from its PORT upwards, on a " +
        "private network. All servers must use the same database.")
    private String members;

    @Option(names = "--member", paramLabel = "N", description = "Index of this server in --cluster, from 0.")
    private Integer member;

    @Option(names = "--cluster-key-file", paramLabel = "FILE", description = "File with the secret that the " +
        "servers of --cluster share, readable only by its owner. Required unless all servers are on the loopback " +
        "interface.")
    private Path keyFile;

    @Option(names = "--data", paramLabel = "DIR", description = "Directory of this server's copy of the log.")
    private Path directory;

    @Option(names = "--log-term-length", paramLabel = "BYTES", description = "Length of the log's terms. Three " +
        "terms are in shared memory, and the longest turn is an eighth of a term (default: 16777216).")
    private Integer termLength;

    @Option(names = "--amendments", paramLabel = "FILE", description = "File of lines that the servers print if a " +
        "stack overflow stops all of them at the same turn. With these lines the log continues: only the room fails.")
    private Path amendments;

    private ClusterLog log;

    /** Whether the server is a member of a cluster. */
    boolean isSet()
    {
        return null != members;
    }

    String members()
    {
        return members;
    }

    Path directory()
    {
        return directory;
    }

    /** Refuse each of these options without {@code --cluster}. */
    void refuse()
    {
        final Object[][] given = {{"--member", member}, {"--cluster-key-file", keyFile}, {"--data", directory},
            {"--log-term-length", termLength}, {"--amendments", amendments}};
        for (final Object[] option : given)
        {
            ConfigException.check(null == option[1], (String)option[0], option[1], "set --cluster too");
        }
    }

    /**
     * The log of turns, as a member of the cluster.
     *
     * @param level the meaning of an answer, or null for the default.
     */
    Durability log(final Durability.Level level)
    {
        final ClusterOptions options = new ClusterOptions().members(members).memberId(null == member ? -1 : member);
        if (null != directory)
        {
            options.directory(directory);
        }
        if (null != keyFile)
        {
            options.key(Secrets.fromFile("cluster.key", keyFile));
        }
        if (null != level)
        {
            options.acknowledge(level);
        }
        if (null != termLength)
        {
            options.termLength(termLength);
        }
        log = new ClusterLog(options);
        final Durability durability = Durability.replicated(log);
        return null == amendments ? durability : durability.amendments(amendments);
    }

    /** Status of a server that has stopped after a fault. */
    int faultStatus()
    {
        return null != log && log.staysDown() ? NodeStoppedException.EXIT_STATUS : CommandLine.ExitCode.SOFTWARE;
    }
}
