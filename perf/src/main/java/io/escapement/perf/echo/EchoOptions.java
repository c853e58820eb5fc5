package io.escapement.perf.echo;

import java.util.List;
import java.util.Locale;

/**
 * What one run does, as it is handed to the processes of the run.
 *
 * @param what      {@code raw} or {@code engine}.
 * @param mode      {@code solo}, {@code shared} or {@code dedicated}.
 * @param idle      {@code busy}, {@code yield}, {@code backoff} or {@code park}.
 * @param transport {@code udp} or {@code ipc}.
 * @param rate      messages a second.
 * @param size      bytes of a message.
 * @param warmUpMs  before anything is recorded.
 * @param measureMs of recording.
 * @param port      the first of four on the loopback.
 * @param directory of the server's media driver.
 */
public record EchoOptions(
    String what,
    String mode,
    String idle,
    String transport,
    int rate,
    int size,
    int warmUpMs,
    int measureMs,
    int port,
    String directory)
{
    /** Least bytes of a message: the planned time and the sequence. */
    public static final int MIN_SIZE = 2 * Long.BYTES;
    /** Most bytes of a message: what a room takes. */
    public static final int MAX_SIZE = 512;

    /**
     * As arguments of a process.
     *
     * @return them, in the order of the components.
     */
    public List<String> toArguments()
    {
        return List.of(what, mode, idle, transport, Integer.toString(rate), Integer.toString(size),
            Integer.toString(warmUpMs), Integer.toString(measureMs), Integer.toString(port), directory);
    }

    static EchoOptions of(final String[] arguments)
    {
        return new EchoOptions(arguments[0], arguments[1], arguments[2], arguments[3],
            Integer.parseInt(arguments[4]), Integer.parseInt(arguments[5]), Integer.parseInt(arguments[6]),
            Integer.parseInt(arguments[7]), Integer.parseInt(arguments[8]), arguments[9]);
    }

    boolean isRaw()
    {
        return "raw".equals(what);
    }

    boolean isIpc()
    {
        return "ipc".equals(transport);
    }

    boolean isSolo()
    {
        return "solo".equals(mode);
    }

    String idleName()
    {
        return idle.toUpperCase(Locale.ROOT);
    }

    String serverEndpoint()
    {
        return "127.0.0.1:" + port;
    }

    String responseEndpoint()
    {
        return "127.0.0.1:" + (port + 1);
    }

    String clientEndpoint()
    {
        return "127.0.0.1:" + (port + 2);
    }
}
