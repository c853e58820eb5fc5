package io.escapement.engine.internal.loop;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.host.RoomHost;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * Has a newer version of their type take over the rooms of a loop: first the rooms that open from now on, then the open
 * rooms. Each turn reloads only a few, because frames must not wait for all of them. Because each is a command of the
 * log, a replay repeats it, and so does a loop that takes over from another node. In the thread of the loop.
 */
public final class LoopReload
{
    /** Rooms that one turn reloads: a room of some KiB takes microseconds, and one turn should take no more of them. */
    static final int BATCH = 8;

    private static final long FUTURE_ROOMS = 0;

    /**
     * The result on one loop.
     *
     * @param rooms         that were taken over.
     * @param refused       rooms that keep their version.
     * @param refusedRoomId the first refused room. It is 0 if the rooms that open from now on keep their version.
     * @param code          why it was refused, or 0.
     * @param cause         of that refusal, or null if the code is sufficient.
     */
    public record Result(int rooms, int refused, long refusedRoomId, int code, Throwable cause)
    {
    }

    private final int typeId;
    private final int fromVersion;
    private final int toVersion;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    /** Starts with the entry of the future rooms. Null until the loop takes the request. */
    private long[] roomIds;
    private int sent;
    private int answered;
    private boolean areRoomsListed;
    private int rooms;
    private int refused;
    private long refusedRoomId;
    private int code;
    private Throwable cause;

    /**
     * Make a request.
     *
     * @param typeId      of the rooms.
     * @param fromVersion that they have.
     * @param toVersion   that takes over. It is registered with the loop's host.
     */
    public LoopReload(final int typeId, final int fromVersion, final int toVersion)
    {
        this.typeId = typeId;
        this.fromVersion = fromVersion;
        this.toVersion = toVersion;
    }

    /** Completed in the thread of the loop. */
    public CompletableFuture<Result> result()
    {
        return result;
    }

    /** Send the next commands, once the last ones have run. Returns whether all have. */
    boolean step(final RoomHost host, final LoopOutputs outputs)
    {
        if (null == roomIds)
        {
            roomIds = host.openingVersion(typeId) == fromVersion ? new long[]{FUTURE_ROOMS} : new long[0];
        }
        if (answered == roomIds.length && !areRoomsListed && 0 == code)
        {
            areRoomsListed = true;
            list(host);
        }
        if (answered == sent)
        {
            final int end = Math.min(roomIds.length, sent + BATCH);
            while (sent < end && outputs.reload(roomIds[sent], typeId, fromVersion, toVersion))
            {
                sent++;
            }
        }
        if (answered == roomIds.length)
        {
            result.complete(new Result(rooms, refused, refusedRoomId, code, cause));
            return true;
        }
        return false;
    }

    private void list(final RoomHost host)
    {
        roomIds = Arrays.stream(host.openRoomIds())
            .filter((id) -> host.typeOf(id) == typeId && host.versionOf(id) == fromVersion).toArray();
        sent = 0;
        answered = 0;
    }

    /** A Reload has run. */
    void onReload(
        final long roomId, final int ofType, final int from, final int to, final int withCode, final Throwable why)
    {
        if (answered == sent || roomIds[answered] != roomId || ofType != typeId || from != fromVersion ||
            to != toVersion)
        {
            return;
        }
        answered++;
        if (0 == withCode)
        {
            rooms += FUTURE_ROOMS == roomId ? 0 : 1;
        }
        else if (RefusalCode.UNKNOWN_ROOM.value() != withCode)
        {
            refused += FUTURE_ROOMS == roomId ? 0 : 1;
            if (0 == code)
            {
                code = withCode;
                refusedRoomId = roomId;
                cause = why;
            }
        }
    }

    void abandon(final String reason)
    {
        result.completeExceptionally(new IllegalStateException(reason + ", after " + rooms +
            " rooms were reloaded: reload again, the others are left"));
    }
}
