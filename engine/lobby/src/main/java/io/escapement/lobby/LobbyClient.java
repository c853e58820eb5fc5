package io.escapement.lobby;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.codecs.Codes;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.lobby.codecs.AnswerDecoder;
import io.escapement.lobby.codecs.AskEncoder;
import io.escapement.lobby.codecs.LobbyCode;
import io.escapement.lobby.codecs.LobbyEncoder;
import io.escapement.lobby.codecs.LobbyLayout;
import io.escapement.lobby.codecs.MessageHeaderEncoder;
import io.escapement.rooms.MessageHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A player in a lobby, for bots and applications on a trunk: {@link #joinOrCreate} finds or opens a room and joins it.
 * The listener of the trunk passes its callbacks on, and the thread that polls the trunk calls {@link #poll()} after
 * it. Not thread-safe.
 */
public final class LobbyClient
{
    private static final int MESSAGE_LENGTH = 512;

    private final SyncedCopy rooms = new SyncedCopy(Lobby.SCHEMA);
    private final MessageHandlers<ClientSeat> messages = new MessageHandlers<ClientSeat>(LobbyLayout.RULES)
        .on(new AnswerDecoder(), (seat, answer) -> onAnswer(answer));
    private final LobbyEncoder encoder = new LobbyEncoder();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final TrunkClient trunk;
    private final ClientSeat lobby;
    private final byte[] token;
    private CompletableFuture<ClientSeat> future = CompletableFuture.completedFuture(null);
    private UnsafeBuffer args;
    private int messageLength;
    private long requestId;
    private long roomId;
    private boolean isJoinDue;

    /** The engine, the lobby or the room refused a request. */
    public static final class RefusedException extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        private final int code;

        RefusedException(final int code)
        {
            super("refused: " + code + " " + nameOf(code));
            this.code = code;
        }

        private static String nameOf(final int code)
        {
            for (final LobbyCode known : LobbyCode.values())
            {
                if (code == known.value())
                {
                    return known.name();
                }
            }
            return Codes.nameOf(code);
        }

        /** A {@link LobbyCode}, a code of the engine, or a code of the room. */
        public int code()
        {
            return code;
        }
    }

    /**
     * A player who has a seat in a lobby.
     *
     * @param trunk of the seat.
     * @param lobby the player's seat in the lobby.
     * @param token from the player's log-in, to join rooms with. Empty on a trusted trunk.
     */
    public LobbyClient(final TrunkClient trunk, final ClientSeat lobby, final byte[] token)
    {
        this.trunk = trunk;
        this.lobby = lobby;
        this.token = token.clone();
    }

    /**
     * Find a room of a type that has labels and a free seat, or open one, and join it.
     *
     * @param typeId of the room.
     * @param labels that it has, by keys from 0 to 7. Empty for any room.
     * @param args   with which the room is opened and joined, up to 192 bytes.
     * @return a future of the seat or a {@link RefusedException}. {@link #poll()} or a callback completes it. One
     *         request is open at a time.
     */
    public CompletableFuture<ClientSeat> joinOrCreate(
        final int typeId, final Map<Integer, String> labels, final byte[] args)
    {
        return ask(typeId, false, labels, args);
    }

    /**
     * Open a room of a type, and join it.
     *
     * @param typeId of the room.
     * @param labels of the room, by keys from 0 to 7.
     * @param args   with which the room is opened and joined, up to 192 bytes.
     * @return as of {@link #joinOrCreate}.
     */
    public CompletableFuture<ClientSeat> create(
        final int typeId, final Map<Integer, String> labels, final byte[] args)
    {
        return ask(typeId, true, labels, args);
    }

    private CompletableFuture<ClientSeat> ask(
        final int typeId, final boolean isNew, final Map<Integer, String> labels, final byte[] gameArgs)
    {
        if (!future.isDone())
        {
            return CompletableFuture.failedFuture(new RefusedException(LobbyCode.ALREADY_ASKED.value()));
        }
        final AskEncoder ask = encoder.ask(out, 0, ++requestId, typeId, isNew);
        final AskEncoder.LabelsEncoder group = ask.labelsCount(labels.size());
        new TreeMap<>(labels).forEach((key, value) ->
        {
            final byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            group.next().key(key.shortValue()).putValue(bytes, 0, bytes.length);
        });
        ask.putArgs(gameArgs, 0, gameArgs.length);
        messageLength = MessageHeaderEncoder.ENCODED_LENGTH + ask.encodedLength();
        args = new UnsafeBuffer(gameArgs.clone());
        roomId = 0;
        isJoinDue = false;
        future = new CompletableFuture<>();
        poll();
        return future;
    }

    /** Send the messages that the trunk has not taken yet. Returns their number. */
    public int poll()
    {
        final boolean isAskDue = messageLength > 0 && lobby.isPresent();
        final boolean isSent = isAskDue && SendStatus.SENT == trunk.send(lobby, out, 0, messageLength);
        messageLength = isSent ? 0 : messageLength;
        // A join is refused by the trunk until it has a stream to the room's loop.
        final SendStatus join = isJoinDue ?
            trunk.join(joinId(), roomId, lobby.playerId(), token, args, 0, args.capacity()) : null;
        isJoinDue = isJoinDue && SendStatus.SENT != join && SendStatus.NO_ROOM != join;
        if (SendStatus.NO_ROOM == join)
        {
            future.completeExceptionally(new RefusedException(LobbyCode.NO_SEAT.value()));
        }
        if (isSent || SendStatus.SENT == join)
        {
            trunk.flush();
            return 1;
        }
        return 0;
    }

    /** A copy of the list of rooms: rows of {@link Lobby#ROOMS}. */
    public SyncedCopy rooms()
    {
        return rooms;
    }

    /**
     * The listener's callback.
     *
     * @param seat   that receives.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     * @return true for a message of the lobby to this player, other than a chat line.
     */
    public boolean onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        return seat == lobby && 0 == messages.onMessage(seat, buffer, offset, length);
    }

    /**
     * The listener's callback.
     *
     * @param seat   that receives.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     * @return true for the list of the lobby, to this player.
     */
    public boolean onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (seat == lobby)
        {
            rooms.apply(buffer, offset, length);
        }
        return seat == lobby;
    }

    /**
     * The listener's callback.
     *
     * @param answered the request id.
     * @param seat     of the player.
     * @return true for the seat that this player asked the lobby for.
     */
    public boolean onJoined(final long answered, final ClientSeat seat)
    {
        final boolean isOwn = joinId() == answered && seat.roomId() == roomId;
        if (isOwn)
        {
            future.complete(seat);
        }
        return isOwn;
    }

    /**
     * The listener's callback.
     *
     * @param refusedRoomId the room.
     * @param reference     the request id of a join, or the sequence of a message.
     * @param code          the reason.
     * @return true for the join of a room that this player asked the lobby for.
     */
    public boolean onRefused(final long refusedRoomId, final long reference, final int code)
    {
        final boolean isOwn = joinId() == reference && refusedRoomId == roomId && !future.isDone();
        if (isOwn)
        {
            future.completeExceptionally(new RefusedException(code));
        }
        return isOwn;
    }

    /** The listener's callback for the lobby's seat: it is away, and its request has no answer. */
    public void onSeatAway(final ClientSeat seat)
    {
        if (seat == lobby)
        {
            rooms.reset();
            messageLength = 0;
            isJoinDue = false;
            future.completeExceptionally(new RefusedException(LobbyCode.NO_SEAT.value()));
        }
    }

    private void onAnswer(final AnswerDecoder answer)
    {
        if (answer.requestId() != requestId || future.isDone())
        {
            return;
        }
        if (LobbyCode.NONE == answer.code())
        {
            roomId = answer.roomId();
            isJoinDue = true;
        }
        else
        {
            future.completeExceptionally(new RefusedException(answer.code().value()));
        }
    }

    /** Unlike the ids that applications count, and different for each player of a trunk. */
    private long joinId()
    {
        return ~lobby.playerId();
    }
}
