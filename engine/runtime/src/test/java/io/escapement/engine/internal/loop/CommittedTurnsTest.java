package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A durable loop on a log that is stepped by hand. */
class CommittedTurnsTest
{
    private static final long SEED = 0xD0_4AB1EL;
    private static final int TYPE = 1;
    private static final int LINK = 3;
    private static final long FIRST = 1;
    private static final long SECOND = 2;
    private static final int SLOTS = 512;

    private static final EventPoller.Handler<CommandQueue.Slot> DROP = (slot, sequence, isEndOfBatch) -> true;

    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
    private final List<String> events = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private long nowNs = 1;
    private final EngineClock clock = new EngineClock(() -> nowNs);
    private FakeLog log = FakeLog.recorded();
    private Parts parts = new Parts();
    private LoopAgent agent = led(parts, log);

    @Test
    void shouldRunACommandInTheCycleThatRecordsIt()
    {
        openRooms();
        order(FIRST, OrderedRoom.NOTE, 7);
        step();
        assertEquals(List.of("1 noted 7"), events);
        assertEquals(1, agent.host().incarnation());
        assertEquals(0, agent.committed().runner().stale());
    }

    @Test
    void shouldRunNothingBeforeItIsCommitted()
    {
        openRooms();
        log.isCommitting = false;
        order(FIRST, OrderedRoom.NOTE, 7);
        step();
        step();
        assertEquals(List.of(), events);
        assertTrue(agent.deadlineNs() <= nowNs + CommittedTurns.POLL_NS, "it must poll");
        parts.measurements.commitWait().getIntervalHistogram();
        log.commit(1);
        step();
        assertEquals(List.of("1 noted 7"), events);
        // It ran two steps after its proposal.
        assertEquals(2_000, parts.measurements.commitWait().getIntervalHistogram().getMaxValue(), 2);
    }

    @Test
    void shouldGatherCommandsWhileATurnIsUnderWay()
    {
        openRooms();
        log.isCommitting = false;
        final int before = log.messages.size();
        for (int i = 0; i < 5; i++)
        {
            order(FIRST, OrderedRoom.NOTE, i);
            step();
        }
        assertEquals(before + 1, log.messages.size(), "four commands wait in the ring");
        log.commit(1);
        step();
        assertEquals(before + 2, log.messages.size());
        log.commit(1);
        step();
        assertEquals(List.of("1 noted 0", "1 noted 1", "1 noted 2", "1 noted 3", "1 noted 4"), events);
    }

    @Test
    void shouldProposeAgainWhenALogIsSlow()
    {
        openRooms();
        log.isCommitting = false;
        final int before = log.messages.size();
        order(FIRST, OrderedRoom.NOTE, 1);
        step();
        order(FIRST, OrderedRoom.NOTE, 2);
        nowNs += TurnProposer.GATHER_NS;
        step();
        assertEquals(before + 2, log.messages.size());
        log.commit(2);
        step();
        assertEquals(List.of("1 noted 1", "1 noted 2"), events);
    }

    @Test
    void shouldLeaveCommandsInTheRingWhileTheLogHasNoRoom()
    {
        openRooms();
        log.room = 0;
        final long sinceNs = nowNs;
        for (int i = 0; i < 3; i++)
        {
            order(FIRST, OrderedRoom.NOTE, i);
            step();
        }
        assertEquals(3, log.refused);
        assertEquals(2, parts.ring.size(), "the first command is in the proposal");
        assertTrue(agent.blockedSinceNs() > sinceNs && agent.blockedSinceNs() <= nowNs);
        assertEquals(3, parts.counters.value("escapement loop 0: proposals that the log had no room for"));
        log.room = 64;
        step();
        step();
        assertEquals(List.of("1 noted 0", "1 noted 1", "1 noted 2"), events);
        assertTrue(agent.blockedSinceNs() < 0);
    }

