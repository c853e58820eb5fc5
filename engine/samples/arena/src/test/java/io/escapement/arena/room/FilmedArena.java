package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomPast;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** An arena in which bots fight, with its log, and with its pictures as they were while it was played. */
public final class FilmedArena
{
    private static final long SECOND = 1_000_000_000L;
    private static final int SEATS = 3;

    private final ArenaBench arena = new ArenaBench(SEATS);
    private final Map<Long, byte[]> pictureBySubStepMap = new HashMap<>();

    /** A player joins. */
    public void join(final long playerId)
    {
        arena.player(playerId, 2, 1).join().brain = new BotBrain(playerId, (other) -> false);
    }

    /** Its arena is empty for less than the time after which it closes. */
    public void leaveForAWhile()
    {
        leave(50);
    }

    /** The arena closes. */
    public void leaveForEver()
    {
        leave(100);
    }

    private void leave(final int seconds)
    {
        arena.players.forEach(ArenaBench.Player::leave);
        arena.players.clear();
        arena.bench.runFor(seconds * SECOND);
    }

    /** Play on. */
    public void playUntil(final long subStep)
    {
        while (subStep() < subStep)
        {
            arena.play(1);
            pictureBySubStepMap.put(subStep(), ArenaPicture.of(arena.room()));
        }
    }

    /** Time of the arena. */
    public long subStep()
    {
        return arena.room().simulation().subStep();
    }

    /** The picture of a sub-step, as the arena had it then. */
    public byte[] picture(final long subStep)
    {
        return pictureBySubStepMap.get(subStep);
    }

    /** Id of the room. */
    public long roomId()
    {
        return arena.bench.roomId();
    }

    /** Sub-steps of a pause. */
    public static int pause()
    {
        return Round.PAUSE;
    }

    /** The log up to now. */
    public byte[] log()
    {
        return arena.bench.log();
    }

    /** The end of a log, which begins with a state of the room. */
    public byte[] endOf(final byte[] log, final int length)
    {
        final RoomPast past = past(log, roomId());
        past.seekEnd();
        final ByteSink sink = new ByteSink();
        past.write(sink, length, null);
        return sink.toArray();
    }

    /** The past of a room in a log. */
    public static RoomPast past(final byte[] log, final long roomId)
    {
        return new RoomPast(LogHistory.of(LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length)), roomId,
            () -> new HostContext().roomType(type()));
    }

    private static RoomType type()
    {
        return new ArenaBench(SEATS).type();
    }
}
