package io.escapement.arena.common;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Keeps characters in memory: both how requests are written and the service that answers them. */
public final class InMemoryCharacters implements CharacterStore, RoomBench.Service
{
    public static final int SERVICE_ID = 7;

    /** A stored character. */
    public static final class Character
    {
        public final long id;
        public final long accountId;
        public final byte[] name;
        public long kills;
        public long deaths;
        public long saves;

        Character(final long id, final long accountId, final byte[] name)
        {
            this.id = id;
            this.accountId = accountId;
            this.name = name;
        }
    }

    public final SortedMap<Long, Character> characterByIdMap = new TreeMap<>();
    public final List<Long> saveSerials = new ArrayList<>();
    /** While it is set, everything is answered with it. */
    public int refuseWith;
    /** A planted fault: a character with more deaths cannot be saved. */
    public long deathsLimit = Long.MAX_VALUE;
    private long lastId;

    public long create(final long accountId, final String name)
    {
        characterByIdMap.put(++lastId, new Character(lastId, accountId, ArenaMessages.utf8(name)));
        return lastId;
    }

    @Override
    public int serviceId()
    {
        return SERVICE_ID;
    }

    @Override
    public int list(final MutableDirectBuffer to, final long accountId)
    {
        to.putInt(0, LIST);
        return Integer.BYTES;
    }

    @Override
    public int create(
        final MutableDirectBuffer to,
        final long accountId,
        final long keyHigh,
        final long keyLow,
        final DirectBuffer name,
        final int offset,
        final int length)
    {
        to.putInt(0, CREATE);
        to.putBytes(4, name, offset, length);
        return 4 + length;
    }

    @Override
    public int delete(
        final MutableDirectBuffer to,
        final long accountId,
        final long keyHigh,
        final long keyLow,
        final long characterId)
    {
        to.putInt(0, DELETE);
        to.putLong(4, characterId);
        return 12;
    }

    @Override
    public int leaders(final MutableDirectBuffer to, final long accountId)
    {
        to.putInt(0, LEADERS);
        return Integer.BYTES;
    }

    @Override
    public int save(final MutableDirectBuffer to, final long accountId, final CharacterProgress progress)
    {
        if (progress.deaths() > deathsLimit)
        {
            throw new IllegalStateException(progress.deaths() + " deaths, more than " + deathsLimit);
        }
        to.putInt(0, SAVE);
        to.putLong(4, progress.characterId());
        to.putLong(12, progress.kills());
        to.putLong(20, progress.deaths());
        to.putLong(28, progress.keyHigh());
        to.putLong(36, progress.keyLow());
        return 44;
    }

    @Override
    public int read(
        final int kind,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final CharacterAnswer answer)
    {
        if (0 != status || length < Integer.BYTES)
        {
            return ArenaCode.CHARACTERS_UNAVAILABLE.value();
        }
        final int code = buffer.getInt(offset);
        int at = offset + 4;
        if (LEADERS == kind && 0 == code)
        {
            answer.place(buffer.getInt(at));
            at += 4;
        }
        while (0 == code && at < offset + length)
        {
            final int nameLength = buffer.getInt(at + 24);
            answer.add(
                buffer.getLong(at), buffer.getLong(at + 8), buffer.getLong(at + 16), buffer, at + 28, nameLength);
            at += 28 + nameLength;
        }
        return code;
    }

    @Override
    public byte[] answer(final long orderKey, final byte[] bytes)
    {
        final UnsafeBuffer request = new UnsafeBuffer(bytes);
        final ExpandableArrayBuffer out = new ExpandableArrayBuffer();
        int length = 4;
        out.putInt(0, refuseWith);
        if (0 != refuseWith)
        {
            return bytes(out, length);
        }
        switch (request.getInt(0))
        {
            case LIST ->
            {
                for (final Character character : characterByIdMap.values())
                {
                    length = character.accountId == orderKey ? put(out, length, character) : length;
                }
            }
            case LEADERS ->
            {
                final List<Character> all = characterByIdMap.values().stream().filter((one) -> one.kills > 0)
                    .sorted(Comparator.comparingLong((one) -> -one.kills)).toList();
                final long most = all.stream().filter((one) -> one.accountId == orderKey)
                    .mapToLong((one) -> one.kills).findFirst().orElse(0);
                out.putInt(4, 0 == most ? 0 : 1 + (int)all.stream().filter((one) -> one.kills > most).count());
                length = 8;
                for (final Character leader : all.subList(0, Math.min(all.size(), ArenaMessages.MAX_LEADERS)))
                {
                    length = put(out, length, leader);
                }
            }
            case CREATE ->
            {
                final String name = request.getStringWithoutLengthUtf8(4, bytes.length - 4);
                final long count = characterByIdMap.values().stream().filter((c) -> c.accountId == orderKey).count();
                if (characterByIdMap.values().stream().anyMatch((c) -> new String(c.name).equals(name)))
                {
                    out.putInt(0, ArenaCode.NAME_TAKEN.value());
                }
                else if (count >= ArenaMessages.MAX_CHARACTERS)
                {
                    out.putInt(0, ArenaCode.TOO_MANY_CHARACTERS.value());
                }
                else
                {
                    length = put(out, length, characterByIdMap.get(create(orderKey, name)));
                }
            }
            case DELETE ->
            {
                final Character character = characterByIdMap.get(request.getLong(4));
                if (null == character || character.accountId != orderKey)
                {
                    out.putInt(0, ArenaCode.UNKNOWN_CHARACTER.value());
                }
                else
                {
                    characterByIdMap.remove(character.id);
                }
            }
            default -> save(request);
        }
        return bytes(out, length);
    }

    private void save(final UnsafeBuffer request)
    {
        final Character character = characterByIdMap.get(request.getLong(4));
        saveSerials.add(request.getLong(36));
        if (null != character)
        {
            character.kills = request.getLong(12);
            character.deaths = request.getLong(20);
            character.saves++;
        }
    }

    private static int put(final MutableDirectBuffer out, final int at, final Character character)
    {
        out.putLong(at, character.id);
        out.putLong(at + 8, character.kills);
        out.putLong(at + 16, character.deaths);
        out.putInt(at + 24, character.name.length);
        out.putBytes(at + 28, character.name);
        return at + 28 + character.name.length;
    }

    private static byte[] bytes(final DirectBuffer buffer, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
