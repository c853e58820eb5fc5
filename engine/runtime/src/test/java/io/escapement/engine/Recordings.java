package io.escapement.engine;

import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads recordings. */
final class Recordings
{
    private Recordings()
    {
    }

    static Replay replay(final EngineContext context, final Path directory, final int loop)
    {
        final Replay[] replay = new Replay[1];
        read(directory, loop, (log) ->
            replay[0] = new Replay(log, context.newHostContext().outputs(NoOutputs.NONE)).run());
        return replay[0];
    }

    static void read(final Path directory, final int loop, final Consumer<LogSource> reader)
    {
        Durability.journal(directory).read((logs) -> reader.accept(logs.get(loop)));
    }
}
