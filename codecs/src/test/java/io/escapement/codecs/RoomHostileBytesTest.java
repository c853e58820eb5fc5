package io.escapement.codecs;

import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.RoomLayout;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class RoomHostileBytesTest extends HostileBytesTest
{
    private static final TestSchema SCHEMA = TestSchema.of(RoomLayout.RULES, "room.xml");

    /** LoopCommands with each of the five commands that they may carry. */
    private final List<byte[]> carrying = new ArrayList<>();

    RoomHostileBytesTest()
    {
        super(SCHEMA);
        final RoomEncoder encoder = new RoomEncoder();
        final UnsafeBuffer inner = new UnsafeBuffer(new byte[256]);
        addCarrying(inner, encoder.signal(inner, 0, 1, 2, 3, inner, 0, 40));
        addCarrying(inner, encoder.reserve(inner, 0, 1, 2, 3, 4, 5));
        addCarrying(inner, encoder.ask(inner, 0, 1, 2, 3, 4, inner, 0, 40));
        addCarrying(inner, encoder.reply(inner, 0, 1, 2, 3, inner, 0, 8));
        addCarrying(inner, encoder.refusal(inner, 0, 1, 2, 3));
        samples.addAll(carrying);
    }

    private void addCarrying(final UnsafeBuffer inner, final int length)
    {
        final byte[] command = new byte[RoomEncoder.loopCommandLength(length)];
        new RoomEncoder().loopCommand(new UnsafeBuffer(command), 0, 4, 3, inner, 0, length);
        carrying.add(command);
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
        final byte[] header = SCHEMA.naive().shapes.message(LogHeaderDecoder.TEMPLATE_ID, 0);
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
        for (final byte[] sample : carrying)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(sample.clone());
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
    }

    @Test
    void shouldRefuseALoopCommandThatCarriesNoMessageBetweenRooms()
    {
        final RoomEncoder encoder = new RoomEncoder();
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
}
