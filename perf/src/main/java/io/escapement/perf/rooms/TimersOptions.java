package io.escapement.perf.rooms;

import java.util.List;

/**
 * What a comparison of timers does.
 *
 * @param outstanding timers that are set while others are set, cancelled or fire.
 * @param rounds      of all kinds of timers.
 * @param warmUpMs    of each kind before the first round, about.
 * @param measureMs   of all rounds together, about.
 */
public record TimersOptions(int outstanding, int rounds, int warmUpMs, int measureMs)
{
    List<String> toArguments()
    {
        return List.of(Integer.toString(outstanding), Integer.toString(rounds), Integer.toString(warmUpMs),
            Integer.toString(measureMs));
    }

    static TimersOptions of(final String[] arguments)
    {
        return new TimersOptions(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    }
}
