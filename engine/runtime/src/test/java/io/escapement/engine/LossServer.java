package io.escapement.engine;

import io.aeron.driver.status.SystemCounterDescriptor;
import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.engine.spi.Authenticator;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.sync.SyncedRoom;
import io.escapement.rooms.sync.SyncedState;
import io.escapement.testsupport.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * An engine with rooms that check the numbers of their players and send each of them back. Their synchronised states
 * change in each frame, until a line has the room's id. An empty line closes the engine.
 */
@RealTime("a process on a network that loses packets")
final class LossServer
{
    /** Then the ids of the rooms. */
    static final String READY = "ready ";
    /** Then a number that the room did not expect. */
    static final String WRONG = "wrong ";
    /** Then the id of a room and its state, which does not change any more. */
    static final String STATE = "state ";
    /** Then the retransmits, after which the engine is closed. */
    static final String RETRANSMITS = "retransmits ";
    static final String NAKS = "naks ";
    static final SyncSchema SCHEMA;
    static final int IS_SETTLED;

    private static final int TYPE = 1;
    private static final int SEATS = 64;
    private static final int FRAME_HZ = 100;
    private static final int THINGS_LIMIT = 64;
    private static final int FRAME;
    private static final int THINGS;
    private static final int VALUE;

    static
    {
        final SyncSchema.Builder builder = SyncSchema.named("loss");
        FRAME = builder.field("frame", SyncSchema.Type.INT64);
        IS_SETTLED = builder.field("isSettled", SyncSchema.Type.BOOL);
        THINGS = builder.entities("things", THINGS_LIMIT);
        VALUE = builder.field("value", SyncSchema.Type.INT64);
        SCHEMA = builder.build();
    }

    private LossServer()
    {
    }

    /** Runs on two endpoints: {ingress, response, number of loops, number of rooms}. */
    public static void main(final String[] args) throws IOException
    {
        final EngineContext context = new EngineContext().loops(Integer.parseInt(args[2]))
            .roomType(RoomType.of(TYPE, "counting", 1, CountingRoom::new).seats(SEATS));
        // A busy machine must not have so few frames that every packet arrives.
        context.monitor().governor(false);
        context.trunks().secret(TestTrunk.SECRET, Authenticator.Verdict.TRUSTED.feed(true));
        try (TestEngine engine = new TestEngine(context, ThreadingMode.SHARED, args[0], args[1]);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)))
        {
            final Map<String, RoomHandle> roomByIdMap = new LinkedHashMap<>();
            for (int i = 0; i < Integer.parseInt(args[3]); i++)
            {
                final RoomHandle room = engine.engine().openRoom(TYPE);
                roomByIdMap.put(Long.toString(room.roomId()), room);
            }
            System.out.println(READY + String.join(" ", roomByIdMap.keySet()));
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine())
            {
                roomByIdMap.get(line).signal(new UnsafeBuffer(new byte[0]), 0, 0);
            }
            try (TestHost reader = TestHost.joining(engine.aeronDirectory()))
            {
                print(reader);
            }
        }
    }

    /** The counters of a driver that loss moves. */
    static void print(final TestHost host)
    {
        final CountersReader counters = host.aeron().countersReader();
        System.out.println(NAKS + counters.getCounterValue(SystemCounterDescriptor.NAK_MESSAGES_SENT.id()));
        System.out.println(RETRANSMITS + counters.getCounterValue(SystemCounterDescriptor.RETRANSMITS_SENT.id()));
    }

    /** The same for a state and its copy. */
    static String summary(final long roomId, final SyncedCopy copy)
    {
        return summary(roomId, copy.longValue(FRAME, 0), (row) -> copy.isPresent(THINGS, row) ?
            thing(copy.generation(THINGS, row), copy.longValue(VALUE, row)) : 0);
    }

    private static String summary(final long roomId, final SyncedState state)
    {
        return summary(roomId, state.longValue(FRAME, 0), (row) -> state.isPresent(THINGS, row) ?
            thing(state.generation(THINGS, row), state.longValue(VALUE, row)) : 0);
    }

    private static String summary(final long roomId, final long frame, final IntToLongFunction thing)
    {
        return roomId + " of frame " + frame + ", hash " +
            Arrays.hashCode(IntStream.range(0, THINGS_LIMIT).mapToLong(thing).toArray());
    }

    private static long thing(final int generation, final long value)
    {
        return ((long)generation << Integer.SIZE) + value + 1;
    }

    private static final class CountingRoom extends SyncedRoom
    {
        private final long[] lastBySeat = new long[SEATS];
        private boolean isSettled;

        CountingRoom()
        {
            super(SCHEMA, FRAME_HZ);
        }

        @Override
        protected void frame(final long frame, final long elapsedNs)
        {
            if (!isSettled)
            {
                state().set(FRAME, frame);
                change(room().random().nextInt(THINGS_LIMIT), frame);
            }
        }

        /** One thing in a frame, so that a copy without this frame is wrong for long. */
        private void change(final int row, final long frame)
        {
            if (!state().isPresent(THINGS, row))
            {
                state().add(THINGS);
            }
            else if (0 == room().random().nextInt(4))
            {
                state().remove(THINGS, row);
            }
            else
            {
                state().set(VALUE, row, frame);
            }
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            isSettled = true;
            state().set(IS_SETTLED, 1);
            System.out.println(STATE + summary(room().roomId(), state()));
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final long number = buffer.getLong(offset);
            if (number != ++lastBySeat[from.index()])
            {
                System.out.println(WRONG + number + " of seat " + from.index() + " in place of " +
                    lastBySeat[from.index()]);
            }
            room().sendEvent(from, buffer, offset, length);
        }
    }
}
