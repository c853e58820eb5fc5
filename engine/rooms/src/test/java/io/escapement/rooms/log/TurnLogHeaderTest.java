package io.escapement.rooms.log;

import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.*;

@Timeout(10)
class TurnLogHeaderTest
{
    @Test
    void shouldDecodeWhatWasEncoded()
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
    void shouldTellHeadersApart()
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

    @Test
    void shouldRefuseWhatTheLogCannotHold()
    {
        final TurnLogHeader header = new TurnLogHeader();
        final String longName = "n".repeat(TurnLogHeader.NAME_LIMIT + 1);
        assertThrows(IllegalArgumentException.class, () -> header.addType(1, 1, 1, longName));
        assertThrows(IllegalArgumentException.class, () -> header.addType(1, 1, 1, "caf\u00E9"));
        assertThrows(IllegalArgumentException.class, () -> header.build(longName));
        for (int i = 0; i < TurnLogHeader.TYPE_LIMIT; i++)
        {
            header.addType(i, 1, 1, longName.substring(1));
        }

        assertThrows(IllegalStateException.class, () -> header.addType(1, 1, 1, ""));

        final ByteSink sink = new ByteSink();
        new TurnLogWriter(sink, header.build(longName.substring(1))).close();
        assertEquals(header, Logs.open(sink).header());
    }
}
