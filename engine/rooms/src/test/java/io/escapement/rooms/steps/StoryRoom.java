package io.escapement.rooms.steps;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that runs programs as its messages request, and sends each line that a step says to everyone. */
final class StoryRoom implements RoomLogic
{
    static final int LIMIT = 6;
    static final int TIMER_STEPS = 77;
    static final int TIMERS = 128;
    static final int SERVICE = 5;
    static final int RATE_HZ = 100;
    static final long FRAME_NS = 1_000_000_000L / RATE_HZ;

    // The templates of messages. The argument follows the header.
    static final int START = 1;
    static final int CANCEL = 2;
    static final int SET_FLAG = 3;
    static final int CANCEL_ALL = 4;
    /** Starts the first program, and catches what its test of this message throws. */
    static final int CATCH = 5;
    static final int SEE = 6;
    static final int FIRST_FREE = 10;
    /** With this flag the room continues after a throw, as it does after too many rounds. */
    static final int GO_ON = 55;
    /** The flag with which a frame starts the first program. */
    static final int START_IN_FRAME = 99;
    static final int MESSAGE_LENGTH = 16;

    private final List<Steps<StoryRoom>> programs;
    private final UnsafeBuffer line = new UnsafeBuffer(new byte[256]);
    RunningSteps<StoryRoom> steps;
    Room room;
    long flag;
    /** Last argument of a message that a test read. */
    long seen;
    private long lastStarted;
    private long startedBefore;
    private long lastTag;

    StoryRoom(final List<Steps<StoryRoom>> programs)
    {
        this.programs = programs;
    }

    static RoomType type(final List<Steps<StoryRoom>> programs)
    {
        return RoomType.of(1, "story", 1, () -> new StoryRoom(programs)).seats(2).timers(TIMERS).requests(4_096)
            .outputLimit(1 << 20);
    }

    static int message(final UnsafeBuffer buffer, final int template, final long argument)
    {
        buffer.setMemory(0, MESSAGE_LENGTH, (byte)0);
        buffer.putShort(2, (short)template, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(8, argument, ByteOrder.LITTLE_ENDIAN);
        return MESSAGE_LENGTH;
    }

    static long argument(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + 8, ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        begin(opened);
        room.frameRate(RATE_HZ);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long argument = argument(buffer, offset);
        switch (SchemaRules.templateId(buffer, offset))
        {
            case START -> start(argument);
            case CANCEL -> cancelOne();
            case CANCEL_ALL -> say("cancelled " + steps.cancelAll());
            case SET_FLAG -> flag = argument;
            case SEE -> seen = argument;
            case CATCH ->
            {
                catchOne(from, buffer, offset, length);
                return;
            }
            default ->
            {
            }
        }
        if (steps.onMessage(from, buffer, offset, length))
        {
            say("taken");
        }
        steps.onChange();
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (steps.onSignal(fromRoomId, buffer, offset, length))
        {
            say("signal taken");
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        if (steps.onReply(correlationId, status, buffer, offset, length))
        {
            say("reply taken");
        }
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        if (!steps.onTimer(handle, kind, tag))
        {
            say("timer " + kind);
        }
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        if (START_IN_FRAME == flag)
        {
            flag = 0;
            start(0);
        }
        steps.onFrame();
    }

    @Override
    public AfterError onError(final Throwable thrown, final Seat seat)
    {
        return GO_ON == flag || thrown.getMessage().contains("rounds of a repeatWhile") ?
            AfterError.CONTINUE : AfterError.CLOSE;
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(flag);
        writer.putLong(seen);
        writer.putLong(lastStarted);
        writer.putLong(startedBefore);
        writer.putLong(lastTag);
        steps.write(writer);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        flag = reader.getLong();
        seen = reader.getLong();
        lastStarted = reader.getLong();
        startedBefore = reader.getLong();
        lastTag = reader.getLong();
        begin(restored);
        steps.read(reader);
    }

    void say(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        line.putBytes(0, bytes);
        room.sendEvent(room.everyone(), line, 0, bytes.length);
    }

    /** Start a program with the next tag. */
    void start(final long program)
    {
        final long id = steps.start(programs.get((int)program), ++lastTag);
        startedBefore = lastStarted;
        lastStarted = id;
        say(RunningSteps.NO_STEPS == id ? "full" : "started " + (steps.isRunning(id) ? "waits" : "ended"));
    }

    private void catchOne(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        start(0);
        try
        {
            steps.onMessage(from, buffer, offset, length);
        }
        catch (final IllegalStateException ex)
        {
            say("caught " + ex.getMessage() + ", " + steps.running() + " left");
        }
    }

    /** Cancel the program that was started before the last one. */
    void cancelOne()
    {
        say("cancelled " + steps.cancel(startedBefore));
    }

    long ask()
    {
        return room.async(SERVICE, 1, line, 0, 0);
    }

    private void begin(final Room opened)
    {
        room = opened;
        steps = new RunningSteps<>(room, this, LIMIT, TIMER_STEPS, programs);
    }
}
