package io.escapement.perf.ingress;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.TrunkServerContext;
import io.escapement.perf.process.Parent;
import io.escapement.perf.process.PerfDriver;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;

/** The process that counts, all of it in one busy thread. It ends when its standard input does. */
public final class IngressServer
{
    static final byte[] SECRET = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    static final int STREAM_ID = 1;
    static final int TYPE_ID = 1;
    static final long ROOM_ID = 1;
    private static final int FRAGMENT_LIMIT = 64;
    private static final int TERM_LENGTH = 1024 * 1024;
    private static final int WINDOW = 128 * 1024;
    /** More than any sender can send. */
    private static final int NO_LIMIT = 100_000_000;
    private static final String IDLE = "busy";

    private IngressServer()
    {
    }

    /**
     * Run it.
     *
     * @param arguments of {@link IngressOptions}.
     */
    public static void main(final String[] arguments)
    {
        final IngressOptions options = IngressOptions.of(arguments);
        if (options.isRaw())
        {
            raw(options);
        }
        else
        {
            engine(options);
        }
    }

    private static void engine(final IngressOptions options)
    {
        final Receiver receiver = new Receiver(options);
        final EngineContext context = new EngineContext()
            .roomType(RoomType.of(TYPE_ID, "receive", 1, () -> new ReceivingRoom(receiver)).timers(0))
            .threadingMode(ThreadingMode.SOLO)
            .idle(Idle.BUSY)
            .loops(1)
            .driverContext(PerfDriver.context(options.directory(), io.aeron.driver.ThreadingMode.INVOKER, IDLE))
            .trunks(new TrunkServerContext()
                .udp(options.serverEndpoint(), options.responseEndpoint())
                .termLength(TERM_LENGTH)
                .largestFrame(WINDOW / 2)
                .limit(1)
                .rates(NO_LIMIT, NO_LIMIT)
                .secret(SECRET, true));
        try (Engine engine = Engine.launch(context))
        {
            if (ROOM_ID != engine.openRoom(TYPE_ID).roomId())
            {
                throw new IllegalStateException("the first room is not " + ROOM_ID);
            }
            Parent.tell("READY");
            Parent.awaitEnd();
        }
    }

    private static void raw(final IngressOptions options)
    {
        final Receiver receiver = new Receiver(options);
        try (MediaDriver driver = MediaDriver.launch(PerfDriver.context(
                options.directory(), io.aeron.driver.ThreadingMode.INVOKER, IDLE));
            Aeron aeron = PerfDriver.connect(options.directory(), driver.sharedAgentInvoker()))
        {
            // The window is the engine's as well.
            final Subscription requests = aeron.addSubscription(
                "aeron:udp?endpoint=" + options.serverEndpoint() + "|rcv-wnd=" + WINDOW, STREAM_ID);
            final Thread thread = new Thread(
                () -> receive(driver.sharedAgentInvoker(), aeron, requests, receiver), "raw-ingress");
            thread.start();
            Parent.tell("READY");
            Parent.awaitEnd();
            thread.interrupt();
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void receive(
        final AgentInvoker driver, final Aeron aeron, final Subscription requests, final Receiver receiver)
    {
        final FragmentHandler handler = (buffer, offset, length, header) -> receiver.receive(buffer, offset);
        while (!Thread.currentThread().isInterrupted())
        {
            PerfDriver.invoke(driver);
            aeron.conductorAgentInvoker().invoke();
            requests.poll(handler, FRAGMENT_LIMIT);
        }
    }

    private static final class ReceivingRoom implements RoomLogic
    {
        private final Receiver receiver;

        ReceivingRoom(final Receiver receiver)
        {
            this.receiver = receiver;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            // It needs nothing of its room.
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            receiver.receive(buffer, offset);
        }
    }
}
