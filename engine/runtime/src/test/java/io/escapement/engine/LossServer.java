package io.escapement.engine;

import io.aeron.driver.status.SystemCounterDescriptor;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.CountersReader;

/** An engine with a room that checks the numbers of its players and sends each of them back, until a line is read. */
@RealTime("a process on a network that loses packets")
final class LossServer
{
    /** Then the id of the room. */
    static final String READY = "ready ";
    /** Then a number that the room did not expect. */
    static final String WRONG = "wrong ";
    /** Then the retransmits, after which the engine is closed. */
    static final String RETRANSMITS = "retransmits ";
    static final String NAKS = "naks ";
    static final int SEATS = 64;

    private static final int TYPE = 1;

    private LossServer()
    {
    }

    /** Runs on two endpoints: {ingress, response}. */
    public static void main(final String[] args) throws IOException
    {
        final EngineContext context = new EngineContext().loops(1)
            .roomType(RoomType.of(TYPE, "counting", 1, CountingRoom::new).seats(SEATS));
        try (TestEngine engine = new TestEngine(context, ThreadingMode.SHARED, args[0], args[1]);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)))
        {
            System.out.println(READY + engine.engine().openRoom(TYPE).roomId());
            in.readLine();
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

    private static final class CountingRoom implements RoomLogic
    {
        private final long[] lastBySeat = new long[SEATS];
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
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
            room.sendEvent(from, buffer, offset, length);
        }
    }
}