    @Test
    void shouldEndWhenTheLogFails()
    {
        openRooms();
        edgeSignals();
        order(FIRST, OrderedRoom.NOTE, 1);
        log.fail();
        step();
        assertNotNull(agent.fault());
        assertTrue(agent.fault().getMessage().contains("no command can be made durable"), agent.fault().getMessage());
        assertEquals(List.of(ControlSignal.STOP), edgeSignals());
        assertEquals(List.of(), events);
        assertEquals(1, errors.size());
    }

    @Test
    void shouldRefuseWhatIsNoCommandBeforeItProposesAndTheMalformedWhenItRuns()
    {
        openRooms();
        final int before = log.messages.size();
        offer(parts.ring, ControlSignal.COMMAND, commands.failedAt(command, 0, FIRST, 1));
        offer(parts.ring, ControlSignal.COMMAND, MessageHeaderEncoder.ENCODED_LENGTH - 1);
        step();
        assertEquals(before, log.messages.size());
        assertEquals(2, parts.counters.value("escapement loop 0: commands refused"));
        offer(parts.ring, ControlSignal.COMMAND, commands.kick(command, 0, FIRST, 1) - 1);
        step();
        assertEquals(before + 1, log.messages.size());
        assertEquals(3, parts.counters.value("escapement loop 0: commands refused"));
        assertNull(agent.fault());
        assertEquals(1, parts.counters.value("escapement loop 0: refused " + RefusalCode.NOT_A_COMMAND));
    }

    @Test
    void shouldProposeOneTurnForADeadline()
    {
        openRooms();
        log.isCommitting = false;
        order(FIRST, OrderedRoom.TIMER, 50_000_000);
        step();
        log.commit(1);
        step();
        final int before = log.messages.size();
        step();
        assertEquals(before, log.messages.size(), "nothing is due");
        nowNs = Math.max(nowNs, agent.deadlineNs());
        for (int i = 0; i < 10; i++)
        {
            nowNs += TurnProposer.GATHER_NS;
            step();
            assertTrue(agent.deadlineNs() > nowNs, "its thread may park until the log has committed");
        }
        assertEquals(before + 1, log.messages.size(), "the turn under way will run the timer");
        log.commit(1);
        step();
        assertEquals(List.of("1 timer"), events);
    }

    @Test
    void shouldRunReturnsInALaterProposal()
    {
        openRooms();
        order(FIRST, OrderedRoom.SIGNAL, SECOND);
        step();
        assertEquals(List.of(), events);
        step();
        assertEquals(List.of("2 got 1"), events);
        assertEquals(0, agent.leftovers());
    }

    @Test
    void shouldCarryEachReturnOnceWithTurnsUnderWay()
    {
        openRooms();
        log.isCommitting = false;
        for (int i = 0; i < 4; i++)
        {
            order(FIRST, OrderedRoom.SIGNAL, SECOND);
            nowNs += TurnProposer.GATHER_NS;
            step();
            if (1 == i)
            {
                log.commit(2);
            }
        }
        for (int i = 0; i < 10; i++)
        {
            log.commit(1);
            nowNs += TurnProposer.GATHER_NS;
            step();
        }
        assertEquals(List.of("2 got 1", "2 got 1", "2 got 1", "2 got 1"), events);
        assertNull(agent.fault());
    }

    /** A link number is attached again while turns for its last trunk are under way. */
    @Test
    void shouldChangeLinksWhenTheirTurnRuns()
    {
        openRooms();
        edgeSignals();
        log.isCommitting = false;
        final LinkQueues queues = new LinkQueues();
        final LinkAttachment link = new LinkAttachment(LINK, null, queues);
        final int up = commands.linkUp(command, 0, 77, LINK);
        assertTrue(parts.inbox[0].offer(ControlSignal.ATTACH, link, command, 0, up));
        step();
        assertEquals(List.of(), edgeSignals());
        log.commit(1);
        step();
        assertEquals(List.of(ControlSignal.ATTACHED), edgeSignals());
        assertEquals(1, agent.host().linksUp());
        offer(parts.inbox[0], ControlSignal.DETACH, commands.linkDown(command, 0, LINK));
        nowNs += TurnProposer.GATHER_NS;
        step();
        assertEquals(List.of(), edgeSignals());
        log.commit(1);
        step();
        assertEquals(List.of(ControlSignal.DETACHED), edgeSignals());
        assertEquals(0, agent.host().linksUp());
    }

