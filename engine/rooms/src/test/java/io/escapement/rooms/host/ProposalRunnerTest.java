package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.Sender.own;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProposalRunnerTest
{
    private static final int TURNS = 2_000;

    private final List<String> events = new ArrayList<>();
    private final HostRig rig = Sender.rig(events);
    private final RoomEncoder encoder = rig.encoder;
    private final ProposalWriter writer = new ProposalWriter(Sender.LOOP);
    private final ProposalRunner runner = new ProposalRunner(rig.context());
    private int incarnation = 1;
    private long number;
    private long nowNs;

    @Test
    void shouldRunTheCommandsOfAProposalAtItsTime()
    {
        begin();
        open(1);
        assertEquals(1, runner.host().openRooms());
        assertEquals(2, runner.lastProposal());
        assertEquals(nowNs, runner.host().nowNs());
        assertEquals(1, runner.host().incarnation());
        assertEquals(1, runner.compared(), "the second proposal has the hash of the first");
    }

    @Test
    void shouldCountAndIgnoreStaleProposals()
    {
        begin();
        final byte[] stale = propose(() -> add(encoder.openRoom(
            rig.buffer, 0, own(1), 1, 0, 0, Sender.TYPE, rig.payload, 0, 0)));
        incarnation = 2;
        final byte[] second = propose(() -> add(encoder.hostResumed(rig.buffer, 0, 1, 2, 0)));
        assertTrue(run(second, 2));
        final long hash = runner.host().stateHash();
        assertFalse(run(stale, 3), "of an older incarnation");
        assertFalse(run(second, 2), "it has run");
        assertEquals(2, runner.stale());
        assertEquals(2, runner.lastProposal());
        assertEquals(hash, runner.host().stateHash());
        assertEquals(0, runner.host().openRooms());
    }

    @Test
    void shouldStopAtAMissingProposal()
    {
        begin();
        final ProposalException ex = refused(propose(() -> { }), 3);
        assertEquals(ProposalException.Reason.GAP, ex.reason());
        assertTrue(ex.getMessage().contains("proposal 3 cannot follow proposal 1"), ex.getMessage());
        assertSame(ex, refused(propose(() -> { }), 2), "it runs nothing after it has stopped");
    }

    @Test
    void shouldStopAtAnIncarnationThatDoesNotBegin()
    {
        assertEquals(ProposalException.Reason.GAP, refused(propose(() -> { }), 1).reason());
        final ProposalRunner other = new ProposalRunner(rig.context());
        final byte[] another = propose(() -> add(encoder.hostResumed(rig.buffer, 0, 1, 7, 0)));
        final UnsafeBuffer proposal = numbered(another, 1);
        assertEquals(ProposalException.Reason.GAP, assertThrows(
            ProposalException.class, () -> other.run(proposal, 0, proposal.capacity())).reason());
    }

    /** In a log of several nodes. The leader's next turns name a state that no node has. */
    @Test
    void shouldSkipWhatIsBehindAGapUntilTheNextIncarnation()
    {
        runner.skipBehindGaps();
        begin();
        final byte[] lost = propose(() -> { });
        assertFalse(run(propose(() -> { }), 3));
        assertEquals(1, runner.gapIncarnation());
        assertFalse(run(propose(() -> { }), 4));
        assertEquals(2, runner.stale());
        assertEquals(1, runner.lastProposal());
        assertTrue(run(lost, 2), "late, but in its order");
        assertFalse(run(lost, 2), "a repetition");
        incarnation = 2;
        assertFalse(run(propose(() -> { }), 3), "without a HostResumed");
        assertEquals(2, runner.gapIncarnation());
        final byte[] next = propose(() -> add(encoder.hostResumed(rig.buffer, 0, 1, 2, 0)));
        assertFalse(run(next, 4), "the begin of an incarnation follows, too");
        assertTrue(run(next, 3));
        incarnation = 1;
        assertFalse(run(propose(() -> { }), 4), "of the incarnation with the gap");
        assertEquals(2, runner.gapIncarnation(), "one of an older incarnation is stale, wherever it stands");
        assertEquals(6, runner.stale());
        assertEquals(3, runner.lastProposal());
    }

    /** Other nodes run it, so this one must not go on without it. */
    @Test
    void shouldStopAtAGapThatTheLeaderDoesNotHave()
    {
        begin();
        final ProposalRunner empty = new ProposalRunner(rig.context());
        empty.skipBehindGaps();
        final byte[] next = propose(() -> { });
        final UnsafeBuffer proposal = numbered(next, 2);
        assertEquals(ProposalException.Reason.DIVERGED, assertThrows(
            ProposalException.class, () -> empty.run(proposal, 0, proposal.capacity())).reason());
    }

    /** It would run on the nodes that have the version, and be refused on the others. */
    @Test
    void shouldStopAtAReloadToAVersionThatIsNotRegistered()
    {
        begin();
        open(1);
        final int length = encoder.reload(rig.buffer, 0, own(1), Sender.TYPE, 1, 2);
        assertFalse(runner.isRunnable(rig.buffer, 0, length));
        final ProposalException ex = refused(
            propose(() -> add(encoder.reload(rig.buffer, 0, own(1), Sender.TYPE, 1, 2))), 3);
        assertEquals(ProposalException.Reason.UNKNOWN_TYPE, ex.reason());
        assertTrue(ex.getMessage().contains("reloads room type 1 from version 1 to 2, which is not registered"),
            ex.getMessage());
        assertEquals(1, runner.host().openRooms());
    }

    @Test
    void shouldRunAReloadToAVersionThatWasRegisteredSince()
    {
        begin();
        open(1);
        runner.host().register(Sender.type(2, events));
        encoder.reload(rig.buffer, 0, own(1), Sender.TYPE, 1, 2);
        assertTrue(runner.isRunnable(rig.buffer, 0, rig.buffer.capacity()), "what is malformed is refused by the host");
        assertTrue(run(propose(() -> add(encoder.reload(rig.buffer, 0, own(1), Sender.TYPE, 1, 2))), 3));
        assertEquals(2, runner.host().versionOf(own(1)));
    }

    @Test
    void shouldStopAtADamagedProposalAndAtOneOfAnotherLoop()
    {
        begin();
        final byte[] damaged = propose(() -> { });
        damaged[30]++;
        runner.verifyChecksums();
        assertEquals(ProposalException.Reason.MALFORMED, assertThrows(ProposalException.class,
            () -> runner.accept(new UnsafeBuffer(damaged), 0, damaged.length)).reason());
        final ProposalRunner other = new ProposalRunner(rig.context());
        final ProposalWriter foreign = new ProposalWriter(0);
        foreign.add(rig.buffer, 0, encoder.hostResumed(rig.buffer, 0, 1, 1, 0));
        final int length = foreign.finish(1, 1, 0, 0, 0);
        assertEquals(ProposalException.Reason.MALFORMED, assertThrows(
            ProposalException.class, () -> other.accept(foreign.buffer(), 0, length)).reason());
    }

    @Test
    void shouldStopAtAnotherOutputHash()
    {
        begin();
        open(1);
        writer.clear();
        final int length = writer.finish(1, 3, nowNs, runner.host().turn(), runner.outputHash() + 1);
        final ProposalException ex =
            assertThrows(ProposalException.class, () -> runner.run(writer.buffer(), 0, length));
        assertEquals(ProposalException.Reason.DIVERGED, ex.reason());
        assertTrue(ex.getMessage().contains("turn " + runner.host().turn()), ex.getMessage());
    }

    @Test
    void shouldStopWhenTheLeaderHasRunATurnThatThisHostHasNot()
    {
        begin();
        final int length = writer.finish(1, 2, nowNs, runner.host().turn() + 1, 0);
        assertEquals(ProposalException.Reason.DIVERGED, assertThrows(
            ProposalException.class, () -> runner.run(writer.buffer(), 0, length)).reason());
    }

    @Test
    void shouldCompareTheLast1024Turns()
    {
        begin();
        open(1);
        final long turn = runner.host().turn();
        for (int i = 1; i < ProposalRunner.HASHED_TURNS; i++)
        {
            turn();
        }
        final int old = writer.finish(1, number + 1, nowNs, turn, 0xBADL);
        final ProposalRunner copy = restored();
        assertEquals(ProposalException.Reason.DIVERGED, assertThrows(
            ProposalException.class, () -> runner.accept(writer.buffer(), 0, old)).reason());
        assertTrue(copy.accept(writer.buffer(), 0, old), "a snapshot has the hash of its last turn alone");
        final int last = writer.finish(1, number + 1, nowNs, copy.host().turn(), 0xBADL);
        assertThrows(ProposalException.class, () -> copy.accept(writer.buffer(), 0, last));
    }

    @Test
    void shouldStopAtAReturnThatItsRoomsHaveNotSent()
    {
        begin();
        open(1);
        open(2);
        signal(own(1), Sender.SIGNAL, own(2));
        assertEquals(1, runner.host().loopState().returns());
        final byte[] wrong = propose(() ->
        {
            rig.payload.putLong(0, 66);
            writer.addReturn(rig.buffer, 0,
                encoder.signal(rig.buffer, 0, own(2), own(1), 1, rig.payload, 0, 8));
        });
        final ProposalException ex = refused(wrong, number + 1);
        assertEquals(ProposalException.Reason.DIVERGED, ex.reason());
    }

    @Test
    void shouldLeaveTheReturnsThatAProposalDoesNotCarry()
    {
        begin();
        open(1);
        open(2);
        signal(own(1), Sender.SIGNAL, own(2));
        signal(own(1), Sender.SIGNAL, own(2));
        assertEquals(2, runner.host().loopState().returns());
        run(propose(() -> runner.host().loopState().readReturns(0, (buffer, offset, length) ->
        {
            writer.addReturn(buffer, offset, length);
            return 0 == writer.returns();
        })), number + 1);
        number++;
        assertEquals(1, runner.host().loopState().returns());
        assertEquals(1, events.size(), events.toString());
    }

    /** A room overflows the stack on the leader. Other nodes read the Failed record and do not run the callback. */
    @Test
    void shouldFailARoomAtTheSameCallbackOnOtherNodes()
    {
        begin();
        open(1);
        final ProposalRunner follower = restored();
        final byte[] proposal = propose(() ->
        {
            rig.payload.putLong(0, Sender.OVERFLOW);
            add(encoder.signal(rig.buffer, 0, own(1), 0, 0, rig.payload, 0, 16));
        });
        assertTrue(run(proposal, number + 1));
        assertEquals(1, runner.host().failures());
        assertEquals(own(1), runner.host().failedRoomId(0));
        assertEquals(2, runner.host().failedCallback(0));
        follower.failAt(number + 1, runner.host().failedRoomId(0), runner.host().failedCallback(0));
        final UnsafeBuffer numbered = numbered(proposal, number + 1);
        assertTrue(follower.run(numbered, 0, numbered.capacity()));
        assertEquals(0, follower.host().failures(), "it has its record");
        assertEquals(runner.host().stateHash(), follower.host().stateHash());
        assertEquals(runner.outputHash(), follower.outputHash());
        assertEquals(0, follower.host().openRooms());
        assertThrows(IllegalArgumentException.class, () -> follower.failAt(number + 1, 1, 1));
        number++;
        turn();
        assertEquals(0, runner.host().failures(), "of the last turn only");
    }

    @Test
    void shouldContinueFromASnapshot()
    {
        begin();
        open(1);
        open(2);
        signal(own(1), Sender.SIGNAL, own(2));
        final ProposalRunner copy = restored();
        assertEquals(number, copy.lastProposal());
        assertEquals(runner.outputHash(), copy.outputHash());
        assertNotEquals(0, copy.outputHash());
        final byte[] proposal = propose(() -> runner.host().loopState().readReturns(0, (buffer, offset, length) ->
        {
            writer.addReturn(buffer, offset, length);
            return true;
        }));
        final UnsafeBuffer numbered = numbered(proposal, number + 1);
        run(proposal, number + 1);
        assertTrue(copy.run(numbered, 0, numbered.capacity()));
        assertEquals(runner.host().stateHash(), copy.host().stateHash());
        assertEquals(1, copy.compared());
    }

    @Test
    void shouldNotAllocate()
    {
        final AtomicInteger frames = new AtomicInteger();
        final ProposalRunner steady = new ProposalRunner(new HostContext().outputs(NoOutputs.NONE)
            .loopState(new LoopLimits(Sender.LOOP, Sender.LOOPS, 16, LoopLimits.MIN_QUEUE_LENGTH))
            .roomType(RoomType.of(1, "counter", 1, () -> new Counter(frames))));
        writer.add(rig.buffer, 0, encoder.hostResumed(rig.buffer, 0, 0, 1, 0));
        writer.add(rig.buffer, 0, encoder.openRoom(rig.buffer, 0, own(1), 1, 0, 0, 1, rig.payload, 0, 0));
        steady.run(writer.buffer(), 0, writer.finish(1, 1, 0, 0, 0));
        final int signal = encoder.signal(rig.buffer, 0, own(1), 0, 0, rig.payload, 0, 32);
        assertEquals(0, Allocations.least(6, () ->
        {
            for (int i = 0; i < TURNS; i++)
            {
                nowNs += 1_000_000;
                writer.clear();
                for (int k = 0; k < 4; k++)
                {
                    writer.add(rig.buffer, 0, signal);
                }
                steady.run(writer.buffer(), 0, writer.finish(
                    1, steady.lastProposal() + 1, nowNs, steady.host().turn(), steady.outputHash()));
            }
        }));
        assertTrue(frames.get() > TURNS / 20, frames + " frames");
        assertTrue(steady.compared() >= TURNS);
    }

    private static final class Counter extends Quiet
    {
        private final AtomicInteger frames;

        Counter(final AtomicInteger frames)
        {
            this.frames = frames;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            opened.frameRate(60);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer source, final int offset, final int length)
        {
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames.incrementAndGet();
        }
    }

    private void begin()
    {
        run(propose(() -> add(encoder.hostResumed(rig.buffer, 0, 1, 1, 0))), 1);
        number = 1;
    }

    private void open(final long serial)
    {
        run(propose(() -> add(encoder.openRoom(
            rig.buffer, 0, own(serial), 1, 0, 0, Sender.TYPE, rig.payload, 0, 0))), number + 1);
        number++;
    }

    private void signal(final long roomId, final long action, final long argument)
    {
        rig.payload.putLong(0, action);
        rig.payload.putLong(8, argument);
        run(propose(() -> add(encoder.signal(rig.buffer, 0, roomId, 0, 0, rig.payload, 0, 16))), number + 1);
        number++;
    }

    /** A turn that leaves a trace. */
    private void turn()
    {
        run(propose(() -> add(encoder.kick(rig.buffer, 0, own(1), 5))), number + 1);
        number++;
    }

    private void add(final int length)
    {
        writer.add(rig.buffer, 0, length);
    }

    /** A proposal, not yet numbered. */
    private byte[] propose(final Runnable commands)
    {
        writer.clear();
        commands.run();
        final byte[] bytes = new byte[writer.finish(incarnation, number + 1, ++nowNs,
            runner.host().turn(), runner.outputHash())];
        writer.buffer().getBytes(0, bytes);
        return bytes;
    }

    private boolean run(final byte[] proposal, final long as)
    {
        final UnsafeBuffer numbered = numbered(proposal, as);
        return runner.run(numbered, 0, numbered.capacity());
    }

    private ProposalException refused(final byte[] proposal, final long as)
    {
        return assertThrows(ProposalException.class, () -> run(proposal, as));
    }

    private static UnsafeBuffer numbered(final byte[] proposal, final long as)
    {
        return ProposalForgery.numbered(proposal, as);
    }

    private ProposalRunner restored()
    {
        final ByteSink snapshot = new ByteSink();
        runner.host().snapshot(snapshot);
        return ProposalRunner.restore(rig.context(), snapshot.buffer(), 0, snapshot.length());
    }
}
