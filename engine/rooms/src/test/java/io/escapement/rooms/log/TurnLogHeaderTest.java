package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.ByteSink;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TurnLogHeaderTest
{
    @Test
    void shouldDecodeAnEncodedHeader()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final TurnLogHeader header = Logs.header();
        assertTrue(header.encode(buffer, 8) > 0);
        final TurnLogHeader decoded = TurnLogHeader.decode(buffer, 8);

        assertEquals(header, decoded);
        assertEquals(header.hashCode(), decoded.hashCode());
        assertEquals(header.toString(), decoded.toString());
        assertEquals(1_700_000_000_123L, decoded.epochMs());
        assertEquals(1_048_576, decoded.wheelTickNs());
        assertEquals(1000, decoded.roomLimit());
        assertEquals(16, decoded.linkLimit());
        assertEquals(4000, decoded.timerLimit());
        assertEquals(8000, decoded.seatLimit());
        assertEquals(4, decoded.phaseGroups());
        assertEquals(2, decoded.types().size());
        assertEquals(new TurnLogHeader.Type(9, 3, -1L, "arena"), decoded.types().get(1));
        assertEquals("0.1.0-abcdef", decoded.build());
    }

    @Test
    void shouldHoldTheLimitsOfALoop()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final TurnLogHeader header = Logs.header().loopLimits(new LoopLimits(3, 8, 77, 5_000));
        assertNotEquals(Logs.header(), header);
        assertTrue(header.toString().contains("LoopLimits[loop=3, loops=8, openRequests=77, queueLength=5000]"));
        header.encode(buffer, 8);
        assertEquals(header, TurnLogHeader.decode(buffer, 8));
        assertEquals(Logs.header(), header.alone());
        assertFalse(Logs.header().loopLimits().isKeeping());

        new LogHeaderEncoder().wrap(buffer, 8 + MessageHeaderDecoder.ENCODED_LENGTH).loops(3);
        assertThrows(IllegalArgumentException.class, () -> TurnLogHeader.decode(buffer, 8), "loop 3 of 3");
    }

    @Test
    void shouldDistinguishHeaders()
    {
        assertNotEquals(Logs.header(), Logs.header().epochMs(0));
        assertNotEquals(Logs.header(), Logs.header().wheelTickNs(0));
        assertNotEquals(Logs.header(), Logs.header().roomLimit(0));
        assertNotEquals(Logs.header(), Logs.header().linkLimit(0));
        assertNotEquals(Logs.header(), Logs.header().timerLimit(0));
        assertNotEquals(Logs.header(), Logs.header().seatLimit(0));
        assertNotEquals(Logs.header(), Logs.header().phaseGroups(0));
        assertNotEquals(Logs.header(), Logs.header().addType(1, 1, 1, ""));
        assertNotEquals(Logs.header(), Logs.header().build(""));
    }

    /** Versions of types that only one of them has are announced by reloads. */
    @Test
    void shouldKnowSettingsThatComputeTheSame()
    {
        final TurnLogHeader header = Logs.header().loopLimits(new LoopLimits(0, 2, 7, 5_000));
        assertTrue(header.isLike(Logs.header().loopLimits(new LoopLimits(0, 2, 7, 5_000)).epochMs(0).build("")));
        assertFalse(header.isLike(Logs.header()));
        assertFalse(header.isLike(Logs.header().loopLimits(new LoopLimits(0, 3, 7, 5_000))));
        assertFalse(Logs.header().isLike(Logs.header().wheelTickNs(0)));
        assertFalse(Logs.header().isLike(Logs.header().roomLimit(0)));
        assertFalse(Logs.header().isLike(Logs.header().linkLimit(0)));
        assertFalse(Logs.header().isLike(Logs.header().timerLimit(0)));
        assertFalse(Logs.header().isLike(Logs.header().seatLimit(0)));
        assertFalse(Logs.header().isLike(Logs.header().phaseGroups(0)));
        assertFalse(Logs.header().isLike(Logs.header().addType(1, 1, 1, "")));
        final TurnLogHeader type = new TurnLogHeader().addType(9, 3, 77, "arena");
        assertTrue(type.isLike(new TurnLogHeader().addType(9, 4, 78, "arena")), "another version");
        assertFalse(type.isLike(new TurnLogHeader().addType(9, 3, 78, "arena")), "other limits of this version");
        assertFalse(type.isLike(new TurnLogHeader().addType(8, 3, 77, "arena")), "another type");
        assertFalse(type.isLike(new TurnLogHeader().addType(9, 3, 77, "lobby")), "another name");
    }

    @Test
    void shouldRefuseValuesThatALogCannotHold()
    {
        final TurnLogHeader header = new TurnLogHeader();
        final String typeName = "n".repeat(RoomCommands.MAX_TYPE_NAME_LENGTH);
        final String buildName = "n".repeat(RoomCommands.MAX_BUILD_LENGTH);
        assertThrows(IllegalArgumentException.class, () -> header.addType(1, 1, 1, typeName + "n"));
        assertThrows(IllegalArgumentException.class, () -> header.addType(1, 1, 1, "caf\u00E9"));
        assertThrows(IllegalArgumentException.class, () -> header.build(buildName + "n"));
        for (int i = 0; i < RoomCommands.MAX_LOG_TYPES; i++)
        {
            header.addType(i, 1, 1, typeName);
        }

        assertThrows(IllegalStateException.class, () -> header.addType(1, 1, 1, ""));

        final ByteSink sink = new ByteSink();
        new TurnLogWriter(sink, header.build(buildName)).close();
        assertEquals(header, Logs.open(sink).header());
    }
}
