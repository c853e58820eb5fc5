package io.escapement.server;

import io.escapement.cluster.ClusterLog;
import io.escapement.cluster.ClusterOptions;
import io.escapement.codecs.TrunkMessages;
import io.escapement.config.ConfigException;
import io.escapement.engine.Durability;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.replay.RoomPast;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Goes back in a room of a log, and tries other versions of its rules. */
@Command(
    name = "debug",
    sortOptions = false,
    description = "Go back in a room's past: seek, step, break, and show its state. The log is a journal, a " +
        "recording, the log of a cluster's server, or a file of one room. Without -e it asks for commands. The " +
        "command help lists them.",
    footer = {"", "Examples:",
        "  escapement debug ./escapement-data --room 17 -e \"seek last-failure\" -e show",
        "  escapement debug ./escapement-data --room 17 -e \"save room-17.bundle\"",
        "  escapement debug ./escapement-data --types fixed.jar --compare 1h",
        "  escapement debug http://127.0.0.1:7071/#TOKEN --room 17"})
final class DebugCommand implements Callable<Integer>
{
    private static final String LOG = "LOG";
    private static final Duration COMPARE_LIMIT = Duration.ofDays(365);
    private static final int DIFFERENT = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = LOG, description = "Directory of a log that no server uses, a file of one room, or the " +
        "URL of a running server's console with its operate token.")
    private String log;

    @Option(names = "--room", paramLabel = "ID", description = "Room id. You can omit it if the log contains one room.")
    private Long roomId;

    @Option(names = {"-e", "--execute"}, paramLabel = "COMMAND",
        description = "Execute this command instead of asking for commands. Repeatable.")
    private List<String> commands = List.of();

    @Option(names = "--compare", paramLabel = "DURATION", description = "Rerun the last part of the rooms' log, " +
        "for example 30s, 15m or 1h, with the newest versions of their types, and list the first turns that differ.")
    private String duration;

    @Option(names = "--amendments", paramLabel = "FILE", description = "The --amendments file of the cluster's " +
        "servers.")
    private Path amendments;

    @Mixin
    private TypesOptions types;

    /** Null for a console. */
    private Path path;
    private int status;

    @Override
    public Integer call() throws IOException
    {
        final long compareMs = null == duration ? 0 :
            TimeOption.parse("--compare", duration, COMPARE_LIMIT).toMillis();
        final List<RoomType> versions = types.loadSome().types();
        if (ConsoleLog.isUrl(log))
        {
            ConfigException.check(null != roomId, "--room", "none", "name a room of the server");
            run(LogHistory.of(new ConsoleLog(log).open(roomId)), versions, compareMs);
            return status;
        }
        path = Path.of(log);
        if (Files.isDirectory(path))
        {
            directory().history((histories) ->
            {
                if (null == roomId && null == duration)
                {
                    throw new ConfigException(
                        "--room", "none", "name one of " + histories.values().stream().map(RoomPast::rooms).toList());
                }
                ConfigException.check(null == roomId || histories.containsKey(TrunkMessages.loopOf(roomId)),
                    "--room", roomId, "no loop of the log has it");
                histories.forEach((loop, history) ->
                {
                    if (null == roomId || loop == TrunkMessages.loopOf(roomId))
                    {
                        run(history, versions, compareMs);
                    }
                });
            });
        }
        else
        {
            run(LogHistory.of(open()), versions, compareMs);
        }
        return status;
    }

    private Durability directory()
    {
        final Durability log = ClusterLog.isIn(path) ?
            Durability.replicated(new ClusterLog(new ClusterOptions().directory(path))) :
            RecoverCommand.journal(path, "a journal, a recording or a server of a cluster");
        return null == amendments ? log : log.amendments(amendments);
    }

    private LogFile open()
    {
        ConfigException.check(Files.exists(path), LOG, path, "no such file or directory");
        try
        {
            return LogFile.openUnfinished(path);
        }
        catch (final DamagedRecordException ex)
        {
            throw new IllegalStateException(path + ": " + ex.getMessage(), ex);
        }
    }

    private void run(final LogHistory history, final List<RoomType> versions, final long compareMs)
    {
        try
        {
            if (null != duration)
            {
                compare(history, versions, compareMs);
            }
            else
            {
                debug(history, versions);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final ConfigException ex)
        {
            throw ex;
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalStateException(log.replaceAll("#.*", "") + ": " + ex.getMessage(), ex);
        }
    }

    private void debug(final LogHistory history, final List<RoomType> versions) throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final long room = null == roomId ? onlyRoom(history) : roomId;
        final Supplier<RoomPast> pasts = () -> new RoomPast(history, room, () ->
        {
            final HostContext context = new HostContext();
            versions.forEach(context::roomType);
            return context;
        });
        final RoomPast past = pasts.get();
        past.seekEnd();
        final Debugger debugger = new Debugger(past, pasts, new MessageText(versions), out);
        if (commands.isEmpty())
        {
            out.println("room " + past.roomId() + ", " + debugger.place());
            ask(debugger, out);
        }
        for (final String command : commands)
        {
            if (!execute(debugger, command, out))
            {
                return;
            }
        }
        out.flush();
    }

    private void ask(final Debugger debugger, final PrintWriter out) throws IOException
    {
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        boolean isAsking = true;
        while (isAsking)
        {
            out.print("> ");
            out.flush();
            final String line = in.readLine();
            status = 0;
            isAsking = null != line && (execute(debugger, line, out) || 0 != status);
        }
    }

    /** Returns whether to continue with the next command. */
    private boolean execute(final Debugger debugger, final String command, final PrintWriter out)
    {
        try
        {
            return debugger.execute(command);
        }
        catch (final IllegalArgumentException | UncheckedIOException ex)
        {
            out.println(ex.getMessage());
            status = DIFFERENT;
            return false;
        }
        finally
        {
            out.flush();
        }
    }

    private long onlyRoom(final LogHistory history)
    {
        final List<Long> rooms = RoomPast.rooms(history);
        ConfigException.check(1 == rooms.size(), "--room", "none", path + " has " + rooms.size() + " rooms: name one");
        return rooms.get(0);
    }

    private void compare(final LogHistory history, final List<RoomType> versions, final long compareMs)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final HostConfig[] config = new HostConfig[1];
        history.read(history.starts() - 1, (log) -> config[0] = log.config());
        if (null == config[0])
        {
            throw new IllegalArgumentException("the log is empty");
        }
        final WhatIf whatIf = new WhatIf(history, config[0], versions);
        ConfigException.check(whatIf.hasNewer(), "--types", "none", "name a jar with a newer version of a room type");
        int different = 0;
        final List<Long> rooms = null == roomId ? RoomPast.rooms(history) : List.of(roomId);
        for (final long room : rooms)
        {
            final List<String> lines = whatIf.compare(room, compareMs);
            lines.forEach(out::println);
            different += lines.isEmpty() ? 0 : 1;
        }
        out.println(different + " of " + rooms.size() + " rooms differ");
        out.flush();
        status = 0 == different ? status : DIFFERENT;
    }
}
