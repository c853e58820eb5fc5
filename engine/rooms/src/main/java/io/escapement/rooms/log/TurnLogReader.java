package io.escapement.rooms.log;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.TurnDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads a turn log. Opening verifies every checksum and every message of the whole log, so a damaged log is never
 * applied in part; damage throws {@link DamagedRecordException}. One thread at a time uses a reader, and the buffer
 * must not change while it is in use.
 */
public final class TurnLogReader
{
    private final DirectBuffer buffer;
    private final RecordReader records;
    private final TurnLogHeader header;
    private final long turnCount;
    private final boolean finished;
    private final List<Reload> reloads;
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final TurnDecoder turnDecoder = new TurnDecoder();
    private final StateHashDecoder stateHashDecoder = new StateHashDecoder();
    private boolean atRecord;
    private int commandsOffset;
    private int commandCount;
    private long turn;
    private long nowNs;
    private long outputHash;
    private boolean hasStateHash;
    private long stateHash;

    /** Receives the commands of a turn. */
    @FunctionalInterface
    public interface CommandHandler
    {
        /**
         * A command of the turn.
         *
         * @param buffer that holds the command; do not modify it.
         * @param offset of the command's message header.
         * @param length of the command in bytes, the header included.
         */
        void onCommand(DirectBuffer buffer, int offset, int length);
    }

    /**
     * A version of a room type that a Reload of the log names.
     *
     * @param turn    of the first such Reload.
     * @param typeId  of the type.
     * @param version that takes over.
     */
    public record Reload(long turn, int typeId, int version)
    {
    }

    private TurnLogReader(
        final DirectBuffer buffer, final int offset, final int length, final boolean unfinishedAllowed)
    {
        this.buffer = buffer;
        records = new RecordReader(buffer, offset, length, RecordHeader.LOG, unfinishedAllowed);

        final TurnLogVerifier verifier = new TurnLogVerifier(records);
        verifier.verify();
        header = verifier.header();
        turnCount = verifier.turnCount();
        reloads = List.copyOf(verifier.reloads());
        finished = records.ended();
        rewind();
    }

    /**
     * Open a complete log.
     *
     * @param buffer that holds the log.
     * @param offset of the log.
     * @param length of the log in bytes.
     * @return a reader positioned before the first turn.
     */
    public static TurnLogReader open(final DirectBuffer buffer, final int offset, final int length)
    {
        return new TurnLogReader(buffer, offset, length, false);
    }

    /**
     * Open a complete log. The file is copied to memory, so it cannot change after verification.
     *
     * @param path of the log, a file of less than 2 GiB.
     * @return a reader positioned before the first turn.
     */
    public static TurnLogReader open(final Path path)
    {
        final DirectBuffer buffer = read(path);
        return open(buffer, 0, buffer.capacity());
    }

    /**
     * Open a log that may lack its end, as a process that was killed leaves it. It is read up to its last complete
     * record. All other damage still throws.
     *
     * @param buffer that holds the log.
     * @param offset of the log.
     * @param length of the log in bytes.
     * @return a reader positioned before the first turn.
     */
    public static TurnLogReader openUnfinished(final DirectBuffer buffer, final int offset, final int length)
    {
        return new TurnLogReader(buffer, offset, length, true);
    }

    /**
     * Open a log that may lack its end, as a process that was killed leaves it. It is read up to its last complete
     * record. All other damage still throws.
     *
     * @param path of the log, a file of less than 2 GiB.
     * @return a reader positioned before the first turn.
     */
    public static TurnLogReader openUnfinished(final Path path)
    {
        final DirectBuffer buffer = read(path);
        return openUnfinished(buffer, 0, buffer.capacity());
    }

    /** The configuration of the host that wrote the log. */
    public TurnLogHeader header()
    {
        return header;
    }

    /** Whether the log is complete: its writer was closed between turns. */
    public boolean finished()
    {
        return finished;
    }

    /** Number of turns in the log. */
    public long turnCount()
    {
        return turnCount;
    }

