package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class RoomHostileBytesTest extends HostileBytesTest
{
    RoomHostileBytesTest()
    {
        super(RoomSchema.schema());
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
