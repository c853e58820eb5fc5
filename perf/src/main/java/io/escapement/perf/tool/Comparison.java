package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * The sides of runs with players: the engine with the given options, the side that it is compared with, and either side
 * a second time, which is the null. A peer is compared with an engine that runs twice. An engine with a journal or with
 * pages at its console is compared with an engine without, which runs twice.
 */
final class Comparison
{
    static final String ENGINE = "engine";

    private static final String NULL = "-null";
    private static final double US_NS = 1e3;

    private static final List<Figure<Measurements>> OF_GATEWAY = List.of(
        Figure.member("workerCpu",
            (run) -> CrowdCommand.ratio(run, CrowdFigures.GATEWAY_WORKER_NS, CrowdFigures.GATEWAY_NS)),
        Figure.member("cpu", (run) -> CrowdCommand.ratio(run, CrowdFigures.GATEWAY_CPU_NS, CrowdFigures.GATEWAY_NS)),
        Figure.member("usPerMessage", (run) -> run.value(CrowdFigures.GATEWAY_WORKER_NS) / US_NS / messages(run)),
        Figure.member("bytesPerMessage", (run) -> run.value(CrowdFigures.GATEWAY_BYTES) / messages(run)));
    private static final List<Figure<Measurements>> OF_PAGES = List.of(
        Figure.member("leastEvents", (run) -> least(run, CrowdFigures.PAGE_EVENTS)),
        Figure.member("leastBytes", (run) -> least(run, CrowdFigures.PAGE_BYTES)),
        Figure.member("leastLists", (run) -> least(run, CrowdFigures.PAGE_LISTS)),
        Figure.member("leastPictures", (run) -> least(run, CrowdFigures.PAGE_PICTURES)));

    /** Name of the engine in ratios. */
    final String name;
    /** Name of the side that the engine is compared with, null if only the engine runs. */
    final String other;
    /** Name of the side that runs twice, when it runs for the second time. */
    final String nullSide;
    /** Figures of a process between the players and the engine. */
    final List<Figure<Measurements>> figures;
    private final UnaryOperator<CrowdPlan> ofEngine;
    private final UnaryOperator<CrowdPlan> ofOther;

    private Comparison(
        final String name,
        final String other,
        final String nullSide,
        final UnaryOperator<CrowdPlan> ofEngine,
        final UnaryOperator<CrowdPlan> ofOther,
        final List<Figure<Measurements>> figures)
    {
        this.name = name;
        this.other = other;
        this.nullSide = nullSide;
        this.ofEngine = ofEngine;
        this.ofOther = ofOther;
        this.figures = figures;
    }

    /** With a peer, with the engine in memory, or without a comparison. */
    static Comparison of(final CrowdPlan options, final String peer)
    {
        if (options.isDurable())
        {
            return new Comparison(options.durability, DurablePlan.MEMORY, DurablePlan.MEMORY + NULL,
                UnaryOperator.identity(), CrowdPlan::inMemory, List.of());
        }
        return new Comparison(
            ENGINE, peer, ENGINE + NULL, UnaryOperator.identity(), (plan) -> plan.beside(peer), List.of());
    }

    /** Players with WebSockets at a gateway, compared with players who share a trunk without it. */
    static Comparison atGateway(final String kind)
    {
        return new Comparison(MeasuredProcess.GATEWAY, "trunks", ENGINE + NULL,
            (plan) -> plan.atGateway(kind), CrowdPlan::onOneTrunk, OF_GATEWAY);
    }

    /** An engine with open pages at its console, compared with an engine without open pages. */
    static Comparison atConsole(final int pages)
    {
        return new Comparison(MeasuredProcess.PAGES, "no-pages", "no-pages" + NULL,
            (plan) -> plan.withPages(pages), (plan) -> plan.withPages(0), OF_PAGES);
    }

    /** In the order of the first pair. */
    List<String> sides()
    {
        if (null == other)
        {
            return List.of(ENGINE);
        }
        return isOfEngines() ? List.of(other, ENGINE, nullSide) : List.of(ENGINE, other, nullSide);
    }

    /** Turn a plan into the plan of a side. */
    CrowdPlan plan(final String side, final CrowdPlan plan)
    {
        return (side.startsWith(ENGINE) ? ofEngine : ofOther).apply(plan);
    }

    /** A figure of the engine, divided by the figure of the other side in the same pair. */
    <R> Ratios ratios(final Sides<R> runs, final ToDoubleFunction<R> figure)
    {
        return runs.ratios(ENGINE, other, figure);
    }

    /** By how much a figure of the side that runs twice differs from itself. */
    <R> Ratios nullRatios(final Sides<R> runs, final ToDoubleFunction<R> figure)
    {
        return runs.ratios(nullSide, isOfEngines() ? other : ENGINE, figure);
    }

    private boolean isOfEngines()
    {
        return !nullSide.startsWith(ENGINE);
    }

    /** Moves, answers and states of the players. */
    private static double messages(final Measurements run)
    {
        return run.value(CrowdFigures.SENT) + run.value(CrowdFigures.ANSWERED) + run.value(CrowdFigures.STATES_SEEN);
    }

    /** Of the page that got least. */
    private static long least(final Measurements run, final String what)
    {
        return run.values(what).values().stream().mapToLong(Long::longValue).min().orElse(0);
    }
}
