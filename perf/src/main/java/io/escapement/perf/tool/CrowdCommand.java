package io.escapement.perf.tool;

import io.escapement.codecs.Codes;
import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.TrunkMessages;
import io.escapement.perf.crowd.ConsolePages;
import io.escapement.perf.crowd.CrowdBots;
import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdGame;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.crowd.TcpServer;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Percentiles;
import io.escapement.server.Game;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** The common part of the commands with players: one scenario, of which each command plans the load. */
abstract class CrowdCommand extends MeasureCommand<CrowdPlan>
{
    static final double SECOND_NS = 1e9;
    static final double MS_NS = 1e6;

    private static final int MIN_MTU = 512;
    private static final int MAX_MTU = 8_192;
    private static final int MTU_UNIT = 32;

    CrowdCommand(final Map<String, String> defaults)
    {
        super(new CrowdPlan(), Map.of(MeasuredProcess.SERVER, TcpServer::run,
                MeasuredProcess.PAGES, ConsolePages::run, MeasuredProcess.CLIENT, CrowdBots::run),
            (plan, progress) -> CrowdRun.run(plan, progress, (server, bots) -> { }), defaults);
    }

    @Override
    final Game game()
    {
        return new CrowdGame(plan);
    }

    @Override
    void checkOptions()
    {
        check(List.of(CrowdPlan.FEED, CrowdPlan.TRUNK).contains(plan.states), "--states", plan.states);
        check(List.of(CrowdPlan.SPREAD, CrowdPlan.ALIGNED).contains(plan.placement), "--placement", plan.placement);
        check(IDLE_STRATEGIES.contains(plan.idle), "--idle", plan.idle);
        checkChannel(plan.channel);
        checkDurability(plan);
        if (plan.isCluster())
        {
            plan.idle = "park";
        }
        checkRange("--rooms", plan.rooms, 1, 16_384);
        checkRange("--seats", plan.seats, 1, 1_024);
        checkRange("--hz", plan.hz, 1, 1_000);
        checkRange("--trunks", plan.trunks, 1, 128);
        checkRange("--sends", plan.sends, 1, 1_000);
        checkRange("--state", plan.state, plan.minState(), TrunkMessages.MAX_MESSAGE_LENGTH);
        check(plan.mtu >= MIN_MTU && plan.mtu <= MAX_MTU && 0 == plan.mtu % MTU_UNIT, "--mtu", plan.mtu);
        checkRange("--flush", plan.flushMs, 0, PlayerMessages.MAX_FLUSH_MS);
        checkRange("--gather", plan.gatherUs, 0, 100_000);
    }

    @Override
    final String refusal()
    {
        return "busy".equals(plan.idle) && cores() < 2 ?
            "--idle busy would spin the engine's thread and the bots' on one core: use yield, backoff or park" : null;
    }

    /** The options that are the same in every run, in words. */
    final String conditions()
    {
        return String.format(Locale.ROOT,
            "%d seats a room, %d Hz, %d trunks, %s, %d moves a second each, states of %d B on the %s, %s, MTU %d, %s",
            plan.seats, plan.hz, plan.trunks, plan.placement, plan.sends, plan.state, plan.states, plan.channel,
            plan.mtu, plan.idle) +
            (plan.isDurable() ? ", " + plan.durability : "") + (plan.isCluster() ? ": three nodes on this host" : "");
    }

    /** Run with a number of rooms. */
    final List<Measurements> run(final int rooms, final int trunkRate, final List<List<LoadPhase>> parts)
    {
        return run((copy) -> copy, rooms, trunkRate, parts);
    }

    /** Run with a plan that differs. */
    final List<Measurements> run(
        final UnaryOperator<CrowdPlan> change, final int rooms, final int trunkRate, final List<List<LoadPhase>> parts)
    {
        return runner.apply(
            change.apply(plan.forRun(plan.warmUpMs, rooms, cores(), trunkRate, parts)), this::progress);
    }

    /** Moves per second of a number of full rooms. */
    final long movesPerSecond(final int rooms)
    {
        return (long)rooms * plan.seats * plan.sends;
    }

    /** Check for what makes a run worthless under any load. */
    final void checkContent(final String what, final Measurements run)
    {
        faultIf(0 != run.value(CrowdFigures.ORDER_FAULTS),
            what + run.value(CrowdFigures.ORDER_FAULTS) + " answers came back changed or out of order");
        faultIf(0 != run.value(CrowdFigures.BROKEN_STATES),
            what + run.value(CrowdFigures.BROKEN_STATES) + " states were broken or out of order");
        faultIf(0 != run.value(CrowdFigures.ERRORS),
            what + "the server reported " + run.value(CrowdFigures.ERRORS) + " errors");
    }

    /** Ping p99 of a phase, NaN without an answer. */
    static double pingP99Ms(final Measurements run, final int phase)
    {
        final Histogram ping = run.total(CrowdFigures.PING + "." + phase);
        return ms(Percentiles.at(ping, 99));
    }

    static double ratio(final Measurements run, final String part, final String whole)
    {
        return 0 == run.value(whole) ? Double.NaN : (double)run.value(part) / run.value(whole);
    }

    /** Refusals by reason, as the bots received them. */
    static Map<String, Long> refusalsByReason(final Measurements run)
    {
        final Map<String, Long> byReason = new LinkedHashMap<>();
        run.values(CrowdFigures.REFUSALS_RECEIVED + ".").forEach((code, count) ->
            byReason.put(Codes.nameOf(Integer.parseInt(code)), count));
        return byReason;
    }

    /** Of the server, in nanoseconds for each state that a player saw. */
    static double cpuNsPerState(final Measurements run)
    {
        return ratio(run, CrowdFigures.SERVER_CPU_NS, CrowdFigures.STATES_SEEN);
    }

    /** Of the server, in nanoseconds for each move. */
    static double cpuNsPerMove(final Measurements run)
    {
        return ratio(run, CrowdFigures.SERVER_CPU_NS, CrowdFigures.SENT);
    }

    static double ms(final double ns)
    {
        return ns / MS_NS;
    }
}
