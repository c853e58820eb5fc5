package io.escapement.rooms;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * The observations of the rooms of the corpus: a hash and a text of each turn, and a hash of each room's snapshot.
 */
final class CorpusObserver
{
    private static final long FIRST = 0x243F6A8885A308D3L;

    /** How often each callback ran. */
    final Map<String, Integer> countByCallbackMap = new TreeMap<>();
    private final StringBuilder text = new StringBuilder();
    private final Map<Long, Long> hashByRoomMap = new LinkedHashMap<>();
    private long hash = FIRST;
    private boolean isEmpty = true;
    private boolean isMuted;
    private boolean isSnapshot;

    static long mix(final long hash, final long value)
    {
        final long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
        return (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    }

    static long mix(final long hash, final DirectBuffer buffer, final int offset, final int length)
    {
        long mixed = mix(hash, length);
        for (int i = 0; i < length; i++)
        {
            mixed = mix(mixed, buffer.getByte(offset + i));
        }
        return mixed;
    }

    /** A callback began. */
    void called(final long roomId, final String callback)
    {
        if (!isMuted)
        {
            countByCallbackMap.merge(callback, 1, Integer::sum);
            text.append("\n  ").append(CorpusText.room(roomId)).append(' ');
            add(roomId);
        }
    }

    /** A callback had a result that a corpus should have. */
    void count(final String what, final int code)
    {
        if (!isMuted)
        {
            countByCallbackMap.merge(what + " " + code, 1, Integer::sum);
        }
    }

    void saw(final String what, final long... values)
    {
        if (isMuted)
        {
            return;
        }
        text.append(what).append('(');
        add(what.hashCode());
        for (final long value : values)
        {
            text.append(value).append(' ');
            add(value);
        }
        text.append(") ");
    }

    void saw(final String what, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(what, length, mix(FIRST, buffer, offset, length));
    }

    private void add(final long value)
    {
        hash = mix(hash, value);
        isEmpty = false;
    }

    /** Forget the last turn. */
    void begin()
    {
        hash = FIRST;
        isEmpty = true;
        text.setLength(0);
    }

    boolean isEmpty()
    {
        return isEmpty;
    }

    long hash()
    {
        return hash;
    }

    /** The observations of this turn, a line for each callback. */
    String text()
    {
        return text.toString();
    }

    /** Notice nothing, as while a host is restored. */
    void mute(final boolean value)
    {
        isMuted = value;
    }

    void beginSnapshot()
    {
        isSnapshot = true;
        hashByRoomMap.clear();
    }

    /** End the snapshot. */
    Map<Long, Long> endSnapshot()
    {
        isSnapshot = false;
        return hashByRoomMap;
    }

    /** A room's logic writes its state. */
    StateWriter writer(final long roomId, final StateWriter writer)
    {
        return isSnapshot ? new HashingWriter(roomId, writer) : writer;
    }

    private final class HashingWriter implements StateWriter
    {
        private final long roomId;
        private final StateWriter writer;

        HashingWriter(final long roomId, final StateWriter writer)
        {
            this.roomId = roomId;
            this.writer = writer;
            hashByRoomMap.put(roomId, FIRST);
        }

        private void add(final long value)
        {
            hashByRoomMap.merge(roomId, value, CorpusObserver::mix);
        }

        @Override
        public void putLong(final long value)
        {
            add(value);
            writer.putLong(value);
        }

        @Override
        public void putInt(final int value)
        {
            add(value);
            writer.putInt(value);
        }

        @Override
        public void putBoolean(final boolean value)
        {
            add(value ? 1 : 0);
            writer.putBoolean(value);
        }

        @Override
        public void putDouble(final double value)
        {
            add(Double.doubleToLongBits(value));
            writer.putDouble(value);
        }

        @Override
        public void putBytes(final DirectBuffer buffer, final int offset, final int length)
        {
            add(mix(FIRST, buffer, offset, length));
            writer.putBytes(buffer, offset, length);
        }
    }
}
