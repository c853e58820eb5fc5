package io.escapement.arena.program;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a recorded loop and compares its output. */
@Command(
    name = "replay",
    sortOptions = false,
    description = "Replay a recorded turn log and compare the output of each turn, byte for byte.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        "0:Every turn was compared, and all are the same.",
        "1:A turn differs, or the log cannot be read.",
        "2:Wrong usage.",
        "3:Nothing was compared: the log has no turn, or nothing for the room.",
        "4:The same, but the recording ends in the middle: its server was killed, or could not keep up recording."})
final class ReplayCommand implements Callable<Integer>
{
    static final int DIFFERENT = 1;
    static final int NOTHING_COMPARED = 3;
    static final int CUT_OFF = 4;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Turn log of a loop, for example loop-0.turns.")
    private Path file;

    @Option(names = "--room", paramLabel = "ID",
        description = "Also run this room alone, and compare it with the room among the others.")
    private Long roomId;

    @Option(names = "--cut", paramLabel = "FILE",
        description = "Write the log of that room to this new file. A replay of it compares the room alone.")
    private Path cutFile;

    @Option(names = "--until", paramLabel = "TURN", description = "Stop after this turn.")
    private long lastTurn = Long.MAX_VALUE;

    @Mixin
    private RulesOptions rules;

    @Override
    public Integer call() throws IOException
    {
        if (null != cutFile && null == roomId)
        {
            throw new ParameterException(spec.commandLine(), "--cut needs --room");
        }
        final TurnLogReader log = TurnLogReader.openUnfinished(file);
        return null == roomId ? replay(log) : cut(log);
    }

    private int replay(final TurnLogReader log)
    {
        final HostContext context = context(rules.rules().types()).outputs(new NoOutputs());
        final Replay replay = new Replay(log, context).runUntil(lastTurn);
        if (!replay.isSame())
        {
            return different(replay.firstDifferentTurn(), replay.difference());
        }
        if (0 == replay.compared())
        {
            return nothingCompared("the log has no turn up to there");
        }
        print("same: " + replay.turns() + " turns, " + replay.host().openRooms() + " rooms open, state hash " +
            Long.toHexString(replay.host().stateHash()));
        return status(replay.isCutOff());
    }

    private int cut(final TurnLogReader log) throws IOException
    {
        final ByteSink bytes = new ByteSink();
        final List<RoomType> types = rules.rules().types();
        final RoomCut cut = new RoomCut(log, roomId, () -> context(types), bytes).runUntil(lastTurn);
        if (!cut.isSame())
        {
            return different(cut.firstDifferentTurn(), cut.difference());
        }
        if (0 == cut.commands())
        {
            return nothingCompared("the log has no command for room " + roomId);
        }
        print("same: " + cut.turns() + " turns; room " + roomId + " alone: " + cut.ownTurns() + " turns, " +
            cut.commands() + " commands, state hash " + Long.toHexString(cut.stateHash()));
        if (null != cutFile)
        {
            Files.write(cutFile, bytes.toArray(), StandardOpenOption.CREATE_NEW);
        }
        return status(cut.isCutOff());
    }

    private int different(final long turn, final String difference)
    {
        print("DIFFERENT from turn " + turn + ": " + difference);
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
            print("the recording ends in the middle: what followed these turns is not in it");
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