    /** Another run may not overflow the stack: nothing leaves and nothing runs before the record is committed. */
    @Test
    void shouldWaitForTheRecordOfAStackOverflow()
    {
        openRooms();
        log.isCommitting = false;
        order(FIRST, OrderedRoom.OVERFLOW, 0);
        order(SECOND, OrderedRoom.REQUEST, 9);
        step();
        order(SECOND, OrderedRoom.NOTE, 3);
        log.commit(1);
        nowNs += TurnProposer.GATHER_NS;
        step();
        step();
        assertEquals(1, agent.host().openRooms());
        assertTrue(isFailedRecord(log.messages.get(log.messages.size() - 1)));
        assertEquals(List.of(), requests(), "the request waits for the record");
        assertEquals(List.of(), events);
        log.commit(1);
        step();
        log.commit(1);
        step();
        step();
        assertEquals(List.of(1L), requests());
        assertEquals(List.of("2 noted 3"), events);
        final long hash = agent.host().stateHash();
        assertEquals(hash, recovered(log).host().stateHash(), "another node fails the room at the same callback");
    }

    @Test
    void shouldTryTheRecordOfAStackOverflowAgain()
    {
        openRooms();
        log.isCommitting = false;
        order(FIRST, OrderedRoom.OVERFLOW, 0);
        step();
        log.commit(1);
        log.room = 0;
        step();
        step();
        final int before = log.messages.size();
        log.room = 1;
        step();
        assertEquals(before + 1, log.messages.size());
        assertTrue(isFailedRecord(log.messages.get(before)));
        log.commit(1);
        order(SECOND, OrderedRoom.NOTE, 3);
        step();
        log.commit(1);
        step();
        assertEquals(List.of("2 noted 3"), events);
    }

    @Test
    void shouldRecoverWithoutOutputAndGoOn()
    {
        openRooms();
        order(FIRST, OrderedRoom.SIGNAL, SECOND);
        order(FIRST, OrderedRoom.REQUEST, 9);
        step();
        assertEquals(1, agent.host().loopState().returns());
        final long hash = agent.host().stateHash();
        events.clear();
        final Parts next = new Parts();
        final FakeLog rest = FakeLog.after(log, log.messages.size());
        final LoopAgent second = agent(next, null);
        final int count = log.messages.size();
        assertEquals(count, second.committed().recover(log.source()));
        assertEquals(hash, second.host().stateHash());
        assertTrue(next.edgeInbox.isEmpty(), "a recovery sends nothing");
        assertFalse(second.committed().isLeading());
        second.committed().lead(rest, 2, 1_000);
        assertTrue(second.committed().pollLead());
        assertEquals(2, second.host().incarnation());
        parts = next;
        agent = second;
        step();
        step();
        assertEquals(List.of("2 got 1"), events, "the return of the last incarnation");
        step();
        assertEquals(List.of(2L), requests(), "the request is sent again");
        assertTrue(edgeSignals().size() >= 4, "the rooms are announced");
        order(FIRST, OrderedRoom.NOTE, 5);
        step();
        assertEquals("1 noted 5", events.get(events.size() - 1));
        assertEquals(agent.host().stateHash(), recovered(rest).host().stateHash());
    }

