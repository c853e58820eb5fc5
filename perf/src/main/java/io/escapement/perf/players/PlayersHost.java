package io.escapement.perf.players;

import java.util.List;
import java.util.Locale;

/**
 * How the processes of a run use their host.
 *
 * @param loops          of the engine; with one of them everything of it is in one thread, unless it is shared.
 * @param isShared       whether the edge has a thread beside the loops.
 * @param idle           {@code busy}, {@code yield}, {@code backoff} or {@code park}, of the engine.
 * @param areBotsBusy    whether the bots' thread spins when it has nothing to do.
 * @param mtu            of both drivers.
 * @param gatherUs       how long the bots gather moves before they let them go.
 * @param port           the first of a few on the loopback.
 */
public record PlayersHost(
    int loops, boolean isShared, String idle, boolean areBotsBusy, int mtu, int gatherUs, int port)
{
    static final int ARGUMENTS = 7;

    private static final int SOLO_CORES = 2;
    private static final int LOOP_BITS = 54;

    /**
     * The layout for a host.
     *
     * @param cores    of the host.
     * @param idle     of the engine.
     * @param mtu      of both drivers.
     * @param gatherUs how long the bots gather moves.
     * @param port     the first of a few on the loopback.
     * @return all of the engine in one thread on two cores or fewer, otherwise a loop for each core that the edge and
     *         the bots leave. There are never more spinning threads than cores.
     */
    public static PlayersHost of(
        final int cores, final String idle, final int mtu, final int gatherUs, final int port)
    {
        final boolean isShared = cores > SOLO_CORES;
        final int loops = isShared ? cores - SOLO_CORES : 1;
        final int spinning = "busy".equals(idle) ? (isShared ? loops + 1 : 1) : 0;
        return new PlayersHost(loops, isShared, idle, spinning < cores && cores > 1, mtu, gatherUs, port);
    }

    List<String> toArguments()
    {
        return List.of(Integer.toString(loops), Boolean.toString(isShared), idle, Boolean.toString(areBotsBusy),
            Integer.toString(mtu), Integer.toString(gatherUs), Integer.toString(port));
    }

    static PlayersHost of(final String[] arguments)
    {
        return new PlayersHost(Integer.parseInt(arguments[0]), Boolean.parseBoolean(arguments[1]), arguments[2],
            Boolean.parseBoolean(arguments[3]), Integer.parseInt(arguments[4]), Integer.parseInt(arguments[5]),
            Integer.parseInt(arguments[6]));
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

    /** The id of the room that is opened as the so manieth: they go to the loops in turn. */
    long roomId(final int room)
    {
        return (long)(room % loops) << LOOP_BITS | (room / loops + 1);
    }
}
