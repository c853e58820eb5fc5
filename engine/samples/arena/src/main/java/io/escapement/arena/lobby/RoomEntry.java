package io.escapement.arena.lobby;

import io.escapement.accounts.NameKeys;
import io.escapement.arena.common.Texts;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.security.MessageDigest;

/** An arena in the lobby's list: its directory entry, and the hash of its password, which only the lobby has. */
final class RoomEntry
{
    final long roomId;
    int seats;
    int seatsTaken;
    long ownerId;
    byte[] name = {};
    byte[] foldedName = {};
    private NameKeys keys;
    byte[] mapName = {};
    boolean hasPassword;
    boolean isReady;
    boolean isClosing;
    byte[] passwordHash = {};
    long passwordSalt;

    RoomEntry(final long roomId)
    {
        this.roomId = roomId;
    }

    void name(final byte[] newName)
    {
        name = newName;
        foldedName = Texts.fold(newName);
        keys = null;
    }

    /** Computed when they are first needed, because a restored list is long. */
    NameKeys keys()
    {
        keys = null == keys ? Texts.keys(name) : keys;
        return keys;
    }

    void password(final long salt, final byte[] hash)
    {
        passwordSalt = salt;
        passwordHash = hash;
        hasPassword = 0 != hash.length;
    }

    /**
     * Whether this is the password. If the label demands a password that this lobby does not have, no password is
     * right.
     */
    boolean isPassword(final byte[] password)
    {
        return !hasPassword ||
            0 != passwordHash.length && MessageDigest.isEqual(passwordHash, Texts.hash(passwordSalt, password));
    }

    void write(final StateWriter writer)
    {
        writer.putLong(roomId);
        writer.putInt(seats);
        writer.putInt(seatsTaken);
        writer.putLong(ownerId);
        writer.putBoolean(hasPassword);
        writer.putBoolean(isReady);
        writer.putBoolean(isClosing);
        writer.putLong(passwordSalt);
        Texts.write(writer, name);
        Texts.write(writer, mapName);
        Texts.write(writer, passwordHash);
    }

    static RoomEntry read(final StateReader reader)
    {
        final RoomEntry entry = new RoomEntry(reader.getLong());
        entry.seats = reader.getInt();
        entry.seatsTaken = reader.getInt();
        entry.ownerId = reader.getLong();
        entry.hasPassword = reader.getBoolean();
        entry.isReady = reader.getBoolean();
        entry.isClosing = reader.getBoolean();
        entry.passwordSalt = reader.getLong();
        entry.name(Texts.read(reader));
        entry.mapName = Texts.read(reader);
        entry.passwordHash = Texts.read(reader);
        return entry;
    }
}
