package io.escapement.examples.turns;

import io.escapement.examples.common.Line;
import io.escapement.examples.common.TextTable;
import io.escapement.lobby.Lobby;
import io.escapement.rooms.Audience;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * A table for two. Seat 0 and seat 1 are the players. The first player of a game is second in the next game.
 *
 * <pre>
 *   to join       {name}
 *   from a page   {column}, a digit from 0 to 6
 *   to the pages  welcome                                        a full state follows
 *                 here {player} {name}
 *                 gone {player}
 *                 begin                                          the board is empty
 *                 disc {cell} {player}                           cells by row, from the lowest
 *                 turn {player} {clock of 0} {clock of 1}        in milliseconds, the player's runs
 *                 over {winner or -1} {reason}                   1 four in a row, 2 full, 3 time, 4 left
 * </pre>
 */
final class TableRoom implements RoomLogic
{
    static final int TYPE_ID = 4;
    static final long CLOCK_NS = TimeUnit.SECONDS.toNanos(60);
    /** Added to a player's clock with each move. */
    static final long INCREMENT_NS = TimeUnit.SECONDS.toNanos(2);
    static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(6);
    static final long EMPTY_NS = TimeUnit.MINUTES.toNanos(1);
    static final int MAX_NAME_LENGTH = 24;
    static final int BAD_NAME = FIRST_APPLICATION_CODE + 48;
    static final int NOT_YOUR_TURN = FIRST_APPLICATION_CODE + 49;
    static final int BAD_MOVE = FIRST_APPLICATION_CODE + 50;
    static final int FOUR = 1;
    static final int FULL = 2;
    static final int TIME = 3;
    static final int LEFT = 4;

    private static final int PLAYING = 0;
    private static final int PLAYERS = 2;
    private static final int ASKED = PLAYERS;
    private static final int STEPS_TIMER = 1;

    private static final Steps<TableRoom> GAMES = Steps.<TableRoom>named("games", 1)
        .repeatWhile((table) -> true, (games) -> games
            .until(TableRoom::isFull)
            .run(TableRoom::begin)
            .repeatWhile(TableRoom::isPlaying, (game) -> game
                .run(TableRoom::nextTurn)
                .any(
                    (move) -> move.untilMessage((table, tag, from, buffer, offset, length) ->
                        table.isMove(from, buffer, offset, length)),
                    (time) -> time.after((TableRoom table) -> table.clocksNs[table.player])
                        .run((table) -> table.end(1 - table.player, TIME))))
            .after(PAUSE_NS))
        .build();

    private static final Steps<TableRoom> CLOSE_IF_EMPTY = Steps.<TableRoom>named("close", 1)
        .any(
            (empty) -> empty.after(EMPTY_NS).run((table) -> table.room.close()),
            (taken) -> taken.until((TableRoom table) -> table.room.seatsTaken() > 0))
        .build();

    private final Board board = new Board();
    private final TextTable names = new TextTable(PLAYERS + 1, MAX_NAME_LENGTH);
    private final long[] clocksNs = new long[PLAYERS];
    private final Line line = new Line();
    private Room room;
    private RunningSteps<TableRoom> steps;
    private int player = 1;
    private int beginner = 1;
    private int ending = LEFT;
    private long turnBeganNs;

    static RoomType type()
    {
        return RoomType.of(TYPE_ID, "table", 1, TableRoom::new).seats(PLAYERS);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        open(opened);
        Lobby.publishLabels(room, args, offset, length);
        steps.start(GAMES, 0);
        steps.start(CLOSE_IF_EMPTY, 0);
    }

    private void open(final Room opened)
    {
        room = opened;
        steps = new RunningSteps<>(room, this, 2, STEPS_TIMER, List.of(GAMES, CLOSE_IF_EMPTY));
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer name, final int offset, final int length)
    {
        if (!Line.isName(name, offset, length, MAX_NAME_LENGTH))
        {
            return BAD_NAME;
        }
        names.put(ASKED, name, offset, length);
        return ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        names.put(seat.index(), names.buffer(), names.offset(ASKED), names.length(ASKED));
        line.start("here").add(seat.index()).add(names, seat.index()).send(room, room.everyoneBut(seat));
        onBack(seat);
        steps.onChange();
    }

