package io.escapement.engine.internal.edge;

import com.lmax.disruptor.EventPoller;
import io.aeron.Aeron;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.LoopLeadership;
import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.monitor.TrunkReport;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The edge's duty cycle: poll the loops' streams, then the edge's inbox, then control streams, then keep house. The
 * Aeron client's conductor is invoked here. Images, publications and trunks therefore change only in this thread.
 */
public final class EdgeAgent implements Agent
{
    /** Interval at which control streams are polled: often enough for a handshake, too rarely to cost the loops. */
    static final long CONTROL_NS = TimeUnit.MICROSECONDS.toNanos(50);
    static final long HOUSEKEEPING_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long COUNTER_COPY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int SIGNALS_PER_TURN = 64;

    private final EdgeTransport transport;
    private final EngineClock time;
    /** The time of the duty cycle, read once. */
    private final CachedNanoClock clock = new CachedNanoClock();
    private final EdgeCounters counters;
    private final Runnable counterCopier;
    private final Trunks trunks;
    private final Standbys standbys;
    private final Handshakes handshakes;
    private final LogIns logIns;
    private final ControlAdapter controlAdapter;
    private final IngressAdapter[] ingresses;
    private final Directory directory;
    private final RoomOpener roomOpener;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DirectoryEntryDecoder change = new DirectoryEntryDecoder();
    private final SubscribeDecoder subscribe = new SubscribeDecoder();
    private final RoomPlacement placement;
    private final CommandQueue edgeInbox;
    private final EventPoller.Handler<CommandQueue.Slot> signalHandler = this::onSignal;
    private long housekeptNs;
    private long controlPolledNs;
    private long countersCopiedNs;
    private int signalsLeft;
    private EdgeRole role;
    private boolean isStopping;
    private boolean isReleased;
    private volatile boolean isStopped;

    /**
     * Make an edge and subscribe to its streams.
     *
     * @param context with the collaborators.
     * @param aeron   client in invoker mode.
     */
    public EdgeAgent(final EdgeContext context, final Aeron aeron)
    {
        this(context, new AeronTransport(aeron, context));
    }

    EdgeAgent(final EdgeContext context, final EdgeTransport transport)
    {
        this.transport = transport;
        time = context.time();
        counters = context.counters();
        counterCopier = context.counterCopier();
        final EdgeContext.Queues queues = context.queues();
        edgeInbox = queues.edgeInbox();
        placement = context.placement();
        directory = new Directory(queues.inboxes(), context.placement());
        roomOpener = new RoomOpener(queues.inboxes(), context.placement(), context.executors().placement(), time);
        final ControlProxy proxy = new ControlProxy(context);
        clock.update(time.nowNs());
        trunks = new Trunks(context, transport, proxy, clock);
        standbys = new Standbys(context, proxy, clock);
        handshakes = new Handshakes(context, trunks, standbys, proxy, clock);
        logIns = new LogIns(context, proxy, clock);
        controlAdapter = new ControlAdapter(handshakes, trunks, logIns, proxy, clock, counters);
        ingresses = new IngressAdapter[queues.rings().length];
        transport.subscribe(TrunkMessages.CONTROL_STREAM_ID, handshakes);
        for (int i = 0; i < ingresses.length; i++)
        {
            ingresses[i] = new IngressAdapter(i, context, trunks, standbys, logIns, proxy, clock);
            transport.subscribe(TrunkMessages.loopStreamId(i), ingresses[i]);
        }
    }

    /**
     * Refuse trunks until all loops lead, where the loops have logs. Before the edge runs.
     *
     * @param leadership to keep up to date.
     */
    public void follow(final Leadership leadership)
    {
        role = new EdgeRole(leadership, ingresses.length, trunks, handshakes, roomOpener, directory, placement);
        signalsLeft = edgeInbox.capacity();
        edgeInbox.poll(signalHandler);
    }

    @Override
    public String roleName()
    {
        return "escapement-edge";
    }

    @Override
    public int doWork()
    {
        final long nowNs = time.nowNs();
        clock.update(nowNs);
        int work = 0;
        for (final IngressAdapter ingress : ingresses)
        {
            work += ingress.poll();
        }
        if (!edgeInbox.isEmpty())
        {
            signalsLeft = SIGNALS_PER_TURN;
            edgeInbox.poll(signalHandler);
            work++;
        }
        if (nowNs - controlPolledNs >= CONTROL_NS)
        {
            controlPolledNs = nowNs;
            work += logIns.poll(nowNs);
            work += roomOpener.poll();
            work += handshakes.poll(controlAdapter);
        }
        if (nowNs - housekeptNs >= HOUSEKEEPING_NS)
        {
            housekeptNs = nowNs;
            work += housekeep(nowNs);
        }
        return work;
    }

