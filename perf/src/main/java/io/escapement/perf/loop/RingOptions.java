package io.escapement.perf.loop;

import java.util.List;

/**
 * What a run of the ring does.
 *
 * @param what      {@code raw} or {@code engine}.
 * @param warmUpMs  before anything counts.
 * @param measureMs that counts.
 */
public record RingOptions(String what, int warmUpMs, int measureMs)
{
    List<String> toArguments()
    {
        return List.of(what, Integer.toString(warmUpMs), Integer.toString(measureMs));
    }

    static RingOptions of(final String[] arguments)
    {
        return new RingOptions(arguments[0], Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    }

    boolean isRaw()
    {
        return "raw".equals(what);
    }
}
