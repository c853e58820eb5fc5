package io.escapement.arena;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.security.MessageDigest;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** What the lobby knows of an arena: what the directory shows, and the password's hash, which nobody else has. */
final class RoomEntry
{
    final long roomId;
    int seats;
    int seatsTaken;
    long ownerId;
    byte[] name = {};
    byte[] foldedName = {};
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
    }

    void password(final long salt, final byte[] hash)
    {
        passwordSalt = salt;
        passwordHash = hash;
        hasPassword = 0 != hash.length;
    }

    /** A room whose label asks for a password that this lobby does not know lets nobody in. */
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
        write(writer, name);
        write(writer, mapName);
        write(writer, passwordHash);
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
        entry.name(readBytes(reader));
        entry.mapName = readBytes(reader);
        entry.passwordHash = readBytes(reader);
        return entry;
    }

    static void write(final StateWriter writer, final byte[] bytes)
    {
        writer.putBytes(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    static byte[] readBytes(final StateReader reader)
    {
        final byte[] bytes = new byte[Texts.LONGEST];
        return Arrays.copyOf(bytes, reader.getBytes(new UnsafeBuffer(bytes), 0));
    }
}
