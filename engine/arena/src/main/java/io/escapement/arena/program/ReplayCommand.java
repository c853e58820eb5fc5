package io.escapement.arena.program;

import io.escapement.arena.ArenaTypes;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogs;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a recorded loop and compares its output. */
@Command(
    name = "replay",
    sortOptions = false,
    description = "Replay a recorded turn log and compare the output of each turn, byte for byte.")
final class ReplayCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Turn log of a loop, for example loop-0.turns.")
    private Path file;

    @Option(names = "--room", paramLabel = "ID", description = "Replay only this room.")
    private Long roomId;

    @Option(names = "--until", paramLabel = "TURN", description = "Stop after this turn.")
    private long lastTurn = Long.MAX_VALUE;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        final HostContext context = new HostContext().outputs(new NoOutputs());
        for (final RoomType type : ArenaTypes.all(new DatabaseCharacters()))
        {
            context.roomType(type);
        }
        final Replay replay = new Replay(log(out), context).runUntil(lastTurn);
        final String state = null == roomId ?
            "state hash " + Long.toHexString(replay.host().stateHash()) :
            "state hash of room " + roomId + " " + Long.toHexString(replay.host().stateHash(roomId));
        ServeCommand.print(out, replay.isSame() ?
            "same: " + replay.turns() + " turns, " + replay.host().openRooms() + " rooms open, " + state :
            "DIFFERENT from turn " + replay.firstDifferentTurn() + ": " + replay.difference());
        return replay.isSame() ? 0 : 1;
    }

    private TurnLogReader log(final PrintWriter out)
    {
        final TurnLogReader whole = TurnLogReader.openUnfinished(file);
        if (null == roomId)
        {
            return whole;
        }
        final ByteSink cut = new ByteSink();
        final long turns = TurnLogs.cut(whole, roomId, cut);
        ServeCommand.print(out, "room " + roomId + " takes part in " + turns + " turns");
        return TurnLogReader.openUnfinished(cut.buffer(), 0, cut.length());
    }
}
