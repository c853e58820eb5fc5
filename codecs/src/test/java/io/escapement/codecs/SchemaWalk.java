package io.escapement.codecs;

import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.RefusalDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Passes every message of a schema, and two with ids that it does not have, to a dispatcher. The ids are read from the
 * schema, and what a dispatcher must list from the ranges of ids, so that a new message needs no change of a test.
 */
public final class SchemaWalk
{
    /** Switches over template ids. */
    public interface Dispatcher
    {
        void dispatch(UnsafeBuffer message, int length);
    }

    private final Shapes shapes;
    private final boolean isRoom;

    public SchemaWalk(final String schema)
    {
        shapes = new Shapes(schema);
        isRoom = "room.xml".equals(schema);
    }

    public List<Integer> everyId()
    {
        return shapes.everyId();
    }

    /** Whether the schema has an id that is at least the first and below the end. */
    public boolean has(final int id, final int first, final int end)
    {
        return shapes.byTemplate.containsKey(id) && id >= first && id < end;
    }

    /** The shortest valid message. */
    public byte[] message(final int id)
    {
        return isRoom && LoopCommandDecoder.TEMPLATE_ID == id ? carrying(shapes.shortest(RefusalDecoder.TEMPLATE_ID)) :
            shapes.shortest(id);
    }

    /** Whether rooms send each other such commands: a LoopCommand carries no other. */
    public boolean isBetweenRooms(final int id)
    {
        final byte[] carrying = carrying(shapes.shortest(id));
        return 0 == RoomCommands.validateCommand(new UnsafeBuffer(carrying), 0, carrying.length);
    }

    /** Ids that are not listed must be refused by an exception that names them. */
    public void walk(final IntPredicate isListed, final Dispatcher to)
    {
        for (final int id : everyId())
        {
            final byte[] message = message(id);
            final UnsafeBuffer buffer = new UnsafeBuffer(message);
            if (isListed.test(id))
            {
                to.dispatch(buffer, message.length);
            }
            else
            {
                final Throwable refusal = assertThrows(
                    IllegalStateException.class, () -> to.dispatch(buffer, message.length), "template " + id);
                assertEquals("template " + id, refusal.getMessage().replaceFirst(".*: ", ""));
            }
        }
    }

    private byte[] carrying(final byte[] command)
    {
        final byte[] loopCommand = shapes.shortest(LoopCommandDecoder.TEMPLATE_ID);
        final byte[] whole = Arrays.copyOf(loopCommand, loopCommand.length + command.length);
        whole[loopCommand.length - Short.BYTES] = (byte)command.length;
        System.arraycopy(command, 0, whole, loopCommand.length, command.length);
        return whole;
    }
}
