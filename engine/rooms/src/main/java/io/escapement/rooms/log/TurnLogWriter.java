package io.escapement.rooms.log;

import io.escapement.codecs.room.FailedAtEncoder;
import io.escapement.codecs.room.LogEndEncoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.StateHashEncoder;
import io.escapement.codecs.room.TurnEncoder;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordWriter;
import io.escapement.rooms.output.RecordSink;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A {@link TurnLog} that writes one record for each turn to a {@link RecordSink}. It allocates nothing once its buffers
 * have grown to the longest turn. A call that would produce an unreadable log throws {@link IllegalStateException}. The
 * contents of commands are not checked, since the host logs only commands that it has validated.
 */
public final class TurnLogWriter implements TurnLog
{
    private static final int FAILED_AT_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + FailedAtEncoder.BLOCK_LENGTH;
    private static final int STATE_HASH_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + StateHashEncoder.BLOCK_LENGTH;
    private static final int LOG_END_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + LogEndEncoder.BLOCK_LENGTH;
    private static final long NO_TURN = 0;

    private final RecordWriter records;
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final TurnEncoder turnEncoder = new TurnEncoder();
    private final FailedAtEncoder failedAtEncoder = new FailedAtEncoder();
    private final StateHashEncoder stateHashEncoder = new StateHashEncoder();
    private final LogEndEncoder logEndEncoder = new LogEndEncoder();
    private final UnsafeBuffer small = new UnsafeBuffer(new byte[STATE_HASH_LENGTH]);
    // The record of the turn: the Turn message, then the entries of its commands.
    private final ExpandableArrayBuffer body = new ExpandableArrayBuffer();
    // Entries of the turn's failures, inserted between the two when the turn ends.
    private final ExpandableArrayBuffer failures = new ExpandableArrayBuffer();
    private int bodyLength;
    private int failuresLength;
    private int commandCount;
    private long turn = NO_TURN;
    private long nowNs = Long.MIN_VALUE;
    private long hashedTurn = NO_TURN;
    private long turnCount;
    private boolean inTurn;
    private boolean closed;

    /**
     * Begin a log: write the file header and the record with the log's header.
     *
     * @param sink   for the bytes.
     * @param header of the log, encoded at once.
     */
    public TurnLogWriter(final RecordSink sink, final TurnLogHeader header)
    {
        records = new RecordWriter(sink, RecordHeader.LOG);
        records.append(LogHeaderEncoder.TEMPLATE_ID, body, 0, header.encode(body, 0));
    }

    @Override
    public void turnStart(final long turn, final long nowNs)
    {
        if (closed || inTurn)
        {
            throw new IllegalStateException(closed ? "the log is closed" : "turn " + this.turn + " has not ended");
        }

        if (NO_TURN == this.turn ? turn < 1 : turn != this.turn + 1)
        {
            throw new IllegalStateException("turn " + turn + " cannot follow turn " + this.turn);
        }

        if (nowNs < this.nowNs)
        {
            throw new IllegalStateException("time of turn " + turn + " goes back from " + this.nowNs + " to " + nowNs);
        }

        this.turn = turn;
        this.nowNs = nowNs;
        bodyLength = TurnLogs.TURN_LENGTH;
        failuresLength = 0;
        commandCount = 0;
        inTurn = true;
    }

    @Override
    public void command(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MessageHeaderEncoder.ENCODED_LENGTH)
        {
            throw new IllegalArgumentException(
                "a command must have at least " + MessageHeaderEncoder.ENCODED_LENGTH + " bytes: " + length);
        }

        bodyLength += putEntry(body, bodyLength, buffer, offset, length);
    }

    @Override
    public void failedAt(final long roomId, final long callback)
    {
        failedAtEncoder
            .wrapAndApplyHeader(small, 0, headerEncoder)
            .roomId(roomId)
            .callback(callback);
        failuresLength += putEntry(failures, failuresLength, small, 0, FAILED_AT_LENGTH);
    }

    @Override
    public void turnEnd(final long outputHash)
    {
        requireTurn();
        if (failuresLength > 0)
        {
            putFailuresInFront();
        }

        turnEncoder
            .wrapAndApplyHeader(body, 0, headerEncoder)
            .turn(turn)
            .nowNs(nowNs)
            .outputHash(outputHash)
            .commandCount(commandCount);
        records.append(TurnEncoder.TEMPLATE_ID, body, 0, bodyLength);
        turnCount++;
        inTurn = false;
    }

    @Override
    public void stateHash(final long turn, final long hash)
    {
        if (closed || inTurn || turn != this.turn || turn == hashedTurn)
        {
            throw new IllegalStateException("no state hash can be logged for turn " + turn + " at turn " + this.turn);
        }

        stateHashEncoder
            .wrapAndApplyHeader(small, 0, headerEncoder)
            .turn(turn)
            .hash(hash);
        records.append(StateHashEncoder.TEMPLATE_ID, small, 0, STATE_HASH_LENGTH);
        hashedTurn = turn;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            if (!inTurn)
            {
                logEndEncoder
                    .wrapAndApplyHeader(small, 0, headerEncoder)
                    .turns(turnCount);
                records.end(small, 0, LOG_END_LENGTH);
            }
        }
    }

    private int putEntry(
        final ExpandableArrayBuffer target,
        final int index,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        requireTurn();
        if (length > RecordHeader.MAX_RECORD_LENGTH - TurnLogs.ENTRY_OVERHEAD_LIMIT - bodyLength - failuresLength)
        {
            throw new IllegalStateException("turn " + turn + " is over " + RecordHeader.MAX_RECORD_LENGTH + " bytes");
        }

        final int entryLength = TurnLogs.entryLength(length);
        // Zero the last 8 bytes, of which the command then overwrites those that are not padding.
        target.putLong(index + entryLength - Long.BYTES, 0L);
        target.putInt(index, length, LITTLE_ENDIAN);
        target.putBytes(index + Integer.BYTES, buffer, offset, length);
        commandCount++;
        return entryLength;
    }

    private void putFailuresInFront()
    {
        final int commandsLength = bodyLength - TurnLogs.TURN_LENGTH;
        body.checkLimit(bodyLength + failuresLength);
        System.arraycopy(
            body.byteArray(),
            TurnLogs.TURN_LENGTH,
            body.byteArray(),
            TurnLogs.TURN_LENGTH + failuresLength,
            commandsLength);
        body.putBytes(TurnLogs.TURN_LENGTH, failures, 0, failuresLength);
        bodyLength += failuresLength;
    }

    private void requireTurn()
    {
        if (closed || !inTurn)
        {
            throw new IllegalStateException(closed ? "the log is closed" : "no turn was started");
        }
    }
}
