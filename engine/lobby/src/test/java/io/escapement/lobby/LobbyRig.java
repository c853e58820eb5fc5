package io.escapement.lobby;

import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.lobby.codecs.AnswerDecoder;
import io.escapement.lobby.codecs.LobbyCode;
import io.escapement.lobby.codecs.LobbyEncoder;
import io.escapement.lobby.codecs.MessageHeaderDecoder;
import io.escapement.lobby.codecs.SaidDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A lobby on a bench, with tables for two, halls for three, and arenas that players do not open. */
final class LobbyRig
{
    static final int TABLE = 2;
    static final int HALL = 3;
    static final int ARENA = 4;
    static final int UNKNOWN = 5;
    static final int TABLES = 3;
    static final long RESERVATION_NS = TimeUnit.SECONDS.toNanos(10);

    final List<String> opened = new ArrayList<>();
    final RoomBench bench;
    private final RoomType table = RoomType.of(TABLE, "table", 1, Game::new).seats(2);
    private final RoomType hall = RoomType.of(HALL, "hall", 1, Game::new).seats(3);
    private final RoomType arena = RoomType.of(ARENA, "arena", 1, Game::new).seats(2);
    private final RoomType unknown = RoomType.of(UNKNOWN, "unknown", 1, Game::new);

    LobbyRig(final Lobby.Context context)
    {
        context.opens(table, TABLES).opens(hall, LobbyRooms.LIMIT).shows(arena);
        bench = RoomBench.of(Lobby.type(1, context, () -> new LobbyTurn.Gatherer(new Lobby(context))),
            table, hall, arena, unknown);
    }

    Player join(final long playerId)
    {
        return join(playerId, "player " + playerId);
    }

    Player join(final long playerId, final String name)
    {
        final UnsafeBuffer args = new UnsafeBuffer(name.getBytes(StandardCharsets.UTF_8));
        return new Player(bench.join(bench.roomId(), playerId, args, 0, args.capacity()));
    }

    /** Open a room of the program's. */
    long open(final int typeId, final Map<Integer, String> labels)
    {
        final UnsafeBuffer args = Lobby.openArgs(labels, new byte[0]);
        return bench.open(List.of(table, hall, arena, unknown).get(typeId - TABLE), args, 0, args.capacity());
    }

    /** Let the list leave, and what is on the way arrive. */
    void settle()
    {
        bench.step(3);
    }

    /** A player in the lobby. */
    final class Player
    {
        final BenchSeat seat;
        private final SyncedCopy rooms = new SyncedCopy(Lobby.SCHEMA);
        private int requestId;
        private int statesRead;

        Player(final BenchSeat seat)
        {
            this.seat = seat;
        }

        int joinOrCreate(final int typeId, final Map<Integer, String> labels)
        {
            return ask(typeId, false, labels, "");
        }

        int create(final int typeId, final Map<Integer, String> labels)
        {
            return ask(typeId, true, labels, "");
        }

        int ask(final int typeId, final boolean isNew, final Map<Integer, String> labels, final String args)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1_024]);
            return seat.send(message, 0, LobbyTurn.encode(message, ++requestId, typeId, isNew, labels, args));
        }

        void say(final String text)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1_024]);
            seat.send(message, 0, new LobbyEncoder().say(message, 0, text.getBytes(StandardCharsets.UTF_8)));
        }

        /** The answers, each the room's id or the code, and the chat lines. */
        List<String> events()
        {
            final List<String> events = new ArrayList<>();
            seat.events().forEach((event) -> events.add(text(event)));
            return events;
        }

        String last()
        {
            final List<String> events = events();
            return events.isEmpty() ? "nothing" : events.get(events.size() - 1);
        }

        /** The room of the last answer. */
        long room()
        {
            return Long.parseLong(last());
        }

        /** The list: for each room its id, type, seats and labels. */
        List<String> rooms()
        {
            for (; statesRead < seat.states().size(); statesRead++)
            {
                final byte[] state = seat.states().get(statesRead);
                rooms.apply(new UnsafeBuffer(state), 0, state.length);
            }
            final List<String> lines = new ArrayList<>();
            for (int row = 0; row < Lobby.SCHEMA.capacity(Lobby.ROOMS); row++)
            {
                if (rooms.isPresent(Lobby.ROOMS, row))
                {
                    final StringBuilder line = new StringBuilder().append(rooms.longValue(Lobby.ROOM_ID, row))
                        .append(" type ").append(rooms.longValue(Lobby.TYPE, row)).append(' ')
                        .append(rooms.longValue(Lobby.SEATS_TAKEN, row)).append('/')
                        .append(rooms.longValue(Lobby.SEATS, row));
                    for (int key = 0; key < LobbyLabels.KEYS; key++)
                    {
                        final String value = rooms.text(Lobby.LABEL + key, row);
                        line.append(value.isEmpty() ? "" : " " + key + "=" + value);
                    }
                    lines.add(line.toString());
                }
            }
            return lines;
        }

        private String text(final byte[] event)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(event);
            final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, 0);
            if (AnswerDecoder.TEMPLATE_ID == header.templateId())
            {
                final AnswerDecoder answer = new AnswerDecoder().wrapAndApplyHeader(buffer, 0, header);
                return LobbyCode.NONE == answer.code() ? Long.toString(answer.roomId()) : answer.code().name();
            }
            final SaidDecoder said = new SaidDecoder().wrapAndApplyHeader(buffer, 0, header);
            final long playerId = said.playerId();
            final byte[] name = new byte[said.nameLength()];
            said.getName(name, 0, name.length);
            final byte[] line = new byte[said.textLength()];
            said.getText(line, 0, line.length);
            return playerId + " " + new String(name, StandardCharsets.UTF_8) + ": " +
                new String(line, StandardCharsets.UTF_8);
        }
    }

    /** A room of a game, which does what its players say. */
    private final class Game implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room begun, final DirectBuffer args, final int offset, final int length)
        {
            room = begun;
            final int labels = Lobby.publishLabels(room, args, offset, length);
            opened.add(room.roomId() + " " + args.getStringWithoutLengthUtf8(offset + labels, length - labels));
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            switch (message.getByte(offset))
            {
                case '!' -> room.close();
                case '#' -> room.lock(true);
                default -> room.label(0, message, offset, length);
            }
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
        }
    }
}
