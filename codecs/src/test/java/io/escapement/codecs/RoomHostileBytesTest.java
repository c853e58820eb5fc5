package io.escapement.codecs;

import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.CloseRoomDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.LockTypeDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class RoomHostileBytesTest extends HostileBytesTest
{
    private static final TestSchema SCHEMA = RoomSchema.schema();

    RoomHostileBytesTest()
    {
        super(SCHEMA);
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return RoomCommands.validateCommand(buffer, offset, length);
    }

    @Test
    void shouldLimitTheCountOfAGroup()
    {
        // The group begins after the root block: block length, then count.
        final byte[] header = samples.get(6).clone();
        final int group = 8 + header[0];
        header[group] = 0;
        assertEquals(RefusalCode.BAD_GROUP_BLOCK.value(), check(header));
        header[group] = 16;
        header[group + 2] = 1;
        header[group + 3] = 1;
        assertEquals(RefusalCode.BAD_GROUP_COUNT.value(), check(header));
    }

    /** Beside the layout, which the naive rules check. */
    @Test
    void shouldValidateTheCommandThatALoopCommandCarries()
    {
        int carrying = 0;
        for (final byte[] sample : samples)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(sample.clone());
            if (LoopCommandDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, 0))
            {
                continue;
            }
            carrying++;
            assertEquals(0, validate(buffer, 0, sample.length));
            final int carried = RoomCommands.carriedOffset(0);
            final byte first = buffer.getByte(carried + 2);
            for (int template = 0; template < 80; template++)
            {
                buffer.putByte(carried + 2, (byte)template);
                assertEquals(first == template, 0 == validate(buffer, 0, sample.length), "template " + template);
            }
            buffer.putByte(carried + 2, first);
            buffer.putByte(carried, (byte)(buffer.getByte(carried) + 1));
            assertEquals(RefusalCode.BAD_BLOCK_LENGTH.value(), validate(buffer, 0, sample.length));
        }
        assertEquals(5, carrying);
    }

    @Test
    void shouldRefuseALoopCommandThatCarriesNoMessageBetweenRooms()
    {
        final RoomCommandEncoder encoder = new RoomCommandEncoder();
        final UnsafeBuffer inner = new UnsafeBuffer(new byte[256]);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1_024]);
        assertEquals(RefusalCode.NOT_A_COMMAND.value(),
            validate(buffer, 0, encoder.loopCommand(buffer, 0, 1, 1, inner, 0, encoder.closeRoom(inner, 0, 5))));
        final int signal = encoder.signal(inner, 0, 1, 2, 3, inner, 0, 8);
        final int once = encoder.loopCommand(buffer, 0, 1, 1, inner, 0, signal);
        final UnsafeBuffer twice = new UnsafeBuffer(new byte[1_024]);
        assertEquals(RefusalCode.NOT_A_COMMAND.value(),
            validate(twice, 0, encoder.loopCommand(twice, 0, 1, 1, buffer, 0, once)));
        assertEquals(RefusalCode.TOO_SHORT.value(),
            validate(twice, 0, encoder.loopCommand(twice, 0, 1, 1, buffer, 0, 0)));
    }

    /** So that a log of version 1 replays to its output hashes. */
    @Test
    void shouldWriteWithANewerVersionOnlyWhatItAdded()
    {
        for (final byte[] sample : samples)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(sample);
            final int template = SchemaRules.templateId(buffer, 0);
            final boolean isNew = template >= 20 && template <= 23 ||
                StateLostDecoder.TEMPLATE_ID == template && StateLostDecoder.BLOCK_LENGTH == buffer.getShort(0) ||
                DirectoryEntryDecoder.TEMPLATE_ID == template && DirectoryChange.RESET == new DirectoryEntryDecoder()
                    .wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder()).change();
            if (template < RoomCommands.FIRST_LOG_TEMPLATE_ID && 0 != SchemaRules.version(buffer, 0))
            {
                final boolean isOfVersion3 =
                    template >= ReloadDecoder.TEMPLATE_ID && template <= LockTypeDecoder.TEMPLATE_ID;
                final boolean isOfVersion4 = AskDecoder.TEMPLATE_ID == template ||
                    JoinDecoder.TEMPLATE_ID == template && JoinDecoder.BLOCK_LENGTH == buffer.getShort(0) ||
                    ReplyDecoder.TEMPLATE_ID == template && ReplyDecoder.BLOCK_LENGTH == buffer.getShort(0);
                final boolean hasCode = switch (template)
                {
                    case LeaveDecoder.TEMPLATE_ID -> LeaveDecoder.BLOCK_LENGTH == buffer.getShort(0);
                    case KickDecoder.TEMPLATE_ID -> KickDecoder.BLOCK_LENGTH == buffer.getShort(0);
                    case CloseRoomDecoder.TEMPLATE_ID -> CloseRoomDecoder.BLOCK_LENGTH == buffer.getShort(0);
                    default -> false;
                };
                final int version = isOfVersion4 || CancelJoinDecoder.TEMPLATE_ID == template ||
                    hasCode && LeaveDecoder.TEMPLATE_ID != template ? 4 : isOfVersion3 || hasCode ? 3 : isNew ? 2 : 1;
                assertEquals(version, SchemaRules.version(buffer, 0), "template " + template);
            }
        }
    }

    @Test
    void shouldAcceptAnOlderVersionWithItsBlock()
    {
        final byte[] message = samples.get(2).clone();
        message[6] = 0;
        assertEquals(0, check(message), "an older version with the same block");
        final byte[] open = samples.get(0).clone();
        open[6] = 0;
        assertEquals(RefusalCode.BAD_BLOCK_LENGTH.value(), check(open), "an older version with a newer block");
    }
}
