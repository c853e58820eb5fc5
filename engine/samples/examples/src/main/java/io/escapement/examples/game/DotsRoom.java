package io.escapement.examples.game;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.sync.SyncedRoom;
import org.agrona.DirectBuffer;
import static io.escapement.codecs.sync.SyncSchema.Type.UINT16;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Each player is a dot in a square field. A dot that touches the coin scores, and the coin moves.
 *
 * <pre>
 *   from the page   uint16 x, uint16 y     move the own dot
 *   to the page     the state
 * </pre>
 */
final class DotsRoom extends SyncedRoom
{
    static final int TYPE_ID = 1;
    static final int SEATS = 16;
    /** Positions are below it. */
    static final int FIELD = 1_000;
    static final int MOVE_LENGTH = 2 * Short.BYTES;
    /** Refusal of a message that is no position in the field. */
    static final int BAD_MOVE = FIRST_APPLICATION_CODE;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("dots");
    static final int COIN_X = BUILDER.field("coinX", UINT16);
    static final int COIN_Y = BUILDER.field("coinY", UINT16);
    static final int DOTS = BUILDER.seats("dots", SEATS);
    static final int X = BUILDER.field("x", UINT16);
    static final int Y = BUILDER.field("y", UINT16);
    static final int SCORE = BUILDER.field("score", UINT16);
    static final SyncSchema SCHEMA = BUILDER.build();

    private static final int FRAME_RATE = 30;
    private static final int REACH = 20;

    DotsRoom()
    {
        super(SCHEMA, FRAME_RATE);
    }

    static RoomType type()
    {
        return RoomType.of(TYPE_ID, "dots", 1, DotsRoom::new).seats(SEATS).schema(SCHEMA);
    }

    @Override
    protected void opened(final DirectBuffer args, final int offset, final int length)
    {
        moveCoin();
    }

    @Override
    protected void joined(final Seat seat)
    {
        state().set(X, seat.index(), FIELD / 2);
        state().set(Y, seat.index(), FIELD / 2);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final Room room = room();
        final int x = MOVE_LENGTH == length ? Short.toUnsignedInt(buffer.getShort(offset, LITTLE_ENDIAN)) : FIELD;
        final int y = MOVE_LENGTH == length ?
            Short.toUnsignedInt(buffer.getShort(offset + Short.BYTES, LITTLE_ENDIAN)) : FIELD;
        if (x >= FIELD || y >= FIELD)
        {
            room.refuse(from, BAD_MOVE);
            return;
        }
        final int dot = from.index();
        state().set(X, dot, x);
        state().set(Y, dot, y);
        if (Math.abs(x - state().longValue(COIN_X, 0)) < REACH && Math.abs(y - state().longValue(COIN_Y, 0)) < REACH)
        {
            state().set(SCORE, dot, Math.min(state().longValue(SCORE, dot) + 1, Short.MAX_VALUE));
            moveCoin();
        }
    }

    private void moveCoin()
    {
        state().set(COIN_X, REACH + room().random().nextInt(FIELD - 2 * REACH));
        state().set(COIN_Y, REACH + room().random().nextInt(FIELD - 2 * REACH));
    }
}
