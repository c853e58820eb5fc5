package io.escapement.server;

import io.escapement.cluster.ClusterLog;
import io.escapement.cluster.ClusterOptions;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.Durability;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays the log of a loop and compares its output. */
@Command(
    name = "replay",
    sortOptions = false,
    description = "Replay a recording, a journal, the log of a cluster's server or the log of a room, and compare " +
        "the output of each turn, byte for byte.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        "0:Every turn was compared, and all are identical.",
        "1:A turn differs, or the log cannot be read.",
        "2:Wrong option.",
        "3:No turn was compared, because the log contains no turn, or no turn of the room.",
        "4:Identical up to the point where the log is cut off, because its server was killed. The last turn is not " +
            "compared."},
    footer = {"", "Examples:",
        "  escapement replay ./escapement-data --types game.jar",
        "  escapement replay ./escapement-data --room 17 --cut room-17.log"})
final class ReplayCommand implements Callable<Integer>
{
    static final int DIFFERENT = 1;
    static final int NOTHING_COMPARED = 3;
    static final int CUT_OFF = 4;

    private static final String LOG = "LOG";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = LOG,
        description = "Directory of a recording, a journal or a cluster's server that no server uses, or a file that " +
        "--cut wrote. The last turns of a cluster's server run even if they were not committed.")
    private Path path;

    @Option(names = "--loop", paramLabel = "N", defaultValue = "0",
        description = "Number of the loop in the directory (default: ${DEFAULT-VALUE}).")
    private int loop;

    @Option(names = "--room", paramLabel = "ID",
        description = "Also run this room on its own, and compare it with the room in its loop.")
    private Long roomId;

    @Option(names = "--cut", paramLabel = "FILE",
        description = "Write the log of --room to this new file. A replay of the file compares only this room.")
    private Path cutFile;

    @Option(names = "--until", paramLabel = "TURN", description = "Stop after this turn.")
    private long lastTurn = Long.MAX_VALUE;

    @Option(names = "--amendments", paramLabel = "FILE", description = "The --amendments file of the cluster's " +
        "servers.")
    private Path amendments;

    @Mixin
    private TypesOptions types;

    private final ByteSink roomLog = new ByteSink();

    @Override
    public Integer call()
    {
        ConfigException.check(null == cutFile || null != roomId, "--cut", cutFile, "set --room too");
        ConfigException.check(null == cutFile || !Files.exists(cutFile), "--cut", cutFile, "is there already");
        if (null != cutFile)
        {
            PrivateFiles.checkFile("--cut", cutFile);
        }
        final int status = Files.isDirectory(path) ? runLoop() : run(open());
        if (null != cutFile && (0 == status || CUT_OFF == status))
        {
            write();
        }
        return status;
    }

    private int runLoop()
    {
        final int[] status = new int[1];
        final Durability log = ClusterLog.isIn(path) ?
            Durability.replicated(new ClusterLog(new ClusterOptions().directory(path))) :
            RecoverCommand.journal(path, "a journal, a recording or a server of a cluster");
        (null == amendments ? log : log.amendments(amendments)).read((logs) ->
        {
            ConfigException.check(
                logs.containsKey(loop), "--loop", loop, path + " has no such loop, but " + logs.keySet());
            status[0] = run(logs.get(loop));
        });
        return status[0];
    }

    private LogSource open()
    {
        ConfigException.check(Files.exists(path), LOG, path, "no such file or directory");
        ConfigException.check(!path.toString().endsWith(".journal"), LOG, path,
            "is a part of a log: name its directory");
        ConfigException.check(null == amendments, "--amendments", amendments,
            "only the log of a cluster's server has it");
        try
        {
            return LogFile.openUnfinished(path);
        }
        catch (final DamagedRecordException ex)
        {
            throw new IllegalStateException(path + ": " + ex.getMessage(), ex);
        }
    }

    private int run(final LogSource log)
    {
        if (null == log.config())
        {
            return nothingCompared("the log is empty");
        }
        try
        {
            return null == roomId ? replay(log) : cut(log);
        }
        catch (final ConfigException ex)
        {
            throw ex;
        }
        catch (final IllegalArgumentException | ProposalException ex)
        {
            throw new IllegalStateException(path + ": " + ex.getMessage(), ex);
        }
    }

    private int replay(final LogSource log)
    {
        final HostContext context = context(types.loadSome().types()).outputs(NoOutputs.NONE);
        final Replay replay = new Replay(log, context).runUntil(lastTurn);
        if (!replay.isSame())
        {
            return different(replay.difference());
        }
        if (0 == replay.compared())
        {
            return nothingCompared("the log has no hash of a turn up to there");
        }
        print("same: " + replay.turns() + " turns, " + replay.host().openRooms() + " rooms open, state hash " +
            Long.toHexString(replay.host().stateHash()));
        return status(replay.isCutOff());
    }

    private int cut(final LogSource log)
    {
        final List<RoomType> versions = types.loadSome().types();
        final RoomCut cut = new RoomCut(log, roomId, () -> context(versions), roomLog).runUntil(lastTurn);
        if (!cut.isSame())
        {
            return different(cut.difference());
        }
        if (0 == cut.commands() && 0 == cut.stateHash())
        {
            return nothingCompared("the log does not have room " + roomId);
        }
        print("same: " + cut.turns() + " turns; room " + roomId + " alone: " + cut.ownTurns() + " turns, " +
            cut.commands() + " commands, state hash " + Long.toHexString(cut.stateHash()));
        return status(cut.isCutOff());
    }

    private void write()
    {
        try
        {
            Files.write(cutFile, roomLog.toArray(), StandardOpenOption.CREATE_NEW);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("--cut: " + cutFile + ": cannot be written: " + ex, ex);
        }
    }

    private int different(final String difference)
    {
        print("DIFFERENT from " + difference);
        return DIFFERENT;
    }

    private int nothingCompared(final String reason)
    {
        print("nothing compared: " + reason);
        return NOTHING_COMPARED;
    }

    private int status(final boolean isCutOff)
    {
        if (isCutOff)
        {
            print("the log ends in the middle: what followed these turns is not in it");
            return CUT_OFF;
        }
        return 0;
    }

    private void print(final String line)
    {
        final PrintWriter out = spec.commandLine().getOut();
        ServeCommand.print(out, line);
    }

    private static HostContext context(final List<RoomType> types)
    {
        final HostContext context = new HostContext();
        types.forEach(context::roomType);
        return context;
    }
}
