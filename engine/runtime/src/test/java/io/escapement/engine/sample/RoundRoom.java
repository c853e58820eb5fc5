package io.escapement.engine.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that counts down, starts a round when everybody is ready, and ends it after 100 frames. */
final class RoundRoom implements RoomLogic
{
    private static final int TIMER_STEPS = 1;

    private static final Steps<RoundRoom> ROUND = Steps.<RoundRoom>named("round", 1)
        .repeat(3, (s) -> s.run(RoundRoom::countDown).after(TimeUnit.SECONDS.toNanos(1)))
        .any(
            (s) -> s.until(RoundRoom::isAllReady),
            (s) -> s.after(TimeUnit.SECONDS.toNanos(30)).run(RoundRoom::removeTheIdle))
        .run(RoundRoom::begin)
        .everyFrameWhile(RoundRoom::step)
        .run(RoundRoom::announceWinner)
        .build();

    private Room room;
    private RunningSteps<RoundRoom> steps;
    private long readySeats;
    private int countDown = 3;
    private int frames;

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        room.frameRate(60);
        steps = new RunningSteps<>(room, this, 1, TIMER_STEPS, List.of(ROUND));
        steps.start(ROUND, 0);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        readySeats |= 1L << from.index();
        steps.onChange();
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        steps.onTimer(handle, kind, tag);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        steps.onFrame();
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(readySeats);
        writer.putInt(countDown);
        writer.putInt(frames);
        steps.write(writer);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        readySeats = reader.getLong();
        countDown = reader.getInt();
        frames = reader.getInt();
        steps = new RunningSteps<>(room, this, 1, TIMER_STEPS, List.of(ROUND));
        steps.read(reader);
    }

    private void countDown()
    {
        say(Integer.toString(countDown--));
    }

    private boolean isAllReady()
    {
        return Long.bitCount(readySeats) == room.seatsTaken();
    }

    private void removeTheIdle()
    {
        for (int i = 0; i < room.seatLimit(); i++)
        {
            final Seat seat = room.seat(i);
            if (null != seat && 0 == (readySeats >> i & 1))
            {
                room.kick(seat);
            }
        }
    }

    private void begin()
    {
        say("go");
    }

    private boolean step()
    {
        return ++frames < 100;
    }

    private void announceWinner()
    {
        say("over");
    }

    private void say(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        room.sendEvent(room.everyone(), new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
