package io.escapement.perf.loopback;

import io.escapement.perf.rig.BareServer;
import io.escapement.perf.rig.BareTransport;
import io.escapement.perf.rig.ClientHost;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.EngineTransport;
import io.escapement.perf.rig.LoopbackGame;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.Transport;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.server.Game;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * The processes of {@code ingress}: a client sends 64-byte messages as fast as they are accepted, and a server counts
 * them. The engine's server is one thread with its media driver, as is bare Aeron's.
 */
public final class Ingress extends LoadClient<IngressPlan>
{
    /** Subject: messages into bare Aeron, unbatched. */
    public static final String RAW = "raw";
    /** Subject: commands to a room, each sent separately. */
    public static final String SINGLE = "single";
    /** Subject: commands to a room, batched. */
    public static final String BATCHED = "batched";
    /** Idle strategy of both processes. */
    public static final String IDLE = "busy";

    private static final int TYPE_ID = 1;
    private static final long END_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int BURST = 256;
    /** The part that a message belongs to, after its sequence. */
    private static final int PART = Long.BYTES;
    private static final int END = -1;

    private int parts;
    private boolean isEnded;

    private Ingress(final IngressPlan plan, final Control control)
    {
        super(plan, control, BURST, 0, MessageCounter.MESSAGE_LENGTH);
    }

    /** Run the server process of bare Aeron. */
    public static void serve(final IngressPlan plan, final Control control)
    {
        final Counter counter = new Counter(plan, control);
        BareServer.run(
            control, plan, "solo", IDLE, (buffer, offset, length, header) -> counter.receive(buffer, offset));
    }

    /** The game of an engine's server process. */
    public static Game game(final IngressPlan plan)
    {
        return new LoopbackGame(plan, (control) ->
        {
            final Counter counter = new Counter(plan, control);
            return RoomType.of(TYPE_ID, "receive", 1, () -> counter).timers(0);
        }, IDLE);
    }

    /** Run the client process. */
    public static void send(final IngressPlan plan, final Control control)
    {
        new Ingress(plan, control).run(!RAW.equals(plan.subject));
    }

    @Override
    Transport open(final ClientHost host)
    {
        return RAW.equals(plan.subject) ? new BareTransport(host.aeron(), plan, null) :
            new EngineTransport(host.aeron(), plan, BATCHED.equals(plan.subject), null);
    }

    @Override
    void part(final int durationMs)
    {
        startPart(durationMs);
        message.putInt(PART, ++parts);
        rig.run(System.nanoTime(), 0, Long.MAX_VALUE, TimeUnit.MILLISECONDS.toNanos(durationMs),
            (number, plannedNs) -> send(MessageCounter.write(message, sent)));
        control.send(control.meter().stop()
            .put(MessageCounter.SENT, sent).put(MessageCounter.SENT_SUM, sentSum), plan.results);
    }

    @Override
    void end()
    {
        message.putInt(PART, END);
        rig.await(() -> isEnded() || transport.send(message, message.capacity()), END_NS);
        rig.await(() -> isEnded() || transport.flush(), END_NS);
        // Keep running until the tool has the server's results: the server may still need retransmissions.
        rig.await(this::isEnded, Long.MAX_VALUE);
    }

    private boolean isEnded()
    {
        isEnded = isEnded || Control.END_OF_INPUT.equals(control.poll());
        return isEnded;
    }

    /** Counts in the server's thread, for the engine as a room, and reports after the last message. */
    private static final class Counter implements RoomLogic
    {
        private final IngressPlan plan;
        private final Control control;
        private final MessageCounter messages;
        private int part;

        Counter(final IngressPlan plan, final Control control)
        {
            this.plan = plan;
            this.control = control;
            messages = new MessageCounter(TimeUnit.MILLISECONDS.toNanos(plan.measureMs));
        }

        void receive(final DirectBuffer buffer, final int offset)
        {
            final int messagePart = buffer.getInt(offset + PART);
            if (messagePart != part)
            {
                part = messagePart;
                if (END == part)
                {
                    control.send(messages.measurements().addAll(control.meter().stop()), plan.results);
                    return;
                }
                messages.restart();
            }
            messages.receive(buffer, offset);
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            // The room is not used.
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            receive(buffer, offset);
        }
    }
}
