package io.escapement.examples.chat;

import io.escapement.examples.common.Line;
import io.escapement.examples.common.TextTable;
import io.escapement.lobby.Lobby;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * A room of the chat.
 *
 * <pre>
 *   to join       {name}                       of the player, unique in the room
 *   from a page   {text}
 *   to the pages  welcome                      to a joining or returning page: who is here, and the last lines, follow
 *                 here {seat} {name}           somebody has joined
 *                 gone {seat}
 *                 said {milliseconds since 1970} {name} {text}
 * </pre>
 */
final class ChatRoom implements RoomLogic
{
    static final int TYPE_ID = 2;
    static final int SEATS = 32;
    /** Lines that who joins gets. */
    static final int HISTORY = 30;
    /** Longest name, in bytes. */
    static final int MAX_NAME_LENGTH = 24;
    /** Longest text, in bytes. */
    static final int MAX_TEXT_LENGTH = 280;
    /** Texts that a player may send at once. */
    static final int BURST = 5;
    /** The time after which a player may send another line. */
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    /** How long a player's room stays open while it is empty. */
    static final long EMPTY_NS = TimeUnit.MINUTES.toNanos(1);

    static final int BAD_NAME = FIRST_APPLICATION_CODE + 16;
    static final int NAME_TAKEN = FIRST_APPLICATION_CODE + 17;
    static final int BAD_TEXT = FIRST_APPLICATION_CODE + 18;
    static final int TOO_FAST = FIRST_APPLICATION_CODE + 19;

    /** The row of the name that a join asks for, until the player has a seat. */
    private static final int ASKED = SEATS;
    /** When the gateway returns, every seat returns at once, and each gets the history. */
    private static final int OUTPUT_LIMIT = 512 * 1024;

    private final TextTable names = new TextTable(SEATS + 1, MAX_NAME_LENGTH);
    private final TextTable history = new TextTable(HISTORY, Line.MAX_LENGTH);
    /** For each seat, the time at which its whole burst is allowed again. */
    private final long[] allAllowedNs = new long[SEATS];
    private final Line line = new Line();
    private Room room;
    private long linesSaid;

    static RoomType type()
    {
        return RoomType.of(TYPE_ID, "chat", 1, ChatRoom::new).seats(SEATS).timers(0).outputLimit(OUTPUT_LIMIT);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        Lobby.publishLabels(room, args, offset, length);
        if (0 != room.openerRoomId())
        {
            room.closeWhenEmpty(EMPTY_NS);
        }
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer name, final int offset, final int length)
    {
        if (!Line.isName(name, offset, length, MAX_NAME_LENGTH))
        {
            return BAD_NAME;
        }
        names.clear(ASKED);
        if (names.rowOf(name, offset, length) >= 0)
        {
            return NAME_TAKEN;
        }
        names.put(ASKED, name, offset, length);
        return ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        final int index = seat.index();
        names.put(index, names.buffer(), names.offset(ASKED), names.length(ASKED));
        names.clear(ASKED);
        allAllowedNs[index] = 0;
        here(index).send(room, room.everyoneBut(seat));
        welcome(seat);
    }

    @Override
    public void onBack(final Seat seat)
    {
        welcome(seat);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer text, final int offset, final int length)
    {
        final int index = from.index();
        if (!Line.isText(text, offset, length, MAX_TEXT_LENGTH))
        {
            room.refuse(from, BAD_TEXT);
        }
        else if (allAllowedNs[index] > room.nowNs() + (BURST - 1) * INTERVAL_NS)
        {
            room.refuse(from, TOO_FAST);
        }
        else
        {
            allAllowedNs[index] = Math.max(allAllowedNs[index], room.nowNs()) + INTERVAL_NS;
            line.start("said").add(room.epochMs()).add(names, index).add(text, offset, length);
            line.putInto(history, (int)(linesSaid++ % HISTORY));
            line.send(room, room.everyone());
        }
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        names.clear(seat.index());
        line.start("gone").add(seat.index()).send(room, room.everyone());
    }

    private void welcome(final Seat seat)
    {
        line.start("welcome").send(room, seat);
        for (int index = 0; index < SEATS; index++)
        {
            if (names.length(index) > 0)
            {
                here(index).send(room, seat);
            }
        }
        for (long said = Math.max(0, linesSaid - HISTORY); said < linesSaid; said++)
        {
            final int row = (int)(said % HISTORY);
            room.sendEvent(seat, history.buffer(), history.offset(row), history.length(row));
        }
    }

    private Line here(final int index)
    {
        return line.start("here").add(index).add(names, index);
    }

    @Override
    public void onSnapshot(final StateWriter state)
    {
        state.putLong(linesSaid);
        for (final long ns : allAllowedNs)
        {
            state.putLong(ns);
        }
        names.write(state);
        history.write(state);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader state)
    {
        room = restored;
        linesSaid = state.getLong();
        for (int index = 0; index < SEATS; index++)
        {
            allAllowedNs[index] = state.getLong();
        }
        names.read(state);
        history.read(state);
    }
}
