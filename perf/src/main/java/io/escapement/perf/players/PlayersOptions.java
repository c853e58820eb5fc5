package io.escapement.perf.players;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one run does, as it is handed to the processes of the run.
 *
 * @param crowd     who plays where.
 * @param host      how the processes run.
 * @param trunkRate moves a second that the engine takes of a trunk on a loop, 0 for more than any sends.
 * @param warmUp    before anything counts.
 * @param parts     each of phases without a pause between them; between parts everything is answered first. When a
 *                  part has several phases, moves that cannot leave are given up, in the warm-up too, and frame rates
 *                  are governed.
 */
public record PlayersOptions(Crowd crowd, PlayersHost host, int trunkRate, Phase warmUp, List<List<Phase>> parts)
{
    private static final String PHASES = "\\+";
    private static final String PARTS = "/";

    /**
     * As arguments of a process.
     *
     * @return them.
     */
    public List<String> toArguments()
    {
        final List<String> arguments = new ArrayList<>(crowd.toArguments());
        arguments.addAll(host.toArguments());
        arguments.add(Integer.toString(trunkRate));
        arguments.add(warmUp.toString());
        arguments.add(parts.stream()
            .map((part) -> part.stream().map(Phase::toString).collect(Collectors.joining("+")))
            .collect(Collectors.joining(PARTS)));
        return arguments;
    }

    static PlayersOptions of(final String[] arguments)
    {
        final String[] rest = Arrays.copyOfRange(arguments, Crowd.ARGUMENTS, arguments.length);
        final List<List<Phase>> parts = new ArrayList<>();
        for (final String part : rest[PlayersHost.ARGUMENTS + 2].split(PARTS))
        {
            parts.add(Arrays.stream(part.split(PHASES)).map(Phase::of).toList());
        }
        return new PlayersOptions(Crowd.of(arguments), PlayersHost.of(rest),
            Integer.parseInt(rest[PlayersHost.ARGUMENTS]), Phase.of(rest[PlayersHost.ARGUMENTS + 1]), parts);
    }

    /** Whether it is about more load than there is room for. */
    boolean isOverload()
    {
        return parts.get(0).size() > 1;
    }

    /**
     * Parts like the others, whose findings are of no interest. The first begins gently, or code that is not compiled
     * yet would be swamped. The others are there for their beginnings: what a part begins and ends with was compiled as
     * if it never happened, and is compiled anew when it does, some of it the second time.
     */
    List<List<Phase>> warmUpParts()
    {
        final int quarterMs = warmUp.durationMs() / 4;
        final Phase gentle = new Phase(Math.max(1, warmUp.movesPerSecond() / 4), quarterMs);
        final Phase full = new Phase(warmUp.movesPerSecond(), quarterMs);
        return List.of(List.of(gentle, full), List.of(full), List.of(full));
    }

    List<List<Phase>> allParts()
    {
        final List<List<Phase>> all = new ArrayList<>(warmUpParts());
        all.addAll(parts);
        return all;
    }

    long durationMs()
    {
        return allParts().stream().flatMap(List::stream).mapToLong(Phase::durationMs).sum();
    }

    /** How long one of all parts is. */
    int partMs(final int part)
    {
        return allParts().get(part).stream().mapToInt(Phase::durationMs).sum();
    }
}
