package io.escapement.server;

import io.escapement.codecs.JsonWriter;
import io.escapement.engine.WarmUp;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a server and bots on this machine and prints a table of their measurements, one row per second. */
@Command(
    name = "demo",
    sortOptions = false,
    description = "Run a server and bots on this machine, and print their measurements once per second.",
    footer = {"",
        "The exit status is 0 if all checks of the summary pass: p99 ping at most 40 ms, at most 1 in 1,000 room " +
            "frames missed, no rule violation seen by the bots, and an orderly shutdown. With --cluster the checks " +
            "are: no message lost or run twice, no rule violation, and an orderly shutdown.",
        "", "Examples:",
        "  escapement demo",
        "  escapement demo --rooms 64 --seconds 30 --json",
        "  escapement demo --cluster"})
final class DemoCommand implements Callable<Integer>
{
    private static final double MAX_MISSED_SHARE = 1e-3;
    /** Where threads wait for a core. More than these are a fault of the engine on any host. */
    private static final double MAX_MISSED_SHARE_OF_HOST = 1e-2;
    private static final double MAX_PING_MS = 40;
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int ROWS_PER_HEADER = 20;
    private static final int ROOMS = 16;
    /** Three servers run the rooms, perhaps on two cores. */
    private static final int CLUSTER_ROOMS = 4;
    /** Seats of a room for players in browsers: the person who opens the page, and a friend. */
    private static final int SPARE_SEATS = 2;
    private static final String HEADER =
        "                       frames   frame lateness, ms         ping, ms         commands   sent  missed dropped " +
            "   rule    CPU%n" +
        "  phase players rooms  /s/room    p50    p99  p99.9    p50    p99  p99.9         /s   MB/s  frames  states " +
            " breaks  cores%n";
    private static final List<String> SERVER_FLAGS = List.of(
        "-XX:+UseZGC", "-XX:-ZProactive", "-Xms768m", "-Xmx768m", "-XX:+AlwaysPreTouch", "-XX:+PerfDisableSharedMem");
    private static final List<String> BOTS_FLAGS = List.of(
        "-XX:+UseSerialGC", "-Xms1500m", "-Xmx1500m", "-Xmn800m", "-XX:+UseTransparentHugePages",
        "-XX:+PerfDisableSharedMem");

    @Spec
    private CommandSpec spec;

    @Option(names = "--rooms", description = "Number of rooms (default: " + ROOMS + ", with --cluster " +
        CLUSTER_ROOMS + ").")
    private Integer rooms;

    @Option(names = "--seats", defaultValue = "14",
        description = "Bots per room. Up to two more seats stay free for players (default: ${DEFAULT-VALUE}).")
    private int seats;

    @Option(names = "--trunks", defaultValue = "16",
        description = "Trunks (connections) that carry the players (default: ${DEFAULT-VALUE}).")
    private int trunks;

    @Option(names = "--sampling", defaultValue = "10",
        description = "Maximum inputs per player per second, 1 to 60 (default: ${DEFAULT-VALUE}).")
    private int sampling;

    @Option(names = "--seconds", defaultValue = "60",
        description = "Seconds to measure, after the warm-up (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--warm-up", defaultValue = "20",
        description = "Maximum seconds of play before the measurement. The measurement starts earlier if the JIT " +
            "compilers of both processes rest (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--database", paramLabel = "URL",
        description = "JDBC URL of H2 or PostgreSQL (default: a temporary H2 file).")
    private String database;

    @Option(names = "--journal", paramLabel = "DIR|none", description = "Keep the rooms in a journal, in a temporary " +
        "directory below this directory. With none, rooms are in memory only (default: the system's temporary " +
        "directory, or none with --record).")
    private String journal;

    @Option(names = "--record", paramLabel = "DIR", description = "Record every turn for replay, in a log in this " +
        "directory. If the directory contains a log, the new log is in a new directory below it.")
    private Path record;

    @Option(names = "--idle", defaultValue = "PARK",
        description = "Idle strategy of the server (default: ${DEFAULT-VALUE}).")
    private String idle;

    @Option(names = "--feed", description = "Send states for all players of a room on a feed, once for all trunks.")
    private boolean isFed;

    @Mixin
    private TypesOptions types;

    @Mixin
    private LogInOptions logIn;

    @Option(names = "--cluster", description = "Run three servers that keep one log. Every 10 s the leader is " +
        "killed and restarted, and the bots check that each of their messages runs exactly once.")
    private boolean isCluster;

    @Option(names = "--json", description = "Print the result as a JSON object on the last line.")
    private boolean isJson;

