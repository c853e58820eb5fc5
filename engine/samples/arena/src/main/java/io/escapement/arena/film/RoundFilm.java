package io.escapement.arena.film;

import io.escapement.arena.room.ArenaPicture;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.arena.room.RoundTime;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.gateway.ContentSource;
import io.escapement.rooms.replay.RoomPast;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the film of a round: its pictures, ten per second, each after its sub-step in the round and its length in four
 * bytes each, compressed with gzip. The round is found by sub-steps, because they do not depend on a clock.
 */
final class RoundFilm
{
    /** Longest film. A round of 16 players has about 1 MiB. */
    static final int MAX_LENGTH = 4 * 1_024 * 1_024;
    static final String NOT_ENDED = "This round has not ended.";

    private static final int INTERVAL = ArenaRules.SUB_STEPS_PER_SECOND / 10;
    private static final int HEADER_LENGTH = 2 * Integer.BYTES;
    private static final long MS_PER_SECOND = 1_000;
    private static final long NONE = -1;

    private final RoomPast past;
    private final long endedAt;
    private final Runnable pace;
    private final ByteArrayOutputStream film = new ByteArrayOutputStream();

    private RoundFilm(final RoomPast past, final long endedAt, final Runnable pace)
    {
        this.past = past;
        this.endedAt = endedAt;
        this.pace = pace;
    }

    /**
     * Make a film.
     *
     * @param past    of any room.
     * @param endedAt sub-step of the end of the round.
     * @param pace    called between two pieces of work, to rest.
     * @return the film, or null if the log does not have the whole round.
     * @throws ContentSource.Unavailable if the room has not reached this sub-step.
     */
    static byte[] of(final RoomPast past, final long endedAt, final Runnable pace)
    {
        final RoundFilm made = new RoundFilm(past, endedAt, pace);
        return made.hasRound() && made.record() ? made.film.toByteArray() : null;
    }

    /** Whether a round ended there. It takes a few turns to know that, and the round thousands. */
    private boolean hasRound()
    {
        past.seekEnd();
        final boolean isOpen = past.isOpen();
        while (!past.isOpen())
        {
            pace.run();
            if (!past.back())
            {
                return false;
            }
        }
        if (endedAt < RoundTime.ROUND || !ArenaRoom.isType(past.typeId()))
        {
            return false;
        }
        if (time().subStep() < endedAt)
        {
            if (isOpen)
            {
                throw new ContentSource.Unavailable(NOT_ENDED);
            }
            return false;
        }
        seek(endedAt - 1);
        if (hasEnded())
        {
            // The log starts later.
            return false;
        }
        while (!hasEnded())
        {
            pace.run();
            if (!past.step())
            {
                return false;
            }
        }
        return endedAt == time().subStep() && time().isAfterRound(endedAt);
    }

    private boolean hasEnded()
    {
        return past.isOpen() && time().subStep() >= endedAt;
    }

    /** False if the log starts within the round. */
    private boolean record()
    {
        seek(Math.max(0, endedAt - RoundTime.ROUND - RoundTime.LATEST));
        long beganAt = NONE;
        long next = 0;
        try (GZIPOutputStream out = new GZIPOutputStream(film))
        {
            while (true)
            {
                final RoundTime now = past.isOpen() ? time() : null;
                if (NONE == beganAt && null != now && now.isInRound(endedAt))
                {
                    beganAt = now.endsAt() - RoundTime.ROUND;
                    next = beganAt;
                    if (now.subStep() > beganAt + INTERVAL)
                    {
                        return false;
                    }
                }
                if (NONE != beganAt && null != now && now.subStep() >= Math.min(next, endedAt))
                {
                    next += (1 + (now.subStep() - next) / INTERVAL) * INTERVAL;
                    add(out, (int)(now.subStep() - beganAt));
                }
                if (hasEnded())
                {
                    return NONE != beganAt;
                }
                pace.run();
                if (!past.step())
                {
                    return false;
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void add(final GZIPOutputStream out, final int subStep) throws IOException
    {
        final byte[] picture = ArenaPicture.of(past.host().logic(past.roomId()));
        out.write(ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(subStep).putInt(picture.length).array());
        out.write(picture);
        if (film.size() > MAX_LENGTH)
        {
            throw new ContentSource.Unavailable("The film of this round is too long.");
        }
    }

    /**
     * Go to a place not after a sub-step, or to the start of the kept log. Because sub-steps stop in an empty arena, a
     * date by sub-steps is too late, and further steps back double.
     */
    private void seek(final long subStep)
    {
        long leastMs = MS_PER_SECOND;
        long wantedMs = Long.MAX_VALUE;
        while (past.isOpen() && time().subStep() > subStep && wantedMs > past.beginMs())
        {
            wantedMs = past.epochMs() - Math.max(
                leastMs, MS_PER_SECOND * (time().subStep() - subStep) / ArenaRules.SUB_STEPS_PER_SECOND);
            leastMs *= 2;
            past.seekTime(wantedMs);
            pace.run();
        }
    }

    private RoundTime time()
    {
        return RoundTime.of(past.host().logic(past.roomId()));
    }
}
