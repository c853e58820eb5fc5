package io.escapement.lobby;

import io.escapement.lobby.codecs.AskEncoder;
import io.escapement.lobby.codecs.LobbyEncoder;
import io.escapement.lobby.codecs.MessageHeaderEncoder;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages of several players that reach the lobby before any is answered. The bench runs one message a turn. */
final class LobbyTurn
{
    /** Unlike the first byte of a header, which has the length of a block. */
    private static final byte GATHERED = (byte)0xFF;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[1_024]);
    private int length = 1;
    private LobbyRig.Player sender;

    LobbyTurn()
    {
        bytes.putByte(0, GATHERED);
    }

    LobbyTurn ask(final LobbyRig.Player player, final int typeId, final Map<Integer, String> labels)
    {
        return add(player, typeId, false, labels);
    }

    LobbyTurn create(final LobbyRig.Player player, final int typeId, final Map<Integer, String> labels)
    {
        return add(player, typeId, true, labels);
    }

    LobbyTurn away(final LobbyRig.Player player)
    {
        bytes.putByte(length, (byte)player.seat.index());
        bytes.putByte(length + 1, (byte)0);
        length += 2;
        return this;
    }

    void run()
    {
        sender.seat.send(bytes, 0, length);
    }

    private LobbyTurn add(
        final LobbyRig.Player player, final int typeId, final boolean isNew, final Map<Integer, String> labels)
    {
        sender = player;
        final int added = encode(bytes, length + 2, 77, typeId, isNew, labels, "");
        bytes.putByte(length, (byte)player.seat.index());
        bytes.putByte(length + 1, (byte)added);
        length += 2 + added;
        return this;
    }

    static int encode(
        final MutableDirectBuffer buffer,
        final int requestId,
        final int typeId,
        final boolean isNew,
        final Map<Integer, String> labels,
        final String args)
    {
        return encode(buffer, 0, requestId, typeId, isNew, labels, args);
    }

    private static int encode(
        final MutableDirectBuffer buffer,
        final int offset,
        final int requestId,
        final int typeId,
        final boolean isNew,
        final Map<Integer, String> labels,
        final String args)
    {
        final AskEncoder ask = new LobbyEncoder().ask(buffer, offset, requestId, typeId, isNew);
        final AskEncoder.LabelsEncoder group = ask.labelsCount(labels.size());
        new TreeMap<>(labels).forEach((key, value) ->
        {
            final byte[] text = value.getBytes(StandardCharsets.UTF_8);
            group.next().key(key.shortValue()).putValue(text, 0, text.length);
        });
        ask.putArgs(args.getBytes(StandardCharsets.UTF_8), 0, args.length());
        return MessageHeaderEncoder.ENCODED_LENGTH + ask.encodedLength();
    }

    /** A lobby that takes gathered messages apart. */
    static final class Gatherer implements RoomLogic
    {
        private final Lobby lobby;
        private Room room;

        Gatherer(final Lobby lobby)
        {
            this.lobby = lobby;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 == length || GATHERED != buffer.getByte(offset))
            {
                lobby.onMessage(from, buffer, offset, length);
                return;
            }
            for (int at = offset + 1; at < offset + length; at += 2 + buffer.getByte(at + 1))
            {
                final Seat seat = room.seat(buffer.getByte(at));
                if (0 == buffer.getByte(at + 1))
                {
                    lobby.onAway(seat);
                }
                else
                {
                    lobby.onMessage(seat, buffer, at + 2, buffer.getByte(at + 1));
                }
            }
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            lobby.onOpen(opened, args, offset, length);
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            return lobby.onJoinRequest(playerId, args, offset, length);
        }

        @Override
        public void onJoin(final Seat seat)
        {
            lobby.onJoin(seat);
        }

        @Override
        public void onAway(final Seat seat)
        {
            lobby.onAway(seat);
        }

        @Override
        public void onBack(final Seat seat)
        {
            lobby.onBack(seat);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason, final int code)
        {
            lobby.onLeave(seat, reason, code);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            lobby.onStateLost(seat);
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            lobby.onDirectory(entry);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            lobby.onFrame(frame, elapsedNs);
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            lobby.onReply(correlationId, status, buffer, offset, length);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            lobby.onSnapshot(writer);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            lobby.onRestore(restored, version, reader);
        }
    }
}
