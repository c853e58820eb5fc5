package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.TcpServer;
import java.util.List;
import picocli.CommandLine.Option;

/** The option of commands with players that also run a peer. */
final class Beside
{
    @Option(names = "--beside", paramLabel = "PEER", description =
        "the same load on a plain Netty TCP server, in fresh processes: tcp with as many connections as trunks, or " +
        "tcp-players with a connection per player")
    String peer;

    void check(final CrowdCommand command)
    {
        command.check(null == peer ||
            List.of(CrowdPlan.TCP, CrowdPlan.TCP_PLAYERS).contains(peer) && !command.plan.isDurable(),
            "--beside", peer);
    }

    /** The engine against the peer in one figure, null without a peer. */
    String verdict(final String standing, final String figure, final String evidence)
    {
        return null == peer ? null : standing + " " + peer + " in " + figure + " (" + evidence + ")";
    }

    /** Why the figures of the peer are worth less on this host, null if they are not. */
    String reservation()
    {
        return null == peer ? null : TcpServer.reservation();
    }
}