    /** Time of the host stands still while it is down: a timer fires after what was left. */
    @Test
    void shouldContinueTheHostsTime()
    {
        openRooms();
        order(FIRST, OrderedRoom.TIMER, 400_000_000);
        step();
        nowNs += 300_000_000;
        order(FIRST, OrderedRoom.NOTE, 1);
        step();
        final long hostNs = agent.host().nowNs();
        events.clear();
        final FakeLog rest = FakeLog.after(log, log.messages.size());
        parts = new Parts();
        agent = agent(parts, null);
        agent.committed().recover(rest.source());
        nowNs += 3_600_000_000_000L;
        agent.committed().lead(rest, 2, 5_000);
        assertTrue(agent.committed().pollLead());
        assertEquals(hostNs, agent.host().nowNs());
        final long leftNs = agent.deadlineNs() - clock.nowNs();
        assertTrue(leftNs > 90_000_000 && leftNs < 110_000_000, leftNs + " ns are left");
        events.clear();
        nowNs = agent.deadlineNs() + 2_000_000;
        step();
        assertEquals(List.of("1 timer"), events);
    }

    @Test
    void shouldRefuseALogThatGivesOtherBytes()
    {
        openRooms();
        order(FIRST, OrderedRoom.STATE, 1);
        step();
        order(FIRST, OrderedRoom.NOTE, 1);
        step();
        final LoopAgent other =
            LoopAgent.logged(context(new Parts(), () -> new OrderedRoom.Liar(events)), null, null);
        final ProposalException ex =
            assertThrows(ProposalException.class, () -> other.committed().recover(log.source()));
        assertEquals(ProposalException.Reason.DIVERGED, ex.reason());
    }

    /** The process is killed at random moments; what the log has survives, the rest may not. */
    @Test
    void shouldComputeTheSameAsAMemoryLoopHoweverOftenItIsKilled()
    {
        for (int seed = 0; seed < 4; seed++)
        {
            final SplittableRandom random = new SplittableRandom(SEED + seed);
            final boolean isSynced = 0 != seed % 2;
            nowNs = 1;
            log = FakeLog.recorded();
            parts = new Parts();
            agent = led(parts, log);
            openRooms();
            for (int i = 0; i < 400; i++)
            {
                log.isCommitting = !isSynced;
                final int dice = random.nextInt(100);
                if (dice < 60)
                {
                    order(1 + random.nextInt(2), 1 + random.nextInt(3), 1 + random.nextInt(2));
                }
                if (dice < 2)
                {
                    final int survivors = random.nextInt(log.committed(), log.messages.size() + 1);
                    log = FakeLog.after(log, survivors);
                    parts = new Parts();
                    agent = restarted(random);
                }
                nowNs += random.nextLong(300_000);
                log.commit(random.nextInt(3));
                step();
                assertNull(agent.fault(), "seed " + seed);
            }
            log.isCommitting = true;
            log.commit(1_000);
            for (int i = 0; i < 5; i++)
            {
                nowNs += TurnProposer.GATHER_NS;
                step();
            }
            assertEquals(hashOfTwin(), agent.host().stateHash(), "seed " + seed);
            assertTrue(agent.host().incarnation() > 2, "it was not killed");
        }
    }

