package io.escapement.perf.process;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;

/** Finds UDP ports on the loopback that nobody uses. */
public final class Ports
{
    /** Ports that follow each other. */
    public static final int COUNT = 4;

    /** Below those that systems give out by themselves. */
    private static final int FIRST = 20_000;
    private static final int GROUPS = 3_000;
    private static final int TRIES = 100;

    private Ports()
    {
    }

    /**
     * Find some.
     *
     * @return the first of {@link #COUNT}.
     */
    public static int free()
    {
        for (int i = 0; i < TRIES; i++)
        {
            // Not in turn: two runs of the tool at a time would chase each other.
            final int first = FIRST + COUNT * ThreadLocalRandom.current().nextInt(GROUPS);
            if (isFree(first))
            {
                return first;
            }
        }
        throw new IllegalStateException("no free ports on the loopback");
    }

    private static boolean isFree(final int first)
    {
        for (int port = first; port < first + COUNT; port++)
        {
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                socket.setReuseAddress(false);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
            catch (final IOException ex)
            {
                return false;
            }
        }
        return true;
    }
}
