package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The questions to a room that it has not answered: who asked, and until when. Ids only rise. Therefore the arrays are
 * sorted. One timer, at the next deadline or earlier, refuses the expired questions.
 *
 * <p>Answers count once their callback has returned. A replay does not run a callback that fails for a reason of the
 * machine. Its answers must be open after that. Until the next callback that answers, they are kept after the open
 * questions.
 */
final class RoomQuestions
{
    private static final int NONE = 0;
    private static final long[] NO_LONGS = {};

    private final RoomIdentity room;
    private final RoomServices services;
    private long[] ids = NO_LONGS;
    private long[] fromRoomIds = NO_LONGS;
    private long[] correlationIds = NO_LONGS;
    private long[] deadlinesNs = NO_LONGS;
    private int openCount;
    private int answeredCount;
    private long answeringCallback;
    private long last;
    private int node = EngineTimer.NO_NODE;

    RoomQuestions(final RoomIdentity room, final RoomServices services)
    {
        this.room = room;
        this.services = services;
    }

    /** Arrays of the length that the type allows, from the first question on. */
    private void allocate()
    {
        if (0 == ids.length)
        {
            final int limit = room.type().questions();
            ids = new long[limit];
            fromRoomIds = new long[limit];
            correlationIds = new long[limit];
            deadlinesNs = new long[limit];
        }
    }

    /** Questions without an answer. */
    int open()
    {
        return openCount;
    }

    /** The code of the refusal of a further question, or 0. */
    int refusal()
    {
        final int limit = room.type().questions();
        return openCount < limit ? NONE :
            (0 == limit ? RefusalCode.UNKNOWN_MESSAGE : RefusalCode.QUEUE_FULL).value();
    }

    /** Add a question. Returns its id. */
    long add(final long fromRoomId, final long correlationId, final long timeoutNs)
    {
        allocate();
        answeredCount = 0;
        final long deadlineNs = services.time.deadlineIn(timeoutNs);
        put(openCount++, ++last, fromRoomId, correlationId, deadlineNs);
        if (EngineTimer.NO_NODE == node || deadlineNs < services.wheel.deadlineNs(node))
        {
            cancelTimer();
            schedule(deadlineNs);
        }
        return last;
    }

    /** Answer a question. False if it is not open. */
    boolean answer(final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = Arrays.binarySearch(ids, 0, openCount, id);
        if (at < 0)
        {
            return false;
        }
        if (!services.control.answer(
            room.roomId(), fromRoomIds[at], correlationIds[at], status, buffer, offset, length))
        {
            throw new IllegalStateException("one callback made more requests than the host can buffer");
        }
        if (answeringCallback != services.guard.callback())
        {
            answeringCallback = services.guard.callback();
            answeredCount = 0;
        }
        remove(at);
        answeredCount++;
        if (0 == openCount)
        {
            cancelTimer();
        }
        return true;
    }

    /** The answers of the callback that fails were discarded. */
    void reopen()
    {
        if (answeringCallback != services.guard.callback())
        {
            return;
        }
        for (; answeredCount > 0; answeredCount--)
        {
            // The question right after the open questions was answered last.
            int at = openCount++;
            final long id = ids[at];
            final long fromRoomId = fromRoomIds[at];
            final long correlationId = correlationIds[at];
            final long deadlineNs = deadlinesNs[at];
            for (; at > 0 && ids[at - 1] > id; at--)
            {
                move(at - 1, at);
            }
            put(at, id, fromRoomId, correlationId, deadlineNs);
        }
    }

    /** Refuse a question that its callback did not answer. */
    void refuse(final long id, final RefusalCode code)
    {
        final int at = Arrays.binarySearch(ids, 0, openCount, id);
        if (at >= 0)
        {
            refuseAt(at, code);
            if (0 == openCount)
            {
                cancelTimer();
            }
        }
    }

    /** Refuse all questions, because the room closes. */
    void refuseAll(final RefusalCode code)
    {
        while (0 != openCount)
        {
            refuseAt(0, code);
        }
        cancelTimer();
    }

    /** Refuse the expired questions. */
    void onTimer()
    {
        node = EngineTimer.NO_NODE;
        long nextNs = Long.MAX_VALUE;
        int at = 0;
        while (at < openCount)
        {
            if (deadlinesNs[at] <= services.time.nowNs())
            {
                refuseAt(at, RefusalCode.TIMED_OUT);
            }
            else
            {
                nextNs = Math.min(nextNs, deadlinesNs[at++]);
            }
        }
        if (0 != openCount)
        {
            schedule(nextNs);
        }
    }

    int node()
    {
        return node;
    }

    void restoredNode(final int restored)
    {
        node = restored;
    }

    /** Whether the room's hash covers the questions: not in types without them. */
    boolean isHashed()
    {
        return 0 != room.type().questions();
    }

    void write(final StateWriter writer)
    {
        writer.putLong(last);
        writer.putInt(openCount);
        for (int i = 0; i < openCount; i++)
        {
            writer.putLong(ids[i]);
            writer.putLong(fromRoomIds[i]);
            writer.putLong(correlationIds[i]);
            writer.putLong(deadlinesNs[i]);
        }
    }

    void read(final StateReader reader)
    {
        last = reader.getLong();
        openCount = Restored.inRange(reader.getInt(), 0, room.type().questions(), "open questions");
        if (0 != openCount)
        {
            allocate();
        }
        for (int i = 0; i < openCount; i++)
        {
            put(i, reader.getLong(), reader.getLong(), reader.getLong(), reader.getLong());
            Restored.check(ids[i] > (0 == i ? 0 : ids[i - 1]) && ids[i] <= last, "question " + ids[i]);
        }
    }

    private void refuseAt(final int at, final RefusalCode code)
    {
        services.proxy
            .questionRefused(room.roomId(), fromRoomIds[at], correlationIds[at], code.value());
        services.refusals.counted(code.value());
        answeredCount = 0;
        remove(at);
    }

    private void schedule(final long deadlineNs)
    {
        node = services.wheel.schedule(deadlineNs, services.time.nowNs(), room.slot(), EngineTimer.QUESTIONS.id());
    }

    private void cancelTimer()
    {
        if (EngineTimer.NO_NODE != node)
        {
            services.wheel.cancel(node);
            node = EngineTimer.NO_NODE;
        }
    }

    /** Move a question right after the open questions. */
    private void remove(final int at)
    {
        final long id = ids[at];
        final long fromRoomId = fromRoomIds[at];
        final long correlationId = correlationIds[at];
        final long deadlineNs = deadlinesNs[at];
        openCount--;
        for (int i = at; i < openCount; i++)
        {
            move(i + 1, i);
        }
        put(openCount, id, fromRoomId, correlationId, deadlineNs);
    }

    private void move(final int from, final int to)
    {
        put(to, ids[from], fromRoomIds[from], correlationIds[from], deadlinesNs[from]);
    }

    private void put(
        final int at, final long id, final long fromRoomId, final long correlationId, final long deadlineNs)
    {
        ids[at] = id;
        fromRoomIds[at] = fromRoomId;
        correlationIds[at] = correlationId;
        deadlinesNs[at] = deadlineNs;
    }
}
