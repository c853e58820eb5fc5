package io.escapement.rooms;

import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.RoomLayout;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class MessageHandlersTest
{
    private static final int AT = 16;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final List<String> handled = new ArrayList<>();

    @Test
    void shouldCallTheHandlerOfAMessage()
    {
        final MessageHandlers<String> handlers = new MessageHandlers<String>()
            .on(new KickDecoder(), (from, kick) -> handled.add(from + " kicks " + kick.playerId()));
        final int length = encoder.kick(buffer, AT, 1, 77, 1_024);
        assertEquals(0, handlers.onMessage("ann", buffer, AT, length));
        assertEquals(List.of("ann kicks 77"), handled);
    }

    @Test
    void shouldTakeAMessageThatFillsItsBuffer()
    {
        final MessageHandlers<String> handlers = new MessageHandlers<String>()
            .on(new KickDecoder(), (from, kick) -> handled.add(from + " kicks " + kick.playerId()));
        final int length = encoder.kick(buffer, AT, 1, 77, 1_024);
        final UnsafeBuffer exact = new UnsafeBuffer(buffer, AT, length);
        assertEquals(0, handlers.onMessage("ann", exact, 0, length));
        assertEquals(List.of("ann kicks 77"), handled);
        for (final int offset : new int[]{-1, 1, Integer.MAX_VALUE})
        {
            assertEquals(RefusalCode.TOO_SHORT.value(), handlers.onMessage("ann", exact, offset, length));
        }
    }

    @Test
    void shouldRefuseInvalidMessages()
    {
        final MessageHandlers<String> handlers = new MessageHandlers<String>()
            .on(new KickDecoder(), (from, kick) -> handled.add("kick"))
            .on(new JoinDecoder(), (from, join) -> handled.add("join"));
        final int length = encoder.kick(buffer, AT, 1, 77, 1_024);
        for (int cut = 0; cut < length; cut++)
        {
            assertEquals(RefusalCode.TOO_SHORT.value(), handlers.onMessage("ann", buffer, AT, cut), "cut to " + cut);
        }
        assertEquals(RefusalCode.TRAILING_BYTES.value(), handlers.onMessage("ann", buffer, AT, length + 1));
        assertEquals(RefusalCode.UNKNOWN_MESSAGE.value(),
            handlers.onMessage("ann", buffer, AT, encoder.drain(buffer, AT, 1)));
        // Without rules the data of a join has no limit.
        assertEquals(RefusalCode.TRAILING_BYTES.value(),
            handlers.onMessage("ann", buffer, AT, encoder.join(buffer, AT, 1, 2, 3, 4, true, buffer, 0, 5)));
        assertEquals(List.of(), handled);
    }

    @Test
    void shouldAcceptDataWithinTheRules()
    {
        final MessageHandlers<String> handlers = new MessageHandlers<String>(RoomLayout.RULES)
            .on(new JoinDecoder(), (from, join) -> handled.add("join of " + join.argsLength()));
        assertEquals(0, handlers.onMessage("ann", buffer, AT, encoder.join(buffer, AT, 1, 2, 3, 4, buffer, 0, 5)));
        assertEquals(List.of("join of 5"), handled);
        assertThrows(IllegalArgumentException.class, () -> handlers.on(new JoinDecoder(), (from, join) -> { }));
    }
}
