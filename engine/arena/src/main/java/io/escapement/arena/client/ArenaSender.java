package io.escapement.arena.client;

import io.escapement.arena.codecs.CancelMatchEncoder;
import io.escapement.arena.codecs.ChangeRoomEncoder;
import io.escapement.arena.codecs.ClaimEncoder;
import io.escapement.arena.codecs.CreateCharacterEncoder;
import io.escapement.arena.codecs.CreateRoomEncoder;
import io.escapement.arena.codecs.DashEncoder;
import io.escapement.arena.codecs.DeleteCharacterEncoder;
import io.escapement.arena.codecs.DeleteRoomEncoder;
import io.escapement.arena.codecs.EnterRoomEncoder;
import io.escapement.arena.codecs.ListCharactersEncoder;
import io.escapement.arena.codecs.ListRoomsEncoder;
import io.escapement.arena.codecs.LobbyChatEncoder;
import io.escapement.arena.codecs.MeleeEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.PingEncoder;
import io.escapement.arena.codecs.QuickMatchEncoder;
import io.escapement.arena.codecs.RoomChatEncoder;
import io.escapement.arena.codecs.ShootEncoder;
import io.escapement.arena.protocol.ArenaMessages;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes a player's messages to the lobby and to an arena. Only lengths are checked, since the server must check
 * everything anyway. The messages of a fight allocate nothing; those with texts do.
 */
public final class ArenaSender
{
    /** Sends messages from the player's seat. */
    @FunctionalInterface
    public interface Output
    {
        /**
         * Send a message.
         *
         * @param buffer with it, valid during the call.
         * @param offset of it.
         * @param length of it in bytes.
         */
        void send(DirectBuffer buffer, int offset, int length);
    }

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private final Output output;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[ArenaMessages.LONGEST_REQUEST]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ClaimEncoder claim = new ClaimEncoder();
    private final DashEncoder dash = new DashEncoder();
    private final MeleeEncoder melee = new MeleeEncoder();
    private final ShootEncoder shoot = new ShootEncoder();
    private final PingEncoder ping = new PingEncoder();

    /** For one seat. */
    public ArenaSender(final Output output)
    {
        this.output = output;
    }

    /** Ask the lobby for the account's characters. */
    public void listCharacters(final long requestId)
    {
        send(new ListCharactersEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).encodedLength());
    }

    /** Make a character. */
    public void createCharacter(final long requestId, final String name)
    {
        final byte[] bytes = ArenaMessages.utf8(name);
        send(new CreateCharacterEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId)
            .putName(bytes, 0, bytes.length).encodedLength());
    }

    /** Delete a character. */
    public void deleteCharacter(final long requestId, final long characterId)
    {
        send(new DeleteCharacterEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId)
            .characterId(characterId).encodedLength());
    }

    /**
     * Ask for a page of the arenas.
     *
     * @param requestId echoed in the answer.
     * @param page      from 0.
     * @param filter    part of the names, or empty.
     */
    public void listRooms(final long requestId, final int page, final String filter)
    {
        final byte[] bytes = ArenaMessages.utf8(filter);
        send(new ListRoomsEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).page(page)
            .putFilter(bytes, 0, bytes.length).encodedLength());
    }

    /** Open an arena. */
    public void createRoom(
        final long requestId, final String name, final int seats, final String mapName, final String password)
    {
        final byte[] nameBytes = ArenaMessages.utf8(name);
        final byte[] mapBytes = ArenaMessages.utf8(mapName);
        final byte[] passwordBytes = ArenaMessages.utf8(password);
        send(new CreateRoomEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).seats((short)seats)
            .putName(nameBytes, 0, nameBytes.length).putMapName(mapBytes, 0, mapBytes.length)
            .putPassword(passwordBytes, 0, passwordBytes.length).encodedLength());
    }

    /**
     * Wait for a match.
     *
     * @param requestId   echoed in the answer.
     * @param characterId that is to play.
     * @param players     of the match.
     */
    public void quickMatch(final long requestId, final long characterId, final int players)
    {
        send(new QuickMatchEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).characterId(characterId).players((short)players).encodedLength());
    }

    /** Stop waiting for a match. */
    public void cancelMatch(final long requestId)
    {
        send(new CancelMatchEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).encodedLength());
    }

    /**
     * Change an arena.
     *
     * @param requestId echoed in the answer.
     * @param roomId    the arena.
     * @param name      the new name, or null to leave it.
     * @param password  the new password, empty for none, or null to leave it.
     */
    public void changeRoom(final long requestId, final long roomId, final String name, final String password)
    {
        final byte[] nameBytes = ArenaMessages.utf8(null == name ? "" : name);
        final byte[] passwordBytes = ArenaMessages.utf8(null == password ? "" : password);
        final ChangeRoomEncoder change = new ChangeRoomEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).roomId(roomId);
        change.changes().clear().name(null != name).password(null != password);
        send(change.putName(nameBytes, 0, nameBytes.length).putPassword(passwordBytes, 0, passwordBytes.length)
            .encodedLength());
    }

    /** Close an arena. */
    public void deleteRoom(final long requestId, final long roomId)
    {
        send(new DeleteRoomEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).roomId(roomId)
            .encodedLength());
    }

    /** Ask for a seat in an arena. */
    public void enterRoom(final long requestId, final long roomId, final long characterId, final String password)
    {
        final byte[] bytes = ArenaMessages.utf8(password);
        send(new EnterRoomEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).roomId(roomId)
            .characterId(characterId).putPassword(bytes, 0, bytes.length).encodedLength());
    }

    /** Say something in the lobby. */
    public void lobbyChat(final long requestId, final String text)
    {
        final byte[] bytes = ArenaMessages.utf8(text);
        send(new LobbyChatEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId)
            .putText(bytes, 0, bytes.length).encodedLength());
    }

    /** Say something in an arena. */
    public void roomChat(final String text)
    {
        final byte[] bytes = ArenaMessages.utf8(text);
        send(new RoomChatEncoder().wrapAndApplyHeader(out, 0, header).putText(bytes, 0, bytes.length)
            .encodedLength());
    }

    /**
     * Claim a position.
     *
     * @param subStep when the player was there, in the arena's time.
     * @param x       where it was.
     * @param y       where it was.
     * @param vx      its velocity since, a sub-step.
     * @param vy      its velocity since, a sub-step.
     */
    public void claim(final long subStep, final int x, final int y, final int vx, final int vy)
    {
        send(claim.wrapAndApplyHeader(out, 0, header).subStep(subStep).x(x).y(y).vx(vx).vy(vy).encodedLength());
    }

    /** Dash, right behind a claim. */
    public void dash(final int dirX, final int dirY)
    {
        send(dash.wrapAndApplyHeader(out, 0, header).dirX(dirX).dirY(dirY).encodedLength());
    }

    /** Swing. */
    public void melee(final int dirX, final int dirY)
    {
        send(melee.wrapAndApplyHeader(out, 0, header).dirX(dirX).dirY(dirY).encodedLength());
    }

    /** Shoot. */
    public void shoot(final int dirX, final int dirY)
    {
        send(shoot.wrapAndApplyHeader(out, 0, header).dirX(dirX).dirY(dirY).encodedLength());
    }

    /** Ask for a Pong. */
    public void ping(final long stamp)
    {
        send(ping.wrapAndApplyHeader(out, 0, header).stamp(stamp).encodedLength());
    }

    private void send(final int length)
    {
        output.send(out, 0, HEADER + length);
    }
}