    private final ConcurrentLinkedQueue<String> serverLines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> botLines = new ConcurrentLinkedQueue<>();
    private PrintWriter out;
    private StatisticsLine server = new StatisticsLine(ServeCommand.STATS);
    private StatisticsLine total;
    private String summary = "";
    private Game game;
    private int spare;
    private boolean isReady;
    private boolean isWarm;
    private boolean isTold;
    private boolean isDrained;
    private double framesPerSecond;
    private final Measured pending = new Measured();
    private final Measured measured = new Measured();
    private HostPressure.Reading pressure = HostPressure.Reading.NONE;
    private int rows;
    private int second;

    /** Of the server, over some of its intervals. */
    static final class Measured
    {
        private double seconds;
        private long frames;
        private long missed;

        void add(final StatisticsLine stats)
        {
            seconds += stats.number("seconds");
            frames += stats.whole("frames");
            missed += stats.whole("missed");
        }

        /** Take the counts of another, which is then empty. */
        void takeFrom(final Measured other)
        {
            seconds += other.seconds;
            frames += other.frames;
            missed += other.missed;
            other.clear();
        }

        void clear()
        {
            seconds = 0;
            frames = 0;
            missed = 0;
        }

        double missedShare()
        {
            return missed / (double)Math.max(1, frames + missed);
        }

        @Override
        public String toString()
        {
            return String.format(Locale.ROOT, "%,d run in %.1f s, %,d missed: %.3f %%",
                frames, seconds, missed, 100 * missedShare());
        }
    }

    @Override
    public Integer call() throws IOException
    {
        refuse(null != record && null != journal && hasJournal(), "--journal", "is a recording: remove --record");
        if (null == rooms)
        {
            rooms = isCluster ? CLUSTER_ROOMS : ROOMS;
        }
        out = spec.commandLine().getOut();
        game = types.loadSome().game();
        logIn.concludeWithoutTokens(game);
        refuse(null != database && !logIn.isByAccounts(), "--database", LogInOptions.NO_ACCOUNTS);
        spare = spare();
        return isCluster ? cluster() : demo();
    }

    /** As many seats stay free as the game's rooms have. */
    private int spare()
    {
        int free = SPARE_SEATS;
        while (free > 0 && !hasSpare(free))
        {
            free--;
        }
        TypesOptions.bots(spec, game, options(free));
        return free;
    }

    private boolean hasSpare(final int free)
    {
        try
        {
            TypesOptions.bots(spec, game, options(free));
            return true;
        }
        catch (final ParameterException ignored)
        {
            return false;
        }
    }

    private BotOptions options(final int free)
    {
        return new BotOptions(
            null, "", "", new byte[0], null, 0, false, rooms, seats, free, trunks, sampling, 1, 1, 1);
    }

    private int cluster() throws IOException
    {
        refuse(null != record, "--record", "the log of --cluster is a recording");
        refuse(!hasJournal(), "--journal", "the servers of --cluster have a log");
        refuse(null != database, "--database", "the servers of --cluster have their own");
        refuse(isJson, "--json", "not with --cluster");
        try (TemporaryDirectory directory = temporaryDirectory())
        {
            print(String.format(Locale.ROOT, "Escapement demo: %d players in %d rooms on three servers, of which " +
                "the one that leads is killed every 10 s. Starting ...", rooms * seats, rooms));
            return new ClusterDemo(out, seconds, logIn, types).run(directory, BOTS_FLAGS, this::bots);
        }
    }

    private void refuse(final boolean isWrong, final String option, final String reason)
    {
        if (isWrong)
        {
            throw new ParameterException(spec.commandLine(), option + ": " + reason);
        }
    }

