package io.escapement.engine.internal.edge;

import com.lmax.disruptor.EventPoller;
import io.aeron.Aeron;
import io.aeron.Subscription;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The edge: polls control streams and loop streams, and looks after trunks. The Aeron client's conductor is invoked
 * here, so that images come and go, and publications are made and closed, in this one thread.
 */
public final class EdgeAgent implements Agent
{
    private static final long COPY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long HOUSEKEEPING_NS = 1_000_000;
    /** Control streams can wait a little, so that they cost the loops' streams nothing. */
    private static final long CONTROL_NS = 50_000;
    private static final int NOTICES_PER_TURN = 64;
    private static final int CONNECTIONS_PER_TURN = 16;

    private final EdgeContext context;
    private final Aeron aeron;
    private final AgentInvoker conductor;
    private final Trunks trunks;
    private final ControlAdapter controlAdapter;
    private final IngressAdapter[] ingresses;
    private final Directory directory;
    private final RoomOpener roomOpener;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DirectoryEntryDecoder change = new DirectoryEntryDecoder();
    private final SubscribeDecoder subscribe = new SubscribeDecoder();
    private final ArrayList<Subscription> subscriptions = new ArrayList<>();
    private final CommandQueue edgeInbox;
    private final EventPoller.Handler<CommandQueue.Slot> noticeHandler = this::onNotice;
    private long housekeptNs;
    private long controlPolledNs;
    private long copiedNs;
    private int nextConnection;
    private int noticesLeft;
    private boolean isStopping;
    private volatile boolean isStopped;

    /**
     * Make an edge and open its streams.
     *
     * @param context what it is made of.
     * @param aeron   with a conductor that is invoked.
     */
    public EdgeAgent(final EdgeContext context, final Aeron aeron)
    {
        this.context = context;
        this.aeron = aeron;
        conductor = aeron.conductorAgentInvoker();
        edgeInbox = context.edgeInbox();
        trunks = new Trunks(context, aeron);
        directory = new Directory(context.inboxes(), context.placement());
        roomOpener = new RoomOpener(context.inboxes(), context.placement());
        controlAdapter = new ControlAdapter(trunks, context.counters());
        ingresses = new IngressAdapter[context.rings().length];
        for (int i = 0; i < ingresses.length; i++)
        {
            ingresses[i] = new IngressAdapter(
                i, context.rings()[i], trunks, context.counters(), context.settings().batchEntries());
        }
        context.channels().ports().forEach(this::subscribe);
    }

    @Override
    public String roleName()
    {
        return "escapement-edge";
    }

    @Override
    public int doWork()
    {
        final long nowNs = context.time().nowNs();
        trunks.time(nowNs);
        int work = 0;
        for (final IngressAdapter ingress : ingresses)
        {
            work += ingress.poll();
        }
        if (!edgeInbox.isEmpty())
        {
            noticesLeft = NOTICES_PER_TURN;
            edgeInbox.poll(noticeHandler);
            work++;
        }
        if (nowNs - controlPolledNs >= CONTROL_NS)
        {
            controlPolledNs = nowNs;
            work += pollConnections();
        }
        if (nowNs - housekeptNs >= HOUSEKEEPING_NS)
        {
            housekeptNs = nowNs;
            work += conductor.invoke();
            if (conductor.isClosed())
            {
                // The driver is gone, and the client's memory with it: nothing more can be done here.
                throw new AgentTerminationException("the media driver is gone");
            }
            if (nowNs - copiedNs >= COPY_NS)
            {
                copiedNs = nowNs;
                context.counterCopier().run();
            }
            work += trunks.housekeep();
            work += directory.tell();
            isStopped = isStopping && trunks.isIdle() && edgeInbox.isEmpty();
            for (final IngressAdapter ingress : ingresses)
            {
                ingress.housekeep(context.settings().handshakeTimeoutNs());
            }
        }
        return work;
    }

    /**
     * Whether the edge was told to stop, and no trunk is left. From any thread.
     *
     * @return as of the last housekeeping.
     */
    public boolean isStopped()
    {
        return isStopped;
    }

    /**
     * What is still held of trunks, once the edge has ended.
     *
     * @return the number of trunks, links of loops, and answers that were not sent.
     */
    public int held()
    {
        return trunks.held();
    }

    /**
     * What the directory holds, once the edge has ended.
     *
     * @return the number of rooms.
     */
    public int rooms()
    {
        return directory.rooms();
    }

    @Override
    public void onClose()
    {
        CloseHelper.quietCloseAll(subscriptions);
    }

    private int pollConnections()
    {
        final ArrayList<Connection> connections = trunks.connections();
        final int count = Math.min(CONNECTIONS_PER_TURN, connections.size());
        int work = 0;
        for (int i = 0; i < count; i++)
        {
            nextConnection = nextConnection + 1 >= connections.size() ? 0 : nextConnection + 1;
            final Connection connection = connections.get(nextConnection);
            work += controlAdapter.poll(connection);
            ControlProxy.flush(connection);
        }
        return work;
    }

    private boolean onNotice(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        final UnsafeBuffer block = edgeInbox.block();
        final int offset = slot.offset;
        switch (slot.kind)
        {
            case ControlSignal.ATTACHED ->
                trunks.onAttached(block.getInt(offset), block.getInt(offset + Integer.BYTES));
            case ControlSignal.DETACHED ->
                trunks.onDetached(block.getInt(offset), block.getInt(offset + Integer.BYTES));
            case ControlSignal.SLOW -> trunks.onSlow(block.getInt(offset + Integer.BYTES));
            case ControlSignal.LOGGED_IN -> trunks.onLoggedIn(
                block.getLong(offset + LogInAnswer.TRUNK_ID),
                block.getLong(offset + LogInAnswer.REQUEST_ID),
                block.getInt(offset + LogInAnswer.STATUS),
                block.getLong(offset + LogInAnswer.PLAYER_ID));
            case ControlSignal.DRAIN ->
            {
                roomOpener.stop();
                trunks.drain();
            }
            case ControlSignal.STOP ->
            {
                isStopping = true;
                trunks.stop();
            }
            default -> onCommand(block, offset);
        }
        return --noticesLeft > 0;
    }

    private void onCommand(final UnsafeBuffer block, final int offset)
    {
        switch (header.wrap(block, offset).templateId())
        {
            case OpenRoomDecoder.TEMPLATE_ID ->
            {
                if (!roomOpener.open(block, offset))
                {
                    context.counters().answersDropped.incrementRelease();
                }
            }
            case SubscribeDecoder.TEMPLATE_ID ->
                directory.subscribe(subscribe.wrapAndApplyHeader(block, offset, header).roomId());
            default -> directory.onChange(change.wrapAndApplyHeader(block, offset, header));
        }
    }

    private void subscribe(final TrunkChannels.Port port)
    {
        final String channel = context.channels().ingressChannel(port);
        subscriptions.add(aeron.addSubscription(
            channel,
            TrunkMessages.CONTROL_STREAM_ID,
            (image) -> trunks.onControlImage(image, port),
            trunks::onControlImageGone));
        for (int i = 0; i < ingresses.length; i++)
        {
            final IngressAdapter ingress = ingresses[i];
            subscriptions.add(aeron.addSubscription(
                channel,
                TrunkMessages.loopStreamId(i),
                (image) -> ingress.onImage(image, port),
                ingress::onImageGone));
        }
    }
}
