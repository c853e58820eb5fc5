package io.escapement.engine.internal.durable;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.ProposalReader;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Checks that a log of several nodes is of hosts with the settings of this node's: other limits, room types or formats
 * would compute other bytes, which a node detects only later and cannot explain.
 *
 * <p>Each loop of a leader proposes its settings before its first turn: a LogHeader and the version of the formats. A
 * node that starts without a snapshot finds them at the start of the log. Snapshots have their own.
 */
public final class ReplicaSettings
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ProposalDecoder proposal = new ProposalDecoder();
    private final AtomicReferenceArray<HostConfig> expected;
    private final boolean[] isKnown;
    private int loop;

    /**
     * Make it.
     *
     * @param loops of the engine.
     */
    public ReplicaSettings(final int loops)
    {
        expected = new AtomicReferenceArray<>(loops);
        isKnown = new boolean[loops];
    }

    /**
     * The message to propose with the settings of a loop, before the log is passed on to it.
     *
     * @param ofLoop       number of the loop.
     * @param settings     of its host.
     * @param fromSnapshot whether the host starts with a snapshot.
     */
    public byte[] register(final int ofLoop, final HostConfig settings, final boolean fromSnapshot)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = settings.encode(buffer, 0);
        buffer.putInt(length, LogRecords.FORMAT_VERSION, LITTLE_ENDIAN);
        final byte[] message = new byte[length + Integer.BYTES];
        buffer.getBytes(0, message);
        isKnown[ofLoop] = fromSnapshot;
        expected.set(ofLoop, settings);
        return message;
    }

    /** Whether all loops are registered. Any thread. */
    boolean areRegistered()
    {
        for (int i = 0; i < expected.length(); i++)
        {
            if (null == expected.get(i))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Check a committed message. In the log's thread.
     *
     * @return whether it was only for this object. Otherwise it is a turn of {@link #loop()}.
     * @throws IllegalStateException that names the fault.
     */
    boolean onCommitted(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isSettings(buffer, offset, length))
        {
            check(HostConfig.decode(buffer, offset), buffer.getInt(offset + length - Integer.BYTES, LITTLE_ENDIAN));
            return true;
        }
        final int code =
            RoomCommands.validateLogRecord(buffer, offset, Math.min(length, ProposalReader.HEADER_LENGTH));
        if (RefusalCode.UNKNOWN_VERSION.value() == code)
        {
            throw new IllegalStateException("the log has a message of version " + SchemaRules.version(buffer, offset) +
                " of room.xml, this build reads version " + ProposalDecoder.SCHEMA_VERSION);
        }
        if (0 != code || !ProposalReader.isProposal(buffer, offset, length))
        {
            throw new IllegalStateException("the log has a message of " + length + " bytes, template " +
                SchemaRules.templateId(buffer, offset) + ", that is no proposal");
        }
        loop = checkLoop(proposal.wrapAndApplyHeader(buffer, offset, header).loop());
        if (!isKnown[loop])
        {
            throw new IllegalStateException("the log begins with turns of loop " + loop + " without its settings: " +
                "another build wrote it, and this build cannot continue it");
        }
        return false;
    }

    /** Loop of the last turn. */
    int loop()
    {
        return loop;
    }

    private static boolean isSettings(final DirectBuffer buffer, final int offset, final int length)
    {
        return length > MessageHeaderDecoder.ENCODED_LENGTH + Integer.BYTES &&
            LogHeaderDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset) &&
            0 == RoomCommands.validateLogRecord(buffer, offset, length - Integer.BYTES);
    }

    private void check(final HostConfig found, final int formatVersion)
    {
        if (LogRecords.FORMAT_VERSION != formatVersion)
        {
            throw new IllegalStateException("the log has format version " + formatVersion + ", supported is " +
                LogRecords.FORMAT_VERSION);
        }
        if (null == found.loopLimits())
        {
            throw new IllegalStateException("the log has settings without a loop");
        }
        final int ofLoop = checkLoop(found.loopLimits().loop());
        final HostConfig own = expected.get(ofLoop);
        if (!own.isLike(found))
        {
            throw new IllegalStateException("the log is of hosts with other settings: it has " + found +
                ", this host has " + own);
        }
        isKnown[ofLoop] = true;
    }

    private int checkLoop(final int found)
    {
        if (found < 0 || found >= isKnown.length)
        {
            throw new IllegalStateException(
                "the log has a proposal of loop " + found + ", this engine has " + isKnown.length + " loops");
        }
        return found;
    }
}
