package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.loop.LoopLimits;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A node refuses a log of nodes with other settings, formats or messages, and names both. */
class ReplicaSettingsTest
{
    private static final int SCHEMA_VERSION_OFFSET = 6;

    private final ReplicaSettings settings = new ReplicaSettings(1);
    private UnsafeBuffer message;

    @BeforeEach
    void register()
    {
        message = new UnsafeBuffer(settings.register(0, header(64), false));
    }

    @Test
    void shouldTakeItsOwnSettings()
    {
        assertTrue(onCommitted());
    }

    @Test
    void shouldNameAnotherFormat()
    {
        for (final int version : new int[]{0, 2, 3})
        {
            message.putInt(message.capacity() - Integer.BYTES, version);
            assertEquals("the log has format version " + version + ", supported is 1", refusal());
        }
    }

    @Test
    void shouldNameAnotherVersionOfTheMessages()
    {
        message.putShort(SCHEMA_VERSION_OFFSET, (short)1);
        assertEquals("the log has a message of version 1 of room.xml, this build reads version 0", refusal());
    }

    @Test
    void shouldNameOtherSettings()
    {
        message = new UnsafeBuffer(new ReplicaSettings(1).register(0, header(65), false));
        final String refusal = refusal();
        assertTrue(refusal.startsWith("the log is of hosts with other settings: it has "), refusal);
    }

    private static HostConfig header(final int rooms)
    {
        return new HostConfig().roomLimit(rooms).loopLimits(new LoopLimits(0, 1, 16, LoopLimits.MIN_QUEUE_LENGTH));
    }

    private boolean onCommitted()
    {
        return settings.onCommitted(message, 0, message.capacity());
    }

    private String refusal()
    {
        return assertThrows(IllegalStateException.class, this::onCommitted).getMessage();
    }
}
