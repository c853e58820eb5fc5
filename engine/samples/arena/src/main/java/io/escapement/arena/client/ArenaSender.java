package io.escapement.arena.client;

import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.codecs.ChangeRoomEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.protocol.ArenaMessages;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes a player's messages to the lobby and to an arena. Only lengths are checked, because the server must check
 * everything anyway. The messages of a fight do not allocate. Messages with texts do.
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

    private final Output output;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[ArenaMessages.LONGEST_REQUEST]);
    private final ArenaEncoder messages = new ArenaEncoder();

    /** For one seat. */
    public ArenaSender(final Output output)
    {
        this.output = output;
    }

    /** Ask the lobby for the account's characters. */
    public void listCharacters(final long requestId)
    {
        send(messages.listCharacters(out, 0, requestId));
    }

    /** Ask the lobby for the characters with most kills. */
    public void listLeaders(final long requestId)
    {
        send(messages.listLeaders(out, 0, requestId));
    }

    /** Make a character. */
    public void createCharacter(final long requestId, final String name)
    {
        send(messages.createCharacter(out, 0, requestId, ArenaMessages.utf8(name)));
    }

    /** Delete a character. */
    public void deleteCharacter(final long requestId, final long characterId)
    {
        send(messages.deleteCharacter(out, 0, requestId, characterId));
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
        send(messages.listRooms(out, 0, requestId, page, ArenaMessages.utf8(filter)));
    }

    /** Open an arena. */
    public void createRoom(
        final long requestId, final String name, final int seats, final String mapName, final String password)
    {
        send(messages.createRoom(out, 0, requestId, seats, ArenaMessages.utf8(name), ArenaMessages.utf8(mapName),
            ArenaMessages.utf8(password)));
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
        send(messages.quickMatch(out, 0, requestId, characterId, players));
    }

    /** Stop waiting for a match. */
    public void cancelMatch(final long requestId)
    {
        send(messages.cancelMatch(out, 0, requestId));
    }

    /**
     * Change an arena.
     *
     * @param requestId echoed in the answer.
     * @param roomId    the arena.
     * @param name      the new name, or null to leave it.
     * @param password  the new password, empty to remove it, or null to keep it.
     */
    public void changeRoom(final long requestId, final long roomId, final String name, final String password)
    {
        final byte[] nameBytes = ArenaMessages.utf8(null == name ? "" : name);
        final byte[] passwordBytes = ArenaMessages.utf8(null == password ? "" : password);
        final ChangeRoomEncoder change = messages.changeRoom(out, 0, requestId, roomId);
        change.changes().clear().name(null != name).password(null != password);
        send(MessageHeaderEncoder.ENCODED_LENGTH + change.putName(nameBytes, 0, nameBytes.length)
            .putPassword(passwordBytes, 0, passwordBytes.length).encodedLength());
    }

    /** Close an arena. */
    public void deleteRoom(final long requestId, final long roomId)
    {
        send(messages.deleteRoom(out, 0, requestId, roomId));
    }

    /** Ask for a seat in an arena. */
    public void enterRoom(final long requestId, final long roomId, final long characterId, final String password)
    {
        send(messages.enterRoom(out, 0, requestId, roomId, characterId, ArenaMessages.utf8(password)));
    }

    /** Say something in the lobby. */
    public void lobbyChat(final long requestId, final String text)
    {
        send(messages.lobbyChat(out, 0, requestId, ArenaMessages.utf8(text)));
    }

    /** Say something in an arena. */
    public void roomChat(final String text)
    {
        send(messages.roomChat(out, 0, ArenaMessages.utf8(text)));
    }

    /**
     * Claim a position.
     *
     * @param subStep when the player was at that position, in the arena's time.
     * @param x       where it was.
     * @param y       where it was.
     * @param vx      its velocity since, a sub-step.
     * @param vy      its velocity since, a sub-step.
     */
    public void claim(final long subStep, final int x, final int y, final int vx, final int vy)
    {
        send(messages.claim(out, 0, subStep, x, y, vx, vy));
    }

    /** Dash, directly after a claim. */
    public void dash(final int dirX, final int dirY)
    {
        send(messages.dash(out, 0, dirX, dirY));
    }

    /** Swing. */
    public void melee(final int dirX, final int dirY)
    {
        send(messages.melee(out, 0, dirX, dirY));
    }

    /** Shoot. */
    public void shoot(final int dirX, final int dirY)
    {
        send(messages.shoot(out, 0, dirX, dirY));
    }

    /** Ask for a Pong. */
    public void ping(final long stamp)
    {
        send(messages.ping(out, 0, stamp));
    }

    private void send(final int length)
    {
        output.send(out, 0, length);
    }
}
