package io.escapement.lobby;

import io.escapement.codecs.PlayerNames;
import io.escapement.lobby.codecs.AskDecoder;
import io.escapement.lobby.codecs.LobbyCode;
import io.escapement.lobby.codecs.LobbyLayout;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.sync.SyncedState;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Labels by key. A label that is not given has the length 0. */
final class LobbyLabels
{
    /** Keys from 0 on that a lobby shows. */
    static final int KEYS = LobbyLayout.ASK_LABELS_MAX_COUNT;

    /** Longest value that a lobby shows. */
    static final int MAX_LENGTH = LobbyLayout.ASK_LABELS_VALUE_MAX_LENGTH;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[KEYS * MAX_LENGTH]);
    private final UnsafeBuffer ofRoom = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final int[] lengths = new int[KEYS];

    /** Take the labels of a message. The args follow them. NONE, or the reason to refuse them. */
    LobbyCode set(final AskDecoder ask, final int limit, final int lengthLimit)
    {
        Arrays.fill(lengths, 0);
        int count = 0;
        for (final AskDecoder.LabelsDecoder label : ask.labels())
        {
            final int key = label.key();
            final int length = label.valueLength();
            final boolean isValid = key < KEYS && 0 == lengths[key] && length > 0 && length <= lengthLimit;
            final int at = isValid ? key * MAX_LENGTH : 0;
            label.getValue(bytes, at, isValid ? length : 0);
            if (!isValid || !PlayerNames.isName(bytes, at, length))
            {
                return LobbyCode.BAD_LABEL;
            }
            lengths[key] = length;
            count++;
        }
        return count > limit ? LobbyCode.TOO_MANY_LABELS : LobbyCode.NONE;
    }

    void set(final LobbyLabels other)
    {
        bytes.putBytes(0, other.bytes, 0, bytes.capacity());
        System.arraycopy(other.lengths, 0, lengths, 0, KEYS);
    }

    /** Whether these are among others. */
    boolean areIn(final LobbyLabels others)
    {
        for (int key = 0; key < KEYS; key++)
        {
            if (lengths[key] > 0 &&
                (lengths[key] != others.lengths[key] || !isSame(key, others.bytes, key * MAX_LENGTH)))
            {
                return false;
            }
        }
        return true;
    }

    /** Whether these are among the labels of a row. */
    boolean areIn(final SyncedState rooms, final int row)
    {
        for (int key = 0; key < KEYS; key++)
        {
            if (lengths[key] > 0 &&
                (lengths[key] != rooms.text(Lobby.LABEL + key, row, ofRoom, 0) || !isSame(key, ofRoom, 0)))
            {
                return false;
            }
        }
        return true;
    }

    private boolean isSame(final int key, final UnsafeBuffer others, final int offset)
    {
        for (int i = 0; i < lengths[key]; i++)
        {
            if (bytes.getByte(key * MAX_LENGTH + i) != others.getByte(offset + i))
            {
                return false;
            }
        }
        return true;
    }

    /** Give a row these labels, until the directory reports the labels of its room. */
    void copyTo(final SyncedState rooms, final int row)
    {
        for (int key = 0; key < KEYS; key++)
        {
            if (lengths[key] > 0)
            {
                rooms.setText(Lobby.LABEL + key, row, bytes, key * MAX_LENGTH, lengths[key]);
            }
        }
    }

    void write(final StateWriter writer)
    {
        for (int key = 0; key < KEYS; key++)
        {
            writer.putBytes(bytes, key * MAX_LENGTH, lengths[key]);
        }
    }

    void read(final StateReader reader)
    {
        for (int key = 0; key < KEYS; key++)
        {
            lengths[key] = reader.getBytes(bytes, key * MAX_LENGTH);
        }
    }
}