    /** The versions that take over rooms in the log, besides those of its header; a replay needs all of them. */
    public List<Reload> reloads()
    {
        return reloads;
    }

    /** Return to the position before the first turn. */
    public void rewind()
    {
        records.rewind();
        records.next();
        atRecord = records.next();
        clearTurn();
    }

    /**
     * Move to the next turn.
     *
     * @return false after the last turn.
     */
    public boolean nextTurn()
    {
        if (!atRecord)
        {
            clearTurn();
            return false;
        }

        turnDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);
        turn = turnDecoder.turn();
        nowNs = turnDecoder.nowNs();
        outputHash = turnDecoder.outputHash();
        commandCount = turnDecoder.commandCount();
        commandsOffset = records.bodyOffset() + TurnLogs.TURN_LENGTH;

        atRecord = records.next();
        hasStateHash = atRecord && StateHashDecoder.TEMPLATE_ID == records.kind();
        if (hasStateHash)
        {
            stateHashDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);
            stateHash = stateHashDecoder.hash();
            atRecord = records.next();
        }

        return true;
    }

    /** Number of the turn, from 1; 0 before the first turn and after the last. */
    public long turn()
    {
        return turn;
    }

    /** Time of the turn in nanoseconds of host time. */
    public long nowNs()
    {
        return nowNs;
    }

    /** Running hash of all output up to the end of the turn. */
    public long outputHash()
    {
        return outputHash;
    }

    /** Number of commands in the turn, including FailedAt commands. */
    public int commandCount()
    {
        return commandCount;
    }

    /**
     * Pass the commands of the turn to a handler, in order. May be called repeatedly.
     *
     * @param handler of the commands.
     */
    public void forEachCommand(final CommandHandler handler)
    {
        int index = commandsOffset;
        for (int i = 0, count = commandCount; i < count; i++)
        {
            final int length = buffer.getInt(index, LITTLE_ENDIAN);
            handler.onCommand(buffer, index + Integer.BYTES, length);
            index += TurnLogs.entryLength(length);
        }
    }

    /**
     * Pass on the commands of the turn that concern a room: those to the room, without the LoopCommand that may carry
     * them, and those to the whole host, which are LinkUp, LinkDown, LinkResumed, LinkStateLost, SetRate, LockType,
     * Drain, HostResumed and a Reload without a room. A host that runs nothing else runs the room as in the recording.
     *
     * @param roomId  of the room.
     * @param handler of the commands.
     * @return number of the commands that are to the room.
     */
    public int forEachCommandOf(final long roomId, final CommandHandler handler)
    {
        int own = 0;
        int index = commandsOffset;
        for (int i = 0, count = commandCount; i < count; i++)
        {
            final int length = buffer.getInt(index, LITTLE_ENDIAN);
            final int offset = TurnLogs.carriedOffset(buffer, index + Integer.BYTES);
            final boolean isOwn = TurnLogs.isTo(roomId, buffer, offset);
            if (isOwn || TurnLogs.isHostWide(buffer, offset))
            {
                handler.onCommand(buffer, offset, index + Integer.BYTES + length - offset);
                own += isOwn ? 1 : 0;
            }
            index += TurnLogs.entryLength(length);
        }
        return own;
    }

    /** Whether the log has the hash of the host's state after the turn. */
    public boolean hasStateHash()
    {
        return hasStateHash;
    }

    /** Hash of the host's state after the turn. Throws when {@link #hasStateHash()} is false. */
    public long stateHash()
    {
        if (!hasStateHash)
        {
            throw new IllegalStateException("turn " + turn + " has no state hash");
        }

        return stateHash;
    }

    private void clearTurn()
    {
        turn = 0;
        nowNs = 0;
        outputHash = 0;
        commandCount = 0;
        hasStateHash = false;
    }

    private static DirectBuffer read(final Path path)
    {
        try
        {
            return new UnsafeBuffer(Files.readAllBytes(path));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + path, ex);
        }
    }
}
