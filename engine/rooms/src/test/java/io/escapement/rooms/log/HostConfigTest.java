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

class HostConfigTest
{
    @Test
    void shouldDecodeWhatItEncodes()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final HostConfig config = Logs.config();
        assertTrue(config.encode(buffer, 8) > 0);
        final HostConfig decoded = HostConfig.decode(buffer, 8);

        assertEquals(config, decoded);
        assertEquals(config.hashCode(), decoded.hashCode());
        assertEquals(config.toString(), decoded.toString());
        assertEquals(1_700_000_000_123L, decoded.epochMs());
        assertEquals(1_048_576, decoded.wheelTickNs());
        assertEquals(1000, decoded.roomLimit());
        assertEquals(16, decoded.linkLimit());
        assertEquals(4000, decoded.timerLimit());
        assertEquals(8000, decoded.seatLimit());
        assertEquals(4, decoded.phaseGroups());
        assertEquals(2, decoded.types().size());
        assertEquals(new HostConfig.Type(9, 3, -1L, "arena"), decoded.types().get(1));
        assertEquals("0.1.0-abcdef", decoded.build());
    }

    @Test
    void shouldHoldTheLimitsOfALoop()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final HostConfig config = Logs.config().loopLimits(new LoopLimits(3, 8, 77, 5_000));
        assertNotEquals(Logs.config(), config);
        assertTrue(config.toString().contains("LoopLimits[loop=3, loops=8, openRequests=77, queueLength=5000]"));
        config.encode(buffer, 8);
        assertEquals(config, HostConfig.decode(buffer, 8));
        assertEquals(Logs.config(), config.alone());
        assertFalse(Logs.config().loopLimits().isKeeping());

        new LogHeaderEncoder().wrap(buffer, 8 + MessageHeaderDecoder.ENCODED_LENGTH).loops(3);
        assertThrows(IllegalArgumentException.class, () -> HostConfig.decode(buffer, 8), "loop 3 of 3");
    }

    @Test
    void shouldDistinguishConfigurations()
    {
        assertNotEquals(Logs.config(), Logs.config().epochMs(0));
        assertNotEquals(Logs.config(), Logs.config().wheelTickNs(0));
        assertNotEquals(Logs.config(), Logs.config().roomLimit(0));
        assertNotEquals(Logs.config(), Logs.config().linkLimit(0));
        assertNotEquals(Logs.config(), Logs.config().timerLimit(0));
        assertNotEquals(Logs.config(), Logs.config().seatLimit(0));
        assertNotEquals(Logs.config(), Logs.config().phaseGroups(0));
        assertNotEquals(Logs.config(), Logs.config().addType(1, 1, 1, ""));
        assertNotEquals(Logs.config(), Logs.config().build(""));
    }

    /** Versions of types that only one of them has are announced by reloads. */
    @Test
    void shouldKnowSettingsThatComputeTheSame()
    {
        final HostConfig config = Logs.config().loopLimits(new LoopLimits(0, 2, 7, 5_000));
        assertTrue(config.isLike(Logs.config().loopLimits(new LoopLimits(0, 2, 7, 5_000)).epochMs(0).build("")));
        assertFalse(config.isLike(Logs.config()));
        assertFalse(config.isLike(Logs.config().loopLimits(new LoopLimits(0, 3, 7, 5_000))));
        assertFalse(Logs.config().isLike(Logs.config().wheelTickNs(0)));
        assertFalse(Logs.config().isLike(Logs.config().roomLimit(0)));
        assertFalse(Logs.config().isLike(Logs.config().linkLimit(0)));
        assertFalse(Logs.config().isLike(Logs.config().timerLimit(0)));
        assertFalse(Logs.config().isLike(Logs.config().seatLimit(0)));
        assertFalse(Logs.config().isLike(Logs.config().phaseGroups(0)));
        assertFalse(Logs.config().isLike(Logs.config().addType(1, 1, 1, "")));
        final HostConfig type = new HostConfig().addType(9, 3, 77, "arena");
        assertTrue(type.isLike(new HostConfig().addType(9, 4, 78, "arena")), "another version");
        assertFalse(type.isLike(new HostConfig().addType(9, 3, 78, "arena")), "other limits of this version");
        assertFalse(type.isLike(new HostConfig().addType(8, 3, 77, "arena")), "another type");
        assertFalse(type.isLike(new HostConfig().addType(9, 3, 77, "lobby")), "another name");
    }

    @Test
    void shouldRefuseValuesThatALogCannotHold()
    {
        final HostConfig config = new HostConfig();
        final String typeName = "n".repeat(RoomCommands.MAX_TYPE_NAME_LENGTH);
        final String buildName = "n".repeat(RoomCommands.MAX_BUILD_LENGTH);
        assertThrows(IllegalArgumentException.class, () -> config.addType(1, 1, 1, typeName + "n"));
        assertThrows(IllegalArgumentException.class, () -> config.addType(1, 1, 1, "caf\u00E9"));
        assertThrows(IllegalArgumentException.class, () -> config.build(buildName + "n"));
        for (int i = 0; i < RoomCommands.MAX_LOG_TYPES; i++)
        {
            config.addType(i, 1, 1, typeName);
        }

        assertThrows(IllegalStateException.class, () -> config.addType(1, 1, 1, ""));

        final ByteSink sink = new ByteSink();
        new LogWriter(sink, config.build(buildName)).end();
        assertEquals(config, Logs.open(sink).config());
    }
}
