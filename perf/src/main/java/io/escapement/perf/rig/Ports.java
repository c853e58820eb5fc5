package io.escapement.perf.rig;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free UDP ports on the loopback interface. */
final class Ports
{
    /** Consecutive ports of a run. */
    private static final int COUNT = 4;
    /** Below the ephemeral ports of common systems. */
    private static final int FIRST = 20_000;
    private static final int GROUPS = 3_000;
    private static final int TRIES = 100;

    private Ports()
    {
    }

    /** The first of {@link #COUNT} free ports. */
    static int free()
    {
        for (int i = 0; i < TRIES; i++)
        {
            // At random, so that two runs of the tool at a time do not race for the same ports.
            final int first = FIRST + COUNT * ThreadLocalRandom.current().nextInt(GROUPS);
            if (isFree(first))
            {
                return first;
            }
        }
        throw new IllegalStateException("no free UDP ports on the loopback interface");
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
