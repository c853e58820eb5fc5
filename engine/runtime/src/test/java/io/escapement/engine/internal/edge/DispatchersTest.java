package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.engine.internal.queue.ControlSignal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every id of the schemas, and two that they do not have, through every dispatcher of the edge. */
class DispatchersTest
{
    private static final Set<ControlSignal> TO_THE_EDGE = EnumSet.of(
        ControlSignal.COMMAND, ControlSignal.ATTACHED, ControlSignal.DETACHED, ControlSignal.SLOW,
        ControlSignal.LEADING, ControlSignal.FOLLOWING, ControlSignal.INSPECT, ControlSignal.DRAIN, ControlSignal.STOP);

    private static final int MAX_CHANGE = 255;

    private final SchemaWalk trunk = new SchemaWalk("trunk.xml");
    private final SchemaWalk room = new SchemaWalk("room.xml");

    @Test
    void shouldTakeEveryEntryOfALoopStreamAndRefuseTheRest()
    {
        for (final int id : trunk.everyId())
        {
            final SteppedEdge edge = new SteppedEdge();
            final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge).attached(0, 0);
            image.send(batch(trunk.message(id)));
            edge.step();
            final int[] slots = new int[1];
            edge.rings[0].poll((slot, sequence, isEndOfBatch) -> 0 <= slots[0]++);
            if (trunk.has(id, 1, TrunkMessages.FIRST_CONTROL_REQUEST))
            {
                assertFalse(edge.refusals().contains("UNKNOWN_TEMPLATE"), "template " + id);
                assertFalse(edge.refusals().contains("WRONG_STREAM"), "template " + id);
                continue;
            }
            assertEquals(List.of(trunk.has(id, 1, Integer.MAX_VALUE) ? "WRONG_STREAM" : "UNKNOWN_TEMPLATE"),
                edge.refusals(), "template " + id);
            assertEquals(0, slots[0], "template " + id);
        }
    }

    @Test
    void shouldTakeEveryRequestOfTheControlStreamAndRefuseTheRest()
    {
        for (final int id : trunk.everyId())
        {
            final SteppedEdge edge = new SteppedEdge();
            final SteppedClient client = SteppedClient.welcomed(edge);
            client.send(batch(trunk.message(id)));
            if (trunk.has(id, TrunkMessages.FIRST_CONTROL_REQUEST, TrunkMessages.FIRST_CONTROL_REPLY))
            {
                assertFalse(edge.refusals().contains("UNKNOWN_TEMPLATE"), "template " + id);
                assertFalse(edge.refusals().contains("WRONG_STREAM"), "template " + id);
                continue;
            }
            assertEquals(List.of(trunk.has(id, 1, Integer.MAX_VALUE) ? "WRONG_STREAM" : "UNKNOWN_TEMPLATE"),
                edge.refusals(), "template " + id);
            assertEquals(List.of(), client.takeReplies(), "template " + id);
        }
    }

    @Test
    void shouldRefuseACommandToTheEdgeThatIsNone()
    {
        room.walk((id) -> OpenRoomDecoder.TEMPLATE_ID == id || DirectoryEntryDecoder.TEMPLATE_ID == id ||
                RequestDecoder.TEMPLATE_ID != id &&
                room.has(id, RoomCommands.FIRST_REQUEST_TEMPLATE_ID, RoomCommands.FIRST_LOG_TEMPLATE_ID),
            (message, length) ->
            {
                final SteppedEdge edge = new SteppedEdge();
                assertTrue(edge.edgeInbox.offer(ControlSignal.COMMAND, null, message, 0, length));
                stepInbox(edge);
            });
    }

    @Test
    void shouldRefuseAChangeOfTheDirectoryThatIsNone()
    {
        final UnsafeBuffer message = new UnsafeBuffer(room.message(DirectoryEntryDecoder.TEMPLATE_ID));
        final int at = MessageHeaderDecoder.ENCODED_LENGTH + DirectoryEntryDecoder.changeEncodingOffset();
        for (int change = 0; change <= MAX_CHANGE; change++)
        {
            final DirectoryChange known = DirectoryChange.get((short)change);
            message.putByte(at, (byte)change);
            final SteppedEdge edge = new SteppedEdge();
            assertTrue(edge.edgeInbox.offer(ControlSignal.COMMAND, null, message, 0, message.capacity()));
            if (DirectoryChange.SBE_UNKNOWN != known && DirectoryChange.NULL_VAL != known)
            {
                stepInbox(edge);
                continue;
            }
            final Throwable refusal = assertThrows(
                IllegalStateException.class, () -> stepInbox(edge), "change " + change);
            assertEquals("no change of the directory: " + known, refusal.getMessage());
        }
    }

    @Test
    void shouldRefuseASignalToTheEdgeThatIsNone()
    {
        for (final ControlSignal signal : ControlSignal.values())
        {
            if (!TO_THE_EDGE.contains(signal))
            {
                final SteppedEdge edge = new SteppedEdge();
                edge.signal(signal);
                final Throwable refusal = assertThrows(
                    IllegalStateException.class, () -> stepInbox(edge), signal.name());
                assertEquals("no signal to the edge: " + signal, refusal.getMessage());
            }
        }
    }

    /** Without the exception of the queue around that of its handler. */
    private static void stepInbox(final SteppedEdge edge)
    {
        try
        {
            edge.step();
        }
        catch (final IllegalStateException ex)
        {
            throw ex.getCause() instanceof IllegalStateException cause ? cause : ex;
        }
    }

    private static byte[] batch(final byte[] message)
    {
        return ByteBuffer.allocate(TrunkMessages.ENTRY_HEADER_LENGTH + message.length).order(ByteOrder.LITTLE_ENDIAN)
            .putShort(0, (short)message.length).put(TrunkMessages.ENTRY_HEADER_LENGTH, message).array();
    }
}
