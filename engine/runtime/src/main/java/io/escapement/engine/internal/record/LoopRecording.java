package io.escapement.engine.internal.record;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.output.RecordSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The recording of one loop. Whole records go through a ring buffer to a file. When the buffer is full or the file
 * cannot be written, the recording ends after the last whole record and reports that once; the loop continues.
 */
final class LoopRecording implements RecordSink, TurnLog
{
    /** The longest turn must fit an eighth of the buffer, the maximum of a record. */
    static final int BUFFER_LENGTH = 8 * 1_024 * 1_024;
    /** Readers map a file as one buffer, so it must be shorter than 2 GiB. */
    static final long MAX_FILE_LENGTH = Integer.MAX_VALUE - (long)BUFFER_LENGTH;

    private static final int RECORD = 1;

    private final Path file;
    private final FileChannel channel;
    private final ErrorHandler errorHandler;
    private final long maxFileLength;
    private final OneToOneRingBuffer buffer;
    private final MessageHandler writer = (type, bytes, offset, length) -> write(bytes, offset, length);
    private final TurnLogWriter log;
    private long written;
    private boolean isWriteFailed;
    private boolean isOverReported;
    private volatile boolean isOver;

    LoopRecording(
        final Path file,
        final TurnLogHeader header,
        final int bufferLength,
        final long maxFileLength,
        final ErrorHandler errorHandler) throws IOException
    {
        this.file = file;
        this.errorHandler = errorHandler;
        this.maxFileLength = maxFileLength;
        channel = PrivateFiles.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        buffer = new OneToOneRingBuffer(new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(bufferLength + RingBufferDescriptor.TRAILER_LENGTH, 64)));
        log = new TurnLogWriter(this, header);
    }

    /** Bytes that were written. In the recorder's thread. */
    long written()
    {
        return written;
    }

    /** Bytes that wait to be written. */
    int waiting()
    {
        return buffer.size();
    }

    /** Whether recording has ended before the loop. */
    boolean isOver()
    {
        return isOver;
    }

    // In the loop's thread:

    @Override
    public void append(final DirectBuffer bytes, final int offset, final int length)
    {
        if (!isOver && (length > buffer.maxMsgLength() || !buffer.write(RECORD, bytes, offset, length)))
        {
            isOver = true;
        }
    }

    @Override
    public void turnStart(final long turn, final long nowNs)
    {
        if (!isOver)
        {
            log.turnStart(turn, nowNs);
        }
    }

    @Override
    public void command(final DirectBuffer bytes, final int offset, final int length)
    {
        if (!isOver)
        {
            log.command(bytes, offset, length);
        }
    }

    @Override
    public void failedAt(final long roomId, final long callback)
    {
        if (!isOver)
        {
            log.failedAt(roomId, callback);
        }
    }

    @Override
    public void turnEnd(final long outputHash)
    {
        if (!isOver)
        {
            log.turnEnd(outputHash);
        }
    }

    @Override
    public void stateHash(final long turn, final long hash)
    {
        if (!isOver)
        {
            log.stateHash(turn, hash);
        }
    }

    // In the recorder's thread:

    int drain()
    {
        final int records = buffer.read(writer);
        if (isOver && !isOverReported)
        {
            isOverReported = true;
            errorHandler.onError(new IllegalStateException("recordTo: " + file + " ends early: " +
                (isWriteFailed ? "it could not be written" : "the disk was too slow")));
        }
        return records;
    }

    /** Write the rest and the end record, once the loop has ended. */
    @Override
    public void close()
    {
        drain();
        if (!isOver)
        {
            log.close();
            drain();
        }
        CloseHelper.close(errorHandler, channel);
    }

    private void write(final DirectBuffer bytes, final int offset, final int length)
    {
        if (isWriteFailed)
        {
            return;
        }
        try
        {
            if (written + length > maxFileLength)
            {
                throw new IOException("it has reached the maximum length of a log, " + maxFileLength + " bytes");
            }
            final ByteBuffer view = bytes.byteBuffer().duplicate();
            final int index = bytes.wrapAdjustment() + offset;
            view.limit(index + length).position(index);
            while (view.hasRemaining())
            {
                written += channel.write(view);
            }
        }
        catch (final IOException ex)
        {
            isWriteFailed = true;
            isOver = true;
            errorHandler.onError(ex);
        }
    }
}