    /** The state is the same from the beginning of the log and from each snapshot, with turns under way or without. */
    @Test
    void shouldRecoverFromEachSnapshot()
    {
        for (final boolean isSynced : new boolean[]{false, true})
        {
            final SplittableRandom random = new SplittableRandom(SEED);
            log = FakeLog.recorded();
            parts = new Parts();
            agent = agent(parts, null);
            final FakeSnapshots snapshots = new FakeSnapshots(log::polled);
            // The clock stands still in a turn, which then counts as 1 ns.
            agent.committed().snapshots(snapshots, 20, Long.MAX_VALUE);
            agent.committed().lead(log, 1, 1_000);
            assertTrue(agent.committed().pollLead());
            openRooms();
            for (int i = 0; i < 300; i++)
            {
                log.isCommitting = !isSynced;
                order(1 + random.nextInt(2), 0 == random.nextInt(30) ? OrderedRoom.OVERFLOW : 1 + random.nextInt(3),
                    1 + random.nextInt(2));
                nowNs += random.nextLong(300_000);
                log.commit(random.nextInt(4));
                step();
                if (2 != agent.host().openRooms())
                {
                    offerRooms();
                }
            }
            log.isCommitting = true;
            for (int i = 0; i < 5; i++)
            {
                nowNs += TurnProposer.GATHER_NS;
                log.commit(1_000);
                step();
            }
            assertNull(agent.fault());
            assertTrue(snapshots.snapshots.size() > 5, snapshots.snapshots.size() + " snapshots");
            assertTrue(log.messages.stream().anyMatch(CommittedTurnsTest::isFailedRecord));
            final long stateHash = agent.host().stateHash();
            assertEquals(stateHash, recovered(log).host().stateHash(), "from the beginning");
            for (final FakeSnapshots.Snapshot snapshot : snapshots.snapshots)
            {
                final LoopAgent next = agent(new Parts(), new UnsafeBuffer(snapshot.bytes()));
                next.committed().recover(log.source(snapshot.position()));
                assertEquals(stateHash, next.host().stateHash(), "from the snapshot at " + snapshot.position());
                assertEquals(agent.host().outputHash(), next.host().outputHash());
                assertEquals(0, next.committed().runner().stale(), "the snapshot at " + snapshot.position());
            }
        }
    }

    @Test
    void shouldAllocateNothingATurn()
    {
        openRooms();
        parts = new Parts();
        agent = agent(parts, null);
        agent.committed().recover(log.source());
        agent.committed().lead(new QuietLog(), 2, 1);
        assertTrue(agent.committed().pollLead());
        assertEquals(0, Allocations.least(12, () ->
        {
            for (int i = 0; i < 2_000; i++)
            {
                order(FIRST, OrderedRoom.STATE, i);
                order(SECOND, OrderedRoom.STATE, i);
                step();
                parts.edgeInbox.poll(DROP);
            }
        }));
        assertTrue(agent.host().turn() > 4_000);
    }

    private LoopAgent restarted(final SplittableRandom random)
    {
        final LoopAgent next = random.nextBoolean() ? fromSnapshot() : agent(parts, null);
        next.committed().recover(log.source());
        next.committed().lead(log, next.host().incarnation() + 1 + random.nextInt(2), 1_000);
        while (!next.committed().pollLead())
        {
            log.commit(1);
        }
        return next;
    }

    /** From a snapshot in the middle of the log, with the whole log behind it: what it has is stale. */
    private LoopAgent fromSnapshot()
    {
        final LoopAgent half = agent(new Parts(), null);
        final FakeLog part = FakeLog.after(log, log.committed() / 2);
        half.committed().recover(part.source());
        final ByteSink snapshot = new ByteSink();
        half.host().snapshot(snapshot);
        return agent(parts, new UnsafeBuffer(Arrays.copyOf(snapshot.toArray(), snapshot.length())));
    }

    private LoopAgent recovered(final FakeLog of)
    {
        final LoopAgent again = agent(new Parts(), null);
        again.committed().recover(of.source());
        return again;
    }

    /** Runs the commands of the proposals as the turns of a loop in memory would. */
    private long hashOfTwin()
    {
        final RoomHost host = new RoomHost(
            context(new Parts(), () -> new OrderedRoom(events)).host().outputs(NoOutputs.NONE));
        final ProposalReader reader = new ProposalReader();
        for (final byte[] message : log.messages)
        {
            assertEquals(0, reader.wrap(new UnsafeBuffer(message), 0, message.length));
            host.beginTurn(reader.nowNs());
            for (int i = 0; reader.nextCommand(); i++)
            {
                if (i < reader.returns())
                {
                    assertTrue(host.onReturn(reader.buffer(), reader.commandOffset(), reader.commandLength()));
                }
                else
                {
                    host.onCommand(reader.buffer(), reader.commandOffset(), reader.commandLength());
                }
            }
            host.endTurn();
        }
        return host.stateHash();
    }

