package io.escapement.rooms.log;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.rooms.DamagedRecordException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A log in one piece, as {@link LogWriter} writes it. All of it is verified before any of it is used. */
public final class LogFile implements LogSource
{
    private static final int NONE = RefusalCode.NONE.value();

    private final LogReader records;
    private final HostConfig config;
    private final boolean isFinished;
    private final boolean isHashed;
    private final DirectBuffer snapshot;
    private long proposals;

    private LogFile(
        final DirectBuffer buffer, final int offset, final int length, final boolean isUnfinishedAllowed)
    {
        records = new LogReader(buffer, offset, length, LogRecords.LOG, isUnfinishedAllowed);
        config = verifyHeader();
        final ProposalReader proposal = new ProposalReader();
        boolean isMessage = records.next();
        isHashed = isMessage && LogRecords.HASHED_KIND == records.kind();
        isMessage = isHashed ? records.next() : isMessage;
        if (isMessage && LogRecords.SNAPSHOT_KIND == records.kind())
        {
            snapshot = new UnsafeBuffer(buffer(), offset(), length());
            isMessage = records.next();
        }
        else
        {
            snapshot = null;
        }
        while (isMessage)
        {
            verifyMessage(proposal);
            isMessage = records.next();
        }
        isFinished = records.isEnded();
        rewind();
    }

    /**
     * Open a complete log.
     *
     * @param buffer that holds the log.
     * @param offset of the log.
     * @param length of the log in bytes.
     * @return the log, at the position before its first message.
     */
    public static LogFile open(final DirectBuffer buffer, final int offset, final int length)
    {
        return new LogFile(buffer, offset, length, false);
    }

    /**
     * Open a complete log. The file is copied to memory, and cannot change after verification.
     *
     * @param path of the log, a file of less than 2 GiB.
     * @return the log, at the position before its first message.
     */
    public static LogFile open(final Path path)
    {
        final DirectBuffer buffer = read(path);
        return open(buffer, 0, buffer.capacity());
    }

    /**
     * Open a log that may lack its end, and read it up to its last complete record. All other damage still throws.
     *
     * @param buffer that holds the log.
     * @param offset of the log.
     * @param length of the log in bytes.
     * @return the log, at the position before its first message.
     */
    public static LogFile openUnfinished(final DirectBuffer buffer, final int offset, final int length)
    {
        return new LogFile(buffer, offset, length, true);
    }

    /**
     * Open a log that may lack its end, and read it up to its last complete record. All other damage still throws.
     *
     * @param path of the log, a file of less than 2 GiB.
     * @return the log, at the position before its first message.
     */
    public static LogFile openUnfinished(final Path path)
    {
        final DirectBuffer buffer = read(path);
        return openUnfinished(buffer, 0, buffer.capacity());
    }

    @Override
    public HostConfig config()
    {
        return config;
    }

    @Override
    public DirectBuffer snapshot()
    {
        return snapshot;
    }

    @Override
    public boolean isHashed()
    {
        return isHashed;
    }

    /** Number of proposals in the log. */
    public long proposals()
    {
        return proposals;
    }

    @Override
    public void rewind()
    {
        records.rewind();
        records.next();
        for (int i = (isHashed ? 1 : 0) + (null == snapshot ? 0 : 1); i > 0; i--)
        {
            records.next();
        }
    }

    @Override
    public void rewindToFailed()
    {
        rewind();
    }

    @Override
    public boolean next()
    {
        return records.next();
    }

    @Override
    public DirectBuffer buffer()
    {
        return records.buffer();
    }

    @Override
    public int offset()
    {
        return records.bodyOffset();
    }

    @Override
    public int length()
    {
        return records.bodyLength();
    }

    @Override
    public boolean isFinished()
    {
        return isFinished;
    }

    private HostConfig verifyHeader()
    {
        require(records.next() && LogHeaderDecoder.TEMPLATE_ID == records.kind(), "no header");
        verify(length());
        try
        {
            return HostConfig.decode(buffer(), offset());
        }
        catch (final IllegalArgumentException ex)
        {
            throw new DamagedRecordException(records.recordOffset(), ex.getMessage());
        }
    }

    private void verifyMessage(final ProposalReader proposal)
    {
        switch (records.kind())
        {
            case ProposalDecoder.TEMPLATE_ID ->
            {
                // The commands that follow the message are not part of it.
                verify(Math.min(ProposalReader.HEADER_LENGTH, length()));
                final int code = proposal.wrap(buffer(), offset(), length());
                require(NONE == code, "the proposal is refused: " + Codes.nameOf(code));
                proposals++;
            }
            case FailedDecoder.TEMPLATE_ID, StateHashDecoder.TEMPLATE_ID -> verify(length());
            default -> throw new DamagedRecordException(
                records.recordOffset(), "a record of kind " + records.kind() + " cannot be here");
        }
    }

    private void verify(final int length)
    {
        final int code = RoomCommands.validateLogRecord(buffer(), offset(), length);
        require(RefusalCode.UNKNOWN_VERSION.value() != code, "it is of version " +
            SchemaRules.version(buffer(), offset()) + " of room.xml, this build reads version " +
            ProposalDecoder.SCHEMA_VERSION);
        require(NONE == code, "message is refused: " + Codes.nameOf(code));
        require(records.kind() == SchemaRules.templateId(buffer(), offset()),
            "the message has a template that cannot be here");
    }

    private void require(final boolean holds, final String reason)
    {
        if (!holds)
        {
            throw new DamagedRecordException(records.recordOffset(), reason);
        }
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
