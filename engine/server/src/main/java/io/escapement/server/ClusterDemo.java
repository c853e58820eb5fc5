package io.escapement.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Bots play on a cluster on this machine while the leading server is killed every ten seconds and restarted. They check
 * that each of their messages has run exactly once.
 */
final class ClusterDemo
{
    private static final int NODES = 3;
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long KILL_NS = TimeUnit.SECONDS.toNanos(10);
    /** A killed server is restarted after this time. */
    private static final long RESTART_NS = TimeUnit.SECONDS.toNanos(1);
    /** No server is killed in the last seconds, so that the bots see the results of their messages. */
    private static final int QUIET_SECONDS = 6;
    private static final int ROWS_PER_HEADER = 20;
    private static final String HEADER =
        "  phase players   p50    p99 ms  longest wait, ms   checked    lost doubled   rule breaks%n";

    private final ConcurrentLinkedQueue<String> botLines = new ConcurrentLinkedQueue<>();
    private final PrintWriter out;
    private final int seconds;
    private final LogInOptions logIn;
    private final TypesOptions types;
    private StatisticsLine total;
    private int rows;
    private int second;
    private double longestWaitMs;
    private long checked;
    private int failovers;
    private int killed;
    private long killedNs;
    private boolean isDown;
    private boolean isElecting;

    /**
     * Prepare a demo.
     *
     * @param out     receives its report.
     * @param seconds for which the bots are measured and servers are killed.
     * @param logIn   of the players.
     * @param types   of the game.
     */
    ClusterDemo(final PrintWriter out, final int seconds, final LogInOptions logIn, final TypesOptions types)
    {
        this.out = out;
        this.seconds = seconds;
        this.logIn = logIn;
        this.types = types;
    }

    /** The arguments of bots on these endpoints. */
    interface Bots
    {
        List<String> arguments(String ingress, String response);
    }

    /**
     * Run it.
     *
     * @param directory for the servers' logs.
     * @param flags     of the bots' JVM.
     * @param bots      that play.
     * @return exit status: 0 if no message was lost, doubled or wrong.
     */
    int run(final TemporaryDirectory directory, final List<String> flags, final Bots bots) throws IOException
    {
        try (ClusterProcesses servers = new ClusterProcesses(
            NODES, ClusterProcesses.freePorts(NODES), directory.path(), logIn, types, this::onServerLine))
        {
            servers.start();
            directory.usedBy(servers::awaitEnd);
            await(() -> ClusterProcesses.NOBODY != servers.leader() && servers.areUp(), "the servers to start");
            print("server " + servers.leader() + " leads");
            final int botStatus;
            try (ChildCommand playing = new ChildCommand(
                "bots", flags, bots.arguments(servers.ingress(), servers.response()), botLines::add))
            {
                killedNs = System.nanoTime();
                while (playing.isAlive())
                {
                    readLines();
                    killAndStart(servers);
                    LockSupport.parkNanos(POLL_NS);
                }
                botStatus = playing.awaitEnd(1);
                readLines();
            }
            return verdict(botStatus, servers.end());
        }
    }

    /** Elections are the normal course here, and their warnings too many. */
    private void onServerLine(final String line)
    {
        if (line.contains(": escapement: "))
        {
            print(line);
        }
    }

    private void killAndStart(final ClusterProcesses servers)
    {
        final long nowNs = System.nanoTime();
        if (isDown && nowNs - killedNs > RESTART_NS)
        {
            isDown = false;
            servers.start(killed);
        }
        for (int i = 0; i < servers.size(); i++)
        {
            if (!servers.isAlive(i) && !(isDown && i == killed) && !servers.staysDown(i))
            {
                print("server " + i + " has ended by itself, and is started again");
                servers.start(i);
            }
        }
        final int leader = servers.leader();
        if (isElecting && ClusterProcesses.NOBODY != leader)
        {
            isElecting = false;
            failovers++;
            print(String.format(Locale.ROOT, "server %d was killed; server %d leads after %.1f s",
                killed, leader, (nowNs - killedNs) / 1e9));
        }
        // Two of three are needed: the previously killed server must be back.
        if (second > 0 && second <= seconds - QUIET_SECONDS && nowNs - killedNs > KILL_NS && !isDown &&
            ClusterProcesses.NOBODY != leader && servers.areUp())
        {
            killed = leader;
            killedNs = nowNs;
            servers.kill(leader);
            isDown = true;
            isElecting = true;
        }
    }

    private int verdict(final int botStatus, final boolean isClean)
    {
        final StatisticsLine end = null == total ? new StatisticsLine(BotsCommand.TOTAL) : total;
        final boolean isPlayed = null != total && checked > 0 && failovers > 0;
        final boolean isExact = isPlayed && 0 == end.whole("lost") && 0 == end.whole("doubled");
        final boolean isCorrect = isPlayed && 0 == end.whole("violations");
        final boolean isGood = isExact && isCorrect && isClean && 0 == botStatus;
        print(String.format(Locale.ROOT, "%n%s: %d fail-overs in %d s, longest wait %.0f ms, lost %d, doubled %d",
            isGood ? "PASSED" : "FAILED", failovers, seconds, longestWaitMs, end.whole("lost"), end.whole("doubled")));
        check(isExact, "messages", "%,d answers had the number of messages that were sent", checked);
        check(isCorrect, "game", "%,d rule violations seen by the bots (limit: 0)", end.whole("violations"));
        check(isClean, "shutdown", isClean ? "all servers stopped in order" : "a server did not stop in order");
        return isGood ? 0 : 1;
    }

    private void check(final boolean isGood, final String name, final String format, final Object... values)
    {
        print(String.format(Locale.ROOT, "  %-4s  %-9s %s", isGood ? "ok" : "FAIL", name,
            String.format(Locale.ROOT, format, values)));
    }

    private void readLines()
    {
        for (String text = botLines.poll(); null != text; text = botLines.poll())
        {
            onBotLine(text);
        }
    }

    private void onBotLine(final String text)
    {
        for (final String word : new String[]{BotsCommand.ENTER, BotsCommand.WARM, BotsCommand.STATS})
        {
            final StatisticsLine stats = StatisticsLine.parse(word, text);
            if (null != stats)
            {
                row(word, stats);
                return;
            }
        }
        final StatisticsLine end = StatisticsLine.parse(BotsCommand.TOTAL, text);
        if (null != end)
        {
            total = end;
            checked = end.whole("checked");
        }
        else if (!text.startsWith(BotsCommand.SUMMARY + " "))
        {
            print("bots: " + text);
        }
    }

    private void row(final String phase, final StatisticsLine bots)
    {
        final boolean isMeasured = BotsCommand.STATS.equals(phase);
        if (isMeasured)
        {
            second++;
            longestWaitMs = Math.max(longestWaitMs, bots.number("longestWait"));
        }
        if (0 == rows++ % ROWS_PER_HEADER)
        {
            out.printf(HEADER);
        }
        print(String.format(Locale.ROOT, "%7s %7d %6.2f %8.2f %17.0f %9d %7d %7d %13d",
            isMeasured ? second + " s" : phase, bots.whole("players"), bots.number("ping50"), bots.number("ping99"),
            bots.number("longestWait"), bots.whole("checked"), bots.whole("lost"), bots.whole("doubled"),
            bots.whole("violations")));
    }

    private static void await(final BooleanSupplier condition, final String what)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - startNs > START_NS)
            {
                throw new IllegalStateException(
                    "waited " + TimeUnit.NANOSECONDS.toSeconds(START_NS) + " s for " + what);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private void print(final String text)
    {
        ServeCommand.print(out, text);
    }
}