    private static boolean isFailedRecord(final byte[] message)
    {
        return FailedDecoder.TEMPLATE_ID == SchemaRules.templateId(new UnsafeBuffer(message), 0);
    }

    /** The queues of an incarnation. */
    private static final class Parts
    {
        final CommandQueue ring =
            CommandQueue.singleProducer(SLOTS, CommandQueue.RING_SLOT_LENGTH, new BusySpinWaitStrategy());
        final CommandQueue[] inbox =
            {CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy())};
        final CommandQueue edgeInbox =
            CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final CommandQueue worker =
            CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final EngineCounters counters = new EngineCounters();
        final LoopMeasurements measurements = new LoopMeasurements();
    }

    private LoopAgent led(final Parts with, final FakeLog on)
    {
        final LoopAgent made = agent(with, null);
        made.committed().lead(on, 1, 1_000);
        assertTrue(made.committed().pollLead());
        return made;
    }

    private LoopAgent agent(final Parts with, final DirectBuffer snapshot)
    {
        return LoopAgent.logged(context(with, () -> new OrderedRoom(events)), snapshot, null);
    }

    private LoopContext context(final Parts with, final Supplier<RoomLogic> room)
    {
        return new LoopContext()
            .loop(0)
            .ring(with.ring)
            .inboxes(with.inbox)
            .edgeInbox(with.edgeInbox)
            .workersByServiceIdMap(Map.of(OrderedRoom.SERVICE, new CommandQueue[]{with.worker}))
            .trunks(new TrunkServerContext().limit(LINK + 1))
            .counters(new LoopCounters(0, with.counters, Map.of()))
            .measurements(with.measurements)
            .host(new HostContext().loopState(new LoopLimits(0, 1, 512, 64 * 1_024)).linkLimit(LINK + 1)
                .roomType(RoomType.of(TYPE, "ordered", 1, room).timers(4).requests(512)))
            .clock(clock)
            .errorHandler(errors::add);
    }

    private void openRooms()
    {
        offerRooms();
        step();
        assertEquals(2, agent.host().openRooms());
        step();
        events.clear();
    }

    private void offerRooms()
    {
        for (final long roomId : new long[]{FIRST, SECOND})
        {
            offer(parts.inbox[0], ControlSignal.COMMAND,
                commands.openRoom(command, 0, roomId, 0, 0, 0, TYPE, value, 0, 0));
        }
    }

    private void step()
    {
        nowNs += 1_000;
        agent.doWork();
    }

    private void order(final long roomId, final long action, final long argument)
    {
        value.putLong(0, action);
        value.putLong(8, argument);
        final int length = commands.signal(command, 0, roomId, 0, 0, value, 0, 16);
        assertTrue(parts.ring.offer(ControlSignal.COMMAND, null, command, 0, length), "the ring is full");
    }

    private static void offer(final CommandQueue queue, final UnsafeBuffer bytes, final int length)
    {
        assertTrue(queue.offer(ControlSignal.COMMAND, null, bytes, 0, length), "the queue is full");
    }

    private void offer(final CommandQueue queue, final ControlSignal signal, final int length)
    {
        assertTrue(queue.offer(signal, null, command, 0, length), "the queue is full");
    }

    private List<ControlSignal> edgeSignals()
    {
        final List<ControlSignal> signals = new ArrayList<>();
        while (!parts.edgeInbox.isEmpty())
        {
            parts.edgeInbox.poll((slot, sequence, isEndOfBatch) -> signals.add(slot.signal()));
        }
        return signals;
    }

    private List<Long> requests()
    {
        final List<Long> correlationIds = new ArrayList<>();
        parts.worker.poll((slot, sequence, isEndOfBatch) ->
        {
            correlationIds.add(new RequestDecoder().wrapAndApplyHeader(
                parts.worker.block(), slot.offset, new MessageHeaderDecoder()).correlationId());
            return true;
        });
        return correlationIds;
    }
}
