package io.escapement.console;

import io.escapement.engine.EngineOperator;
import io.escapement.http.HttpError;
import io.escapement.rooms.RoomLogic;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads rooms that pages draw. All pages that look at a room share one reading. */
final class RoomViews
{
    /** Longest reading of a room, in bytes. */
    static final int MAX_LENGTH = 64 * 1_024;
    /** Rooms that are looked at at a time. */
    static final int LIMIT = 8;
    /** Types that have a view. */
    static final int TYPE_LIMIT = 64;

    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(95);
    private static final long FORGOTTEN_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int NOT_FOUND = 404;
    private static final int FAULT = 500;

    /** A reading that is under way or done. */
    private record Reading(long nowNs, CompletableFuture<byte[]> bytes)
    {
    }

    private final Map<Integer, RoomView> viewByTypeIdMap;
    private final EngineOperator operator;
    private final Map<Long, Reading> readingByRoomIdMap = new HashMap<>();

    RoomViews(final Map<Integer, RoomView> viewByTypeIdMap, final EngineOperator operator)
    {
        this.viewByTypeIdMap = Map.copyOf(viewByTypeIdMap);
        this.operator = operator;
    }

    /** Path of the module that draws rooms of a type, or null. */
    String module(final int typeId)
    {
        final RoomView view = viewByTypeIdMap.get(typeId);
        return null == view ? null : path(view, view.files().get(0));
    }

    static String path(final RoomView view, final String file)
    {
        return "/view/" + view.directory().substring(view.directory().lastIndexOf('/') + 1) + "/" + file;
    }

    /** The last reading of a room by the view of its type, or a new reading. */
    byte[] read(final long roomId, final int typeId, final long nowNs) throws HttpError
    {
        final RoomView view = viewByTypeIdMap.get(typeId);
        if (null == view)
        {
            throw new HttpError(NOT_FOUND, "type: rooms of this type have no view");
        }
        final byte[] bytes = Reports.get(reading(roomId, view, nowNs));
        if (null == bytes)
        {
            throw new HttpError(NOT_FOUND, "no such room is open");
        }
        return checked(bytes);
    }

    /** The reading of a room that runs in this thread, by the view of its type. Empty if the type has no view. */
    byte[] read(final int typeId, final RoomLogic logic) throws HttpError
    {
        final RoomView view = viewByTypeIdMap.get(typeId);
        return null == view ? new byte[0] : checked(view.read(logic));
    }

    private static byte[] checked(final byte[] bytes) throws HttpError
    {
        if (bytes.length > MAX_LENGTH)
        {
            throw new HttpError(FAULT, "the view of the room is longer than " + MAX_LENGTH + " bytes");
        }
        return bytes;
    }

    private synchronized CompletableFuture<byte[]> reading(final long roomId, final RoomView view, final long nowNs)
        throws HttpError
    {
        final Reading last = readingByRoomIdMap.get(roomId);
        if (null != last && nowNs - last.nowNs < FRESH_NS)
        {
            return last.bytes;
        }
        readingByRoomIdMap.values().removeIf((one) -> nowNs - one.nowNs > FORGOTTEN_NS);
        if (null == last && LIMIT == readingByRoomIdMap.size())
        {
            throw new HttpError(HttpError.BUSY, "more than " + LIMIT + " rooms are looked at");
        }
        final CompletableFuture<byte[]> bytes = operator.read(roomId, (final RoomLogic logic) -> view.read(logic));
        readingByRoomIdMap.put(roomId, new Reading(nowNs, bytes));
        return bytes;
    }
}
