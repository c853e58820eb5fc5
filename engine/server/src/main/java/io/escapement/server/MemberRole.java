package io.escapement.server;

import io.escapement.engine.spi.ReplicatedLog;
import java.util.function.Consumer;

/** Watches the role of a server in its cluster: prints each change, and opens the rooms of the start where it leads. */
final class MemberRole implements Runnable
{
    static final String NOBODY = "nobody";

    private final GameServer server;
    private final Consumer<String> out;
    private String last = "";

    /**
     * Watch a server.
     *
     * @param server that is a member of a cluster.
     * @param out    receives a line for each change.
     */
    MemberRole(final GameServer server, final Consumer<String> out)
    {
        this.server = server;
        this.out = out;
    }

    @Override
    public void run()
    {
        final String role = role();
        if (!last.equals(role))
        {
            last = role;
            out.accept(role);
        }
    }

    private String role()
    {
        if (server.lead())
        {
            return ServeCommand.LEADING + " the others";
        }
        final int leader = server.engine().leaderMemberId();
        return ServeCommand.FOLLOWING + " " + (ReplicatedLog.NO_LEADER == leader ? NOBODY : "member " + leader);
    }
}
