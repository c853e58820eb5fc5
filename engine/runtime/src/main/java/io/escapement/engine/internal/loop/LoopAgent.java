package io.escapement.engine.internal.loop;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.DeadlineIdleStrategy;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.RoomHost;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * A loop. Its duty cycle takes commands from the queues, hands them to the {@link Turns}, which run the room host, and
 * sends the output. Other threads share only its queues, counters, measurements and {@link #turnSinceNs()}.
 *
 * <p>The order in a turn is: commands that rooms of the loop have sent each other, commands of the engine itself, the
 * inbox, the ring up to the batch limit or the next deadline, timers, frames. A log keeps that order.
 */
public final class LoopAgent implements Agent
{
    /** A loop that has not been idle for this long is loaded, and holds small packets back. */
    private static final long LOADED_NS = 100_000;
    /** Commands between two checks whether a frame or timer is due. */
    private static final int DEADLINE_CHECK_MASK = 31;
    private static final long BETWEEN_TURNS = -1;

    private final int loop;
    private final LoopOutputs outputs;
    private final LoopEvents events;
    private final Turns turns;
    private final EngineClock clock;
    private final ErrorHandler errorHandler;
    private final ApplicationQuestions questions;
    private final CommandQueue ring;
    private final CommandQueue inbox;
    private final CommandQueue edgeInbox;
    private final EventPoller.Handler<CommandQueue.Slot> inboxHandler = this::onInbox;
    private final EventPoller.Handler<CommandQueue.Slot> ringHandler = this::onRing;
    private final LinkDownDecoder linkDown = new LinkDownDecoder();
    private final AtomicLong turnSinceNs = new AtomicLong(BETWEEN_TURNS);
    /** Closures that read the loop. Each duty cycle runs one. The inbox limits their number. */
    private final ArrayDeque<Consumer<LoopAgent>> inspections = new ArrayDeque<>();
    /** One after another, each over several turns. The inbox limits their number. */
    private final ArrayDeque<LoopReload> reloads = new ArrayDeque<>();
    private final ArrayDeque<LinkFeed.Change> feedChanges = new ArrayDeque<>();
    /** Commands of the engine itself that no turn has taken, or null. */
    private ByteFifo local;
    /** Engine time of the duty cycle. */
    private long nowNs;
    private long idleNs;
    private long warmedForNs;
    /** Commands that the poll of a queue may still take. */
    private int batchLeft;
    private boolean wasBusy;
    private boolean isClosingRooms;
    private boolean isEdgeNotified;
    private volatile Throwable fault;

    /**
     * Make a loop without a log, and its room host.
     *
     * @param context with all options set.
     */
    public LoopAgent(final LoopContext context)
    {
        this(context, false, null, null);
    }

    /**
     * Make a loop with a log, and its room host. It leads after {@link CommittedTurns#lead}, or when its group says so.
     *
     * @param context  with all options set.
     * @param snapshot to start with, or null for an empty host.
     * @param group    of the nodes that have the log, or null for a journal.
     */
    public static LoopAgent logged(final LoopContext context, final DirectBuffer snapshot, final LoopGroup group)
    {
        return new LoopAgent(context, true, snapshot, group);
    }

    private LoopAgent(
        final LoopContext context, final boolean isLogged, final DirectBuffer snapshot, final LoopGroup group)
    {
        loop = context.loop();
        questions = context.questions();
        clock = context.clock();
        errorHandler = context.errorHandler();
        ring = context.ring();
        inbox = context.inbox();
        edgeInbox = context.edgeInbox();
        outputs = new LoopOutputs(context);
        events = new LoopEvents(context, outputs, reloads);
        turns = isLogged ? new CommittedTurns(context, outputs, events, snapshot, group, this::onFollows) :
            new InPlaceTurns(context, outputs, events);
        outputs.loopState(host().loopState());
        outputs.turn(() -> host().turn());
    }

    @Override
    public String roleName()
    {
        return "escapement-loop-" + loop;
    }

    @Override
    public int doWork()
    {
        if (null != fault)
        {
            return notifyEdge();
        }
        nowNs = clock.nowNs();
        events.cycle(nowNs, wasBusy);
        idleNs = wasBusy ? idleNs : nowNs;
        wasBusy = false;
        try
        {
            final int work = isIdle() ? 0 : runTurn();
            // After the turn, so that another loop runs the messages of its rooms without waiting for the next duty
            // cycle.
            final int shown = nowNs >= outputs.aliveDueNs() ? outputs.showAlive(nowNs) : 0;
            return work + shown + outputs.drain() + turns.work(nowNs);
        }
        catch (final Throwable ex)
        {
            end(ex);
            return notifyEdge();
        }
    }

    @Override
    public void onClose()
    {
        abandonReloads("the engine was closed");
        if (null == fault)
        {
            events.recordCommands();
        }
    }

    /**
     * The fault of a failed loop, otherwise null. From any thread.
     *
     * @return the cause, or null while it runs.
     */
    public Throwable fault()
    {
        return fault;
    }

    /** Engine time at which the current turn started, negative between turns. From any thread. */
    public long turnSinceNs()
    {
        return turnSinceNs.get();
    }

    /** Engine time since which the log has had no room for a turn, negative if it has. From any thread. */
    public long blockedSinceNs()
    {
        return turns.blockedSinceNs();
    }

    /** Engine time until which the loop has work only if a queue or the log has. */
    public long deadlineNs()
    {
        return null == fault ? Math.min(turns.parkUntilNs(), outputs.aliveDueNs()) : Long.MAX_VALUE;
    }

    /**
     * The largest number of datagrams, beyond the first, that one link was given since the last call. In the loop's
     * thread.
     */
    public int takeDatagrams()
    {
        return outputs.takeDatagrams();
    }

    /** Number of links, threads and rooms for which messages are still queued. Once the loop has stopped. */
    public int leftovers()
    {
        return outputs.leftovers();
    }

    /** Whether no other queue than the ring and the inbox has something for the loop. */
    public boolean isLogEmpty()
    {
        return turns.isLogEmpty();
    }

    /** Reports of all trunks that are attached. In the loop's thread, from an inspection. */
    public List<LinkReport> links()
    {
        final List<LinkReport> reports = new ArrayList<>();
        outputs.report(host(), reports);
        return reports;
    }

    /** The room host, for the loop's thread, and for any thread once the loop has stopped. */
    public RoomHost host()
    {
        return turns.host();
    }

    /** The turns of a loop with a log. */
    public CommittedTurns committed()
    {
        return (CommittedTurns)turns;
    }

    private boolean isIdle()
    {
        return nowNs < turns.deadlineNs() && inbox.isEmpty() && ring.isEmpty() && !turns.isWaiting() &&
            (turns.isFollowing() || null == local && !outputs.isWaiting()) && !isClosingRooms &&
            inspections.isEmpty() && reloads.isEmpty() && feedChanges.isEmpty() && !warmCaches();
    }

    private int runTurn()
    {
        turnSinceNs.lazySet(nowNs);
        // An interrupt from outside must not be charged to the room that runs next.
        Thread.interrupted();
        outputs.turnTime(nowNs, nowNs - idleNs > LOADED_NS);
        if (isClosingRooms)
        {
            isClosingRooms = !closeRooms();
        }
        if (!inspections.isEmpty())
        {
            inspect();
        }
        if (!reloads.isEmpty())
        {
            reload();
        }
        if (turns.begin(nowNs))
        {
            takeCommands();
        }
        final int work = turns.end() + changeFeeds();
        outputs.announce(host());
        wasBusy = 0 != work;
        turnSinceNs.lazySet(BETWEEN_TURNS);
        return work;
    }

    /** Between turns, so that all states of a turn leave to a trunk on the same stream. */
    private int changeFeeds()
    {
        int changed = 0;
        for (int i = feedChanges.size(); i > 0; i--)
        {
            final LinkFeed.Change change = feedChanges.remove();
            if (outputs.tryChangeFeed(change))
            {
                changed++;
            }
            else
            {
                feedChanges.add(change);
            }
        }
        return changed;
    }

    private void forgetFeedOf(final int link)
    {
        if (!feedChanges.isEmpty())
        {
            feedChanges.removeIf((change) -> link == change.link());
        }
    }

    private void takeCommands()
    {
        takeLocal();
        if (!inbox.isEmpty() && turns.hasRoom(Turns.INBOX))
        {
            batchLeft = LoopContext.BATCH_LIMIT;
            inbox.poll(inboxHandler);
        }
        if (turns.hasRoom(Turns.WHOLE))
        {
            batchLeft = LoopContext.BATCH_LIMIT;
            ring.poll(ringHandler);
        }
    }

    /** Take commands of the engine itself. Commands without room wait for the next turn. */
    private void takeLocal()
    {
        if (null == local)
        {
            local = outputs.takeLocal();
        }
        while (!local.isEmpty() && turns.hasRoom(Turns.ENGINE))
        {
            final int length = local.headBuffer().getInt(local.head());
            turns.command(local.headBuffer(), local.head() + LoopOutputs.LOCAL_HEADER_LENGTH, length);
            local.drop(LoopOutputs.LOCAL_HEADER_LENGTH + length);
        }
        if (local.isEmpty())
        {
            local = null;
        }
    }

    private boolean onRing(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        turns.beforeRing(sequence);
        if (slot.isCommand())
        {
            events.onTaken(slot.acceptedNs());
            turns.command(ring.block(), slot.offset, slot.length());
        }
        return --batchLeft > 0 && turns.hasRoom(Turns.WHOLE) &&
            (0 != (batchLeft & DEADLINE_CHECK_MASK) || clock.nowNs() < turns.cutNs());
    }

    private boolean onInbox(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        takeSlot(slot);
        return --batchLeft > 0 && turns.hasRoom(Turns.INBOX);
    }

    private void takeSlot(final CommandQueue.Slot slot)
    {
        final Object attachment = slot.takeAttachment();
        switch (slot.signal())
        {
            case ATTACH -> turns.attach((LinkAttachment)attachment);
            case DETACH ->
            {
                linkDown.wrap(inbox.block(), slot.offset + MessageHeaderDecoder.ENCODED_LENGTH,
                    LinkDownDecoder.BLOCK_LENGTH, LinkDownDecoder.SCHEMA_VERSION);
                forgetFeedOf(linkDown.link());
                turns.detach(linkDown.link());
            }
            case EXECUTE ->
            {
                turns.execute(inbox.block().getLong(slot.offset), (RoomTask)attachment);
                return;
            }
            case CLOSE_ROOMS ->
            {
                isClosingRooms = true;
                return;
            }
            case INSPECT ->
            {
                @SuppressWarnings("unchecked")
                final Consumer<LoopAgent> inspection = (Consumer<LoopAgent>)attachment;
                inspections.add(inspection);
                return;
            }
            case FEED ->
            {
                final LinkFeed.Change change = (LinkFeed.Change)attachment;
                forgetFeedOf(change.link());
                feedChanges.add(change);
                return;
            }
            case RELOAD ->
            {
                reloads.add((LoopReload)attachment);
                return;
            }
            case DRAIN_ROOMS -> events.draining();
            case REPLY -> outputs.onReply();
            case COMMAND ->
            {
                // Runs below, as the commands of the other signals do.
            }
            default -> throw new IllegalStateException("no signal to a loop: " + slot.signal());
        }
        turns.command(inbox.block(), slot.offset, slot.length());
    }

    /** Another node leads from now on. Waiting commands have no effect, even if this node leads the next term. */
    private void onFollows()
    {
        abandonReloads("this node leads no more");
        local = null;
        for (int i = (inbox.capacity() + ring.capacity()) / LoopContext.BATCH_LIMIT; i >= 0; i--)
        {
            takeCommands();
        }
        questions.endAll(TrunkCode.NOT_LEADING.value());
    }

    private void reload()
    {
        if (turns.isFollowing())
        {
            abandonReloads("this node does not lead");
        }
        else if (reloads.peek().step(host(), outputs))
        {
            reloads.remove();
        }
    }

    /** Complete the unfinished reloads, because their commands may not run. */
    private void abandonReloads(final String reason)
    {
        for (LoopReload reload = reloads.poll(); null != reload; reload = reloads.poll())
        {
            reload.abandon(reason);
        }
    }

    /**
     * Stop the loop. Because the host stopped in the middle of a turn, its state can no longer be relied on. The thread
     * and its other agents continue, so that trunks get a Goodbye.
     */
    private void end(final Throwable cause)
    {
        fault = cause;
        abandonReloads("the loop has ended by a fault");
        questions.close(TrunkCode.ENGINE_STOPPING.value());
        turnSinceNs.lazySet(BETWEEN_TURNS);
        turns.fail(cause);
        errorHandler.onError(cause);
    }

    /** Ask the edge to close all trunks. Retried in the next duty cycle if its inbox is full. */
    private int notifyEdge()
    {
        if (isEdgeNotified)
        {
            return 0;
        }
        isEdgeNotified = edgeInbox.offer(ControlSignal.STOP, null, inbox.block(), 0, 0);
        return isEdgeNotified ? 1 : 0;
    }

    /**
     * Before each deadline, when it is too near for another park, the loop prefetches the rooms with due frames, a few
     * in each duty cycle. It also runs an empty turn once. A thread that was parked finds cold caches, and otherwise
     * the frames would warm them.
     */
    private boolean warmCaches()
    {
        final long deadlineNs = turns.deadlineNs();
        final long leftNs = deadlineNs - nowNs;
        if (leftNs > DeadlineIdleStrategy.MAX_SPIN_NS)
        {
            return false;
        }
        host().warmCaches(deadlineNs + events.hostOffsetNs());
        if (leftNs > DeadlineIdleStrategy.WARM_UP_NS || warmedForNs == deadlineNs)
        {
            return false;
        }
        warmedForNs = deadlineNs;
        return true;
    }

    /** Whether every open room has a CloseRoom command. If the queue is full, the next turn continues. */
    private boolean closeRooms()
    {
        for (final long roomId : host().openRoomIds())
        {
            if (!outputs.close(roomId))
            {
                return false;
            }
        }
        return true;
    }

    /** Run a closure that reads the loop. It runs no room. Its failure therefore does not stop the loop. */
    private void inspect()
    {
        try
        {
            inspections.poll().accept(this);
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }
}