    @Override
    public void onBack(final Seat seat)
    {
        line.start("welcome").send(room, seat);
        for (int other = 0; other < PLAYERS; other++)
        {
            if (names.length(other) > 0)
            {
                line.start("here").add(other).add(names, other).send(room, seat);
            }
        }
        for (int cell = 0; cell < Board.CELLS; cell++)
        {
            if (Board.NONE != board.disc(cell))
            {
                line.start("disc").add(cell).add(board.disc(cell)).send(room, seat);
            }
        }
        if (isPlaying())
        {
            showTurn(seat);
        }
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!steps.onMessage(from, buffer, offset, length))
        {
            room.refuse(from, isPlaying() && player == from.index() ? BAD_MOVE : NOT_YOUR_TURN);
        }
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        steps.onTimer(handle, kind, tag);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        names.clear(seat.index());
        line.start("gone").add(seat.index()).send(room, room.everyone());
        if (isPlaying())
        {
            end(1 - seat.index(), LEFT);
            // From its start, where it waits for two players.
            steps.cancelAll(GAMES, 0);
            steps.start(GAMES, 0);
        }
        if (0 == room.seatsTaken())
        {
            steps.start(CLOSE_IF_EMPTY, 0);
        }
    }

    private boolean isFull()
    {
        return PLAYERS == room.seatsTaken();
    }

    private boolean isPlaying()
    {
        return PLAYING == ending;
    }

    private void begin()
    {
        board.clear();
        Arrays.fill(clocksNs, CLOCK_NS);
        ending = PLAYING;
        beginner = 1 - beginner;
        player = beginner;
        turnBeganNs = room.nowNs();
        line.start("begin").send(room, room.everyone());
    }

    private void nextTurn()
    {
        turnBeganNs = room.nowNs();
        showTurn(room.everyone());
    }

    private void showTurn(final Audience audience)
    {
        line.start("turn").add(player);
        for (int i = 0; i < PLAYERS; i++)
        {
            final long usedNs = i == player ? room.nowNs() - turnBeganNs : 0;
            line.add(TimeUnit.NANOSECONDS.toMillis(clocksNs[i] - usedNs));
        }
        line.send(room, audience);
    }

    /** Whether a message is a move of the player on turn. The move is then done. */
    private boolean isMove(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (from.index() != player || 1 != length || !board.isFree(buffer.getByte(offset) - '0'))
        {
            return false;
        }
        clocksNs[player] += INCREMENT_NS - (room.nowNs() - turnBeganNs);
        final int cell = board.drop(buffer.getByte(offset) - '0', player);
        line.start("disc").add(cell).add(player).send(room, room.everyone());
        if (board.wins(cell))
        {
            end(player, FOUR);
        }
        else if (board.isFull())
        {
            end(Board.NONE, FULL);
        }
        player = 1 - player;
        return true;
    }

    private void end(final int winner, final int reason)
    {
        ending = reason;
        line.start("over").add(winner).add(reason).send(room, room.everyone());
    }

    @Override
    public void onSnapshot(final StateWriter state)
    {
        board.write(state);
        names.write(state);
        steps.write(state);
        state.putLong(clocksNs[0]);
        state.putLong(clocksNs[1]);
        state.putLong(turnBeganNs);
        state.putInt(player);
        state.putInt(beginner);
        state.putInt(ending);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader state)
    {
        open(restored);
        board.read(state);
        names.read(state);
        steps.read(state);
        clocksNs[0] = state.getLong();
        clocksNs[1] = state.getLong();
        turnBeganNs = state.getLong();
        player = state.getInt();
        beginner = state.getInt();
        ending = state.getInt();
    }
}
