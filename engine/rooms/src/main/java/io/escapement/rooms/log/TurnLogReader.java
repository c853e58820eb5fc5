package io.escapement.rooms.log;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.TurnDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads a turn log. Opening checks the whole of it, every checksum and every message, so that no log is ever half
 * applied; whatever is wrong is a {@link DamagedRecordException}. Used by one thread at a time. The buffer must not
 * change while the reader is in use.
 */
public final class TurnLogReader
{
    private final DirectBuffer buffer;
    private final RecordReader records;
    private final TurnLogHeader header;
    private final long turnCount;
    private final boolean finished;
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

    /**
     * Takes the commands of a turn.
     */
    @FunctionalInterface
    public interface CommandHandler
    {
        /**
         * A command.
         *
         * @param buffer that holds the command; the reader's own, not to be changed.
         * @param offset of the command's message header.
         * @param length of the command in bytes, the header included.
         */
        void onCommand(DirectBuffer buffer, int offset, int length);
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
        finished = records.ended();
        rewind();
    }

    /**
     * Opens a log that was closed in order.
     *
     * @param buffer that holds the log.
     * @param offset of the log.
     * @param length of the log in bytes.
     * @return a reader before the first turn.
     */
    public static TurnLogReader open(final DirectBuffer buffer, final int offset, final int length)
    {
        return new TurnLogReader(buffer, offset, length, false);
    }

    /**
     * Opens a log that was closed in order. The file is read, not mapped: what was checked cannot change any more.
     *
     * @param path of the log, a file of less than 2 GiB.
     * @return a reader before the first turn.
     */
    public static TurnLogReader open(final Path path)
    {
        final DirectBuffer buffer = read(path);

        return open(buffer, 0, buffer.capacity());
    }

    /**
     * Opens a log that may not have been closed in order, as a process that died leaves it. It is read up to its last
     * whole record. Damage other than a missing end is refused as ever.
     *
     * @param buffer that holds the log.
     * @param offset of the log.
     * @param length of the log in bytes.
     * @return a reader before the first turn.
     */
    public static TurnLogReader openUnfinished(final DirectBuffer buffer, final int offset, final int length)
    {
        return new TurnLogReader(buffer, offset, length, true);
    }

    /**
     * Opens a log that may not have been closed in order, as a process that died leaves it. It is read up to its last
     * whole record. Damage other than a missing end is refused as ever.
     *
     * @param path of the log, a file of less than 2 GiB.
     * @return a reader before the first turn.
     */
    public static TurnLogReader openUnfinished(final Path path)
    {
        final DirectBuffer buffer = read(path);

        return openUnfinished(buffer, 0, buffer.capacity());
    }

    /**
     * The log's header.
     *
     * @return what the log says of the host that wrote it.
     */
    public TurnLogHeader header()
    {
        return header;
    }

    /**
     * Whether the log was closed in order.
     *
     * @return false for an unfinished log.
     */
    public boolean finished()
    {
        return finished;
    }

    /**
     * How many turns the log holds.
     *
     * @return number of turns.
     */
    public long turnCount()
    {
        return turnCount;
    }

    /**
     * Goes back to before the first turn.
     */
    public void rewind()
    {
        records.rewind();
        records.next();
        atRecord = records.next();
        clearTurn();
    }

    /**
     * Moves to the next turn.
     *
     * @return false when there is none.
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

    /**
     * Number of the turn.
     *
     * @return the number, from 1; 0 before the first turn and behind the last.
     */
    public long turn()
    {
        return turn;
    }

    /**
     * Time of the turn.
     *
     * @return nanoseconds of host time.
     */
    public long nowNs()
    {
        return nowNs;
    }

    /**
     * Running hash of all output up to the turn's end.
     *
     * @return the hash; 0 in the log of one room.
     */
    public long outputHash()
    {
        return outputHash;
    }

    /**
     * How many commands the turn has, those that tell of failures included.
     *
     * @return number of commands.
     */
    public int commandCount()
    {
        return commandCount;
    }

    /**
     * Hands out the commands of the turn in their order. May be called again.
     *
     * @param handler that takes them.
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
     * Whether the host's state was hashed behind the turn.
     *
     * @return true when {@link #stateHash()} can be called.
     */
    public boolean hasStateHash()
    {
        return hasStateHash;
    }

    /**
     * Hash of the host's state behind the turn.
     *
     * @return the hash.
     */
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
