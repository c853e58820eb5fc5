package io.escapement.perf.tool;

import io.escapement.server.Escapement;

/** Runs commands of the program in one process: the nodes of a cluster share its heap, as they share the host. */
final class ClusterNodes
{
    private ClusterNodes()
    {
    }

    /** Run a command for each argument. When the first returns, the process exits. */
    public static void main(final String[] arguments)
    {
        for (final String argument : arguments)
        {
            new Thread(() -> Escapement.main(new String[]{argument}), argument).start();
        }
    }
}
