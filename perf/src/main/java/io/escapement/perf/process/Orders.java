package io.escapement.perf.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What the tool tells this process on its standard input, a line at a time. One thread takes them. */
public final class Orders
{
    /** What is told for ever when standard input has ended: the process is to end. */
    public static final String END_OF_INPUT = "";

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Begin to listen. */
    public Orders()
    {
        final Thread listener = new Thread(this::listen, "orders");
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Take an order if there is one.
     *
     * @return the line, {@link #END_OF_INPUT}, or null.
     */
    public String poll()
    {
        return kept(lines.poll());
    }

    /**
     * Wait for an order.
     *
     * @param ms to wait at most.
     * @return the line, {@link #END_OF_INPUT}, or null when none came.
     */
    public String poll(final long ms)
    {
        try
        {
            return kept(lines.poll(ms, TimeUnit.MILLISECONDS));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return END_OF_INPUT;
        }
    }

    private String kept(final String line)
    {
        if (END_OF_INPUT.equals(line))
        {
            lines.add(END_OF_INPUT);
        }
        return line;
    }

    private void listen()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)))
        {
            String line = in.readLine();
            while (null != line)
            {
                lines.add(line);
                line = in.readLine();
            }
        }
        catch (final IOException ex)
        {
            // There is nobody to tell of it, and nothing else to come.
        }
        lines.add(END_OF_INPUT);
    }
}
