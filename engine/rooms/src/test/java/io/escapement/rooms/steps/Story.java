package io.escapement.rooms.steps;

import io.escapement.rooms.host.HostRig;
import io.escapement.rooms.host.RecordedOutputs;
import java.util.List;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A {@link StoryRoom} with one player, whose host can be replaced by the host of its snapshot at any time. */
final class Story
{
    final HostRig rig;
    private long requests;
    private long answered;

    Story(final Steps<StoryRoom> program)
    {
        this(List.of(program));
    }

    Story(final List<Steps<StoryRoom>> programs)
    {
        rig = new HostRig(StoryRoom.type(programs)).withLinks(1);
        rig.join(7, 0);
        rig.outputs.take();
    }

    Story start(final int program)
    {
        return message(StoryRoom.START, program);
    }

    Story message(final int template, final long argument)
    {
        StoryRoom.message(rig.payload, template, argument);
        return ran(rig.message(HostRig.ROOM, 0, 1, 0, StoryRoom.MESSAGE_LENGTH));
    }

    Story signal(final long from, final long argument)
    {
        StoryRoom.message(rig.payload, 1, argument);
        return ran(rig.command(rig.encoder.signal(
            rig.buffer, 0, HostRig.ROOM, from, 0, rig.payload, 0, StoryRoom.MESSAGE_LENGTH)));
    }

    /** Answer the oldest open request. */
    Story reply(final int status)
    {
        return ran(rig.command(rig.encoder.reply(
            rig.buffer, 0, HostRig.ROOM, ++answered, status, rig.payload, 0, 4)));
    }

    boolean hasRequest()
    {
        requests += rig.outputs.take(RecordedOutputs.Kind.COMMAND, (output) -> output).size();
        return answered < requests;
    }

    /** Run the time and the frame of one frame period. */
    Story frame()
    {
        rig.pass(StoryRoom.FRAME_NS);
        return this;
    }

    Story frames(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            frame();
        }
        return this;
    }

    Story restart()
    {
        rig.restore();
        return this;
    }

    /** The lines since the last call. */
    List<String> said()
    {
        return rig.outputs.take(RecordedOutputs.Kind.MESSAGE, RecordedOutputs.Output::ascii);
    }

    int timers()
    {
        return rig.host.pendingTimers();
    }

    private Story ran(final int code)
    {
        assertEquals(0, code);
        return this;
    }
}