    /**
     * Whether the edge has stopped and released every trunk. Any thread.
     *
     * @return as of the last housekeeping.
     */
    public boolean isStopped()
    {
        return isStopped;
    }

    /**
     * Resources of trunks that were not released. Only after the edge's thread has exited.
     *
     * @return the number of link numbers, attachments, log-ins, handshakes, standby streams and response publications.
     */
    public int held()
    {
        return trunks.held() + handshakes.held() + standbys.held();
    }

    /**
     * Rooms that the directory still lists. Only after the edge's thread has exited.
     *
     * @return the number of rooms.
     */
    public int rooms()
    {
        return directory.rooms();
    }

    /** Reports of all trunks. In the edge's thread, from an inspection. */
    public List<TrunkReport> trunks()
    {
        return trunks.report();
    }

    /**
     * Void the tokens of players. In the edge's thread, from an inspection.
     *
     * @param playerIds of the players.
     */
    public void endLogIns(final long[] playerIds)
    {
        logIns.end(playerIds);
    }

    /** Calls of the application's code. Each may block, and holds only the calls of its kind. */
    public List<UserCall> userCalls()
    {
        return List.of(handshakes.authenticatorCall(), roomOpener.placementCall(), logIns.serviceCall());
    }

    @Override
    public void onClose()
    {
        // Streams that end now have destinations of feeds.
        transport.close();
        trunks.closeFeeds();
    }

    /** Handshakes between Hello and Welcome. */
    int handshakes()
    {
        return handshakes.underWay();
    }

    /** Images of clients, on all streams. */
    int sessions()
    {
        int sessions = handshakes.sessions();
        for (final IngressAdapter ingress : ingresses)
        {
            sessions += ingress.sessions();
        }
        return sessions;
    }

    private int housekeep(final long nowNs)
    {
        int work = transport.invoke();
        if (transport.isClosed())
        {
            // The client's memory is unmapped with the driver: touching a publication now would crash the JVM.
            throw new AgentTerminationException("the media driver is gone");
        }
        if (nowNs - countersCopiedNs >= COUNTER_COPY_NS)
        {
            countersCopiedNs = nowNs;
            counterCopier.run();
        }
        handshakes.housekeep();
        work += trunks.housekeep();
        standbys.housekeep();
        work += directory.publish();
        work += roomOpener.housekeep();
        // A driver that this thread runs sends the last replies in between.
        final boolean wasReleased = isReleased;
        isReleased = isStopping && 0 == held() && edgeInbox.isEmpty();
        isStopped = isReleased && wasReleased;
        for (final IngressAdapter ingress : ingresses)
        {
            ingress.housekeep();
        }
        return work;
    }

    private boolean onSignal(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        final UnsafeBuffer block = edgeInbox.block();
        final int offset = slot.offset;
        switch (slot.signal())
        {
            case ATTACHED ->
                trunks.onAttached(block.getInt(offset), block.getInt(offset + Integer.BYTES));
            case DETACHED ->
                trunks.onDetached(block.getInt(offset), block.getInt(offset + Integer.BYTES));
            case SLOW -> trunks.onSlow(block.getInt(offset + Integer.BYTES));
            case LEADING ->
            {
                role.onLeading((LoopLeadership)slot.takeAttachment());
            }
            case FOLLOWING -> role.onFollowing(block.getInt(offset), block.getInt(offset + Integer.BYTES));
            case INSPECT ->
            {
                @SuppressWarnings("unchecked")
                final Consumer<EdgeAgent> inspection = (Consumer<EdgeAgent>)slot.takeAttachment();
                inspection.accept(this);
            }
            case DRAIN ->
            {
                roomOpener.stop();
                handshakes.drain();
            }
            case STOP ->
            {
                isStopping = true;
                handshakes.stop();
                trunks.stop(TrunkCode.ENGINE_STOPPING);
            }
            case COMMAND -> onCommand(block, offset);
            default -> throw new IllegalStateException("no signal to the edge: " + slot.signal());
        }
        return --signalsLeft > 0;
    }

    private void onCommand(final UnsafeBuffer block, final int offset)
    {
        switch (header.wrap(block, offset).templateId())
        {
            case OpenRoomDecoder.TEMPLATE_ID -> roomOpener.open(block, offset);
            case SubscribeDecoder.TEMPLATE_ID ->
                directory.subscribe(subscribe.wrapAndApplyHeader(block, offset, header).roomId(), false);
            case DirectoryEntryDecoder.TEMPLATE_ID ->
                directory.onChange(change.wrapAndApplyHeader(block, offset, header));
            default -> throw new IllegalStateException("no command to the edge: template " + header.templateId());
        }
    }
}