    private int demo() throws IOException
    {
        final String ingress = freeEndpoint();
        final String response = freeEndpoint();
        print(String.format(Locale.ROOT, "Escapement demo: %d players in %d rooms over %d trunks; at most %d s of " +
            "warm-up, %d s measured. Starting server and bots ...", rooms * seats, rooms, trunks, warmUp, seconds));
        try (TemporaryDirectory directory = temporaryDirectory();
            ChildCommand serve = new ChildCommand(
                "server", SERVER_FLAGS, serve(directory.path(), ingress, response), serverLines::add))
        {
            directory.usedBy(serve::awaitEnd);
            awaitReady(serve);
            final int botStatus;
            try (ChildCommand bots = new ChildCommand("bots", BOTS_FLAGS, bots(ingress, response), botLines::add))
            {
                final HostPressure host = new HostPressure(List.of(serve.pid(), bots.pid()));
                while (bots.isAlive() && serve.isAlive())
                {
                    readLines();
                    if (isWarm && !isTold)
                    {
                        isTold = true;
                        bots.tell("warm");
                    }
                    if (null == total)
                    {
                        pressure = host.sinceStart();
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
                botStatus = bots.awaitEnd(1);
                readLines();
            }
            final int serverStatus = serve.end();
            readLines();
            ChildCommand.awaitShutdown();
            return verdict(botStatus, serverStatus);
        }
    }

    private boolean hasJournal()
    {
        return null == journal ? null == record : !JournalOptions.NONE.equals(journal);
    }

    private TemporaryDirectory temporaryDirectory() throws IOException
    {
        return new TemporaryDirectory("--journal", null == journal || !hasJournal() ? null : Path.of(journal));
    }

    private int verdict(final int botStatus, final int serverStatus)
    {
        final double missedShare = measured.missedShare();
        final StatisticsLine end = null == total ? new StatisticsLine(BotsCommand.TOTAL) : total;
        final boolean isFast = null != total && end.number("ping99") <= MAX_PING_MS;
        final boolean isPunctual = isInTime(missedShare, false);
        final boolean isCorrect = null != total && 0 == botStatus;
        final boolean isClean = isDrained && 0 == serverStatus;
        // Late answers, and a few late frames, are the host's if it kept threads from running.
        final boolean isHostSlow = null != total && HostPressure.explains(pressure);
        final boolean isInTime = isInTime(missedShare, isHostSlow);
        final boolean isAnswered = isFast || isHostSlow && isInTime;
        final boolean isGood = isAnswered && isInTime && isCorrect && isClean;
        print(String.format(Locale.ROOT, "%n%s: %d players in %d rooms for %d s",
            isGood ? "PASSED" : "FAILED", rooms * seats, rooms, seconds));
        check(isAnswered, isFast ? "ok" : "WARN", "ping",
            "p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms (limit: p99 %.0f ms)",
            end.number("ping50"), end.number("ping99"), end.number("ping999"), MAX_PING_MS);
        check(isInTime, isPunctual ? "ok" : "WARN", "frames", "%s (limit: %.1f %%)", measured, 100 * MAX_MISSED_SHARE);
        if (isAnswered && isInTime && !(isFast && isPunctual))
        {
            print("              the host is slow, not the engine: " + HostPressure.text(pressure));
        }
        check(isCorrect, "game", "%,d rule violations seen by the bots (limit: 0)%s", end.whole("violations"),
            summary.isEmpty() ? "" : "; " + summary);
        check(isClean, "shutdown",
            isDrained ? "rooms closed, all progress saved" : "not all progress was saved in time");
        if (isJson)
        {
            print(new JsonWriter().begin('{').name("demo").text(game.name())
                .name("players").number(rooms * seats).name("rooms").number(rooms)
                .name("fps").number(framesPerSecond / Math.max(1, rooms))
                .name("pingP50Ms").number(end.number("ping50")).name("pingP99Ms").number(end.number("ping99"))
                .name("pingP999Ms").number(end.number("ping999")).name("missedShare").number(missedShare)
                .name("violations").number(end.whole("violations"))
                .name("drain").text(isDrained ? "CLEAN" : "NOT CLEAN").end('}').toString());
        }
        return isGood ? 0 : 1;
    }

    /** Whether frames ran in time, or were late because the host kept threads from running. */
    static boolean isInTime(final double missedShare, final boolean isHostSlow)
    {
        return missedShare <= (isHostSlow ? MAX_MISSED_SHARE_OF_HOST : MAX_MISSED_SHARE);
    }

    private void check(final boolean isGood, final String name, final String format, final Object... values)
    {
        check(isGood, "ok", name, format, values);
    }

    private void check(
        final boolean isGood, final String good, final String name, final String format, final Object... values)
    {
        print(String.format(Locale.ROOT, "  %-4s  %-9s %s", isGood ? good : "FAIL", name,
            String.format(Locale.ROOT, format, values)));
    }

    private void awaitReady(final ChildCommand serve)
    {
        final long startNs = System.nanoTime();
        while (!isReady)
        {
            readLines();
            if (!serve.isAlive() || System.nanoTime() - startNs > START_NS)
            {
                throw new IllegalStateException("the server did not start within 60 s; its output is above");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private void readLines()
    {
        for (String text = serverLines.poll(); null != text; text = serverLines.poll())
        {
            onServerLine(text);
        }
        for (String text = botLines.poll(); null != text; text = botLines.poll())
        {
            onBotLine(text);
        }
    }

    private void onServerLine(final String text)
    {
        final StatisticsLine stats = StatisticsLine.parse(ServeCommand.STATS, text);
        if (null != stats)
        {
            server = stats;
            pending.add(stats);
            framesPerSecond = stats.number("framesPerSecond");
        }
        else if (text.startsWith(ServeCommand.READY + " "))
        {
            isReady = true;
        }
        else if (text.startsWith(ServeCommand.DRAINED + " clean="))
        {
            isDrained = text.endsWith("=1");
        }
        else if (text.startsWith(ServeCommand.WEB + " "))
        {
            // Alone on its line: a terminal makes it a link.
            print("Play in a browser:");
            print(text.substring(ServeCommand.WEB.length() + 1));
        }
        else if (text.startsWith(ServeCommand.CONSOLE + " "))
        {
            print("Watch the engine:");
            print(text.substring(ServeCommand.CONSOLE.length() + 1));
        }
        else if (text.startsWith(ServeCommand.METRICS + " "))
        {
            print("Metrics for Prometheus at " + text.substring(ServeCommand.METRICS.length() + 1));
        }
        else if (!text.startsWith(ServeCommand.SERVING + " ") && !text.startsWith(ServeCommand.JOURNAL + " "))
        {
            print("server: " + text);
        }
    }

    private void onBotLine(final String text)
    {
        for (final String word : new String[]{BotsCommand.ENTER, BotsCommand.WARM, BotsCommand.STATS})
        {
            final StatisticsLine stats = StatisticsLine.parse(word, text);
            if (null != stats)
            {
                // The server's intervals that finished in the second of this line.
                if (BotsCommand.STATS.equals(word))
                {
                    measured.takeFrom(pending);
                }
                pending.clear();
                isWarm |= BotsCommand.WARM.equals(word) && WarmUp.haveRested(
                    Math.max(stats.whole("compiled"), server.whole("compiled")), SECOND_NS);
                row(word, stats);
                return;
            }
        }
        final StatisticsLine end = StatisticsLine.parse(BotsCommand.TOTAL, text);
        if (null != end)
        {
            total = end;
        }
        else if (text.startsWith(BotsCommand.SUMMARY + " "))
        {
            summary = text.substring(BotsCommand.SUMMARY.length() + 1);
        }
        else
        {
            print("bots: " + text);
        }
    }

    private void row(final String phase, final StatisticsLine bots)
    {
        if (0 == rows++ % ROWS_PER_HEADER)
        {
            out.printf(HEADER);
        }
        print(String.format(Locale.ROOT,
            "%7s %7d %5d  %7.1f %6.3f %6.2f %6.2f %6.2f %6.2f %6.2f %,10.0f %6.1f %7d %7d %7d %6.2f",
            BotsCommand.STATS.equals(phase) ? ++second + " s" : phase, bots.whole("players"), server.whole("rooms"),
            server.number("framesPerSecond") / Math.max(1, server.number("rooms")),
            server.number("late50"), server.number("late99"), server.number("late999"),
            bots.number("ping50"), bots.number("ping99"), bots.number("ping999"),
            server.number("commands"), bots.number("bytes") / 1e6, server.whole("missed"), server.whole("dropped"),
            bots.whole("violations"), server.number("cpu")));
    }

    private void print(final String text)
    {
        ServeCommand.print(out, text);
    }

    private List<String> serve(final Path directory, final String ingress, final String response)
    {
        final List<String> arguments = new ArrayList<>(List.of("serve", "--demo-accounts", "--stats",
            "--listen", ingress, "--respond", response, "--idle", idle));
        arguments.addAll(types.arguments());
        arguments.addAll(logIn.arguments());
        if (logIn.isByAccounts())
        {
            arguments.addAll(List.of("--database", null == database ? temporary(directory) : database));
        }
        arguments.addAll(List.of("--drain", "--journal",
            hasJournal() ? directory.resolve("journal").toString() : JournalOptions.NONE));
        if (null != record)
        {
            arguments.addAll(List.of("--record", record.toString()));
        }
        if (isFed)
        {
            arguments.add("--feed");
        }
        arguments.addAll(List.of("--console-port", "0", "--metrics-port", "0"));
        if (WebOptions.hasPage(game))
        {
            arguments.addAll(List.of("--web-port", "0"));
        }
        return arguments;
    }

    private List<String> bots(final String ingress, final String response)
    {
        final List<String> arguments = new ArrayList<>(List.of("bots", "--server", ingress, "--respond", response,
            "--rooms", Integer.toString(rooms), "--seats", Integer.toString(seats),
            "--spare", Integer.toString(spare),
            "--trunks", Integer.toString(trunks),
            "--sampling", Integer.toString(sampling), "--seconds", Integer.toString(seconds),
            "--warm-up", Integer.toString(warmUp), "--until-told",
            "--run", Long.toString(System.currentTimeMillis() % 1_000_000)));
        arguments.addAll(types.arguments());
        if (isFed)
        {
            arguments.add("--feed");
        }
        return arguments;
    }

    /** Commits may be written later, many at once, because no later process opens it. */
    private static String temporary(final Path directory)
    {
        return "jdbc:h2:file:" + directory.resolve("accounts") + ";WRITE_DELAY=500";
    }

    static String freeEndpoint() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
