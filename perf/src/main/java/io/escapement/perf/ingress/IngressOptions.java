package io.escapement.perf.ingress;

import java.util.List;

/**
 * What a run does.
 *
 * @param what      {@code raw}, {@code single} or {@code batched}.
 * @param warmUpMs  before anything counts.
 * @param measureMs that counts.
 * @param port      the first of two on the loopback.
 * @param directory of the server's media driver.
 */
public record IngressOptions(String what, int warmUpMs, int measureMs, int port, String directory)
{
    /** Bare Aeron, a message a frame. */
    public static final String RAW = "raw";
    /** Commands to a room, a message a frame. */
    public static final String SINGLE = "single";
    /** Commands to a room, as many a frame as it holds. */
    public static final String BATCHED = "batched";

    List<String> toArguments()
    {
        return List.of(
            what, Integer.toString(warmUpMs), Integer.toString(measureMs), Integer.toString(port), directory);
    }

    static IngressOptions of(final String[] arguments)
    {
        return new IngressOptions(arguments[0], Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]), arguments[4]);
    }

    boolean isRaw()
    {
        return RAW.equals(what);
    }

    String serverEndpoint()
    {
        return "127.0.0.1:" + port;
    }

    String responseEndpoint()
    {
        return "127.0.0.1:" + (port + 1);
    }
}
