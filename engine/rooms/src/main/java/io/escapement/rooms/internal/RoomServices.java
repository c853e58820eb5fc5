package io.escapement.rooms.internal;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.internal.loop.KeepingOutputs;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.Outputs;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/** The objects that the rooms of a host share. A part of a room reaches its host through this and nothing else. */
final class RoomServices
{
    final HostTime time;
    final TurnTrace trace;
    final TimerWheel wheel;
    final Incarnation incarnation;
    final LinkTable links;
    /** The state of the loop, or null. */
    final LoopLedger loop;
    final ThreadGuard guard = new ThreadGuard();
    final ControlOutput control = new ControlOutput();
    final OpenClaim claim = new OpenClaim();
    final PayloadView payload = new PayloadView();
    final JoinRequestView joinRequest = new JoinRequestView(guard);
    final JoinAnswers joinAnswers = new JoinAnswers();
    /** The logics of the open rooms, by identity. */
    final Set<RoomLogic> logics = Collections.newSetFromMap(new IdentityHashMap<>());
    final DirtyRooms dirtyRooms;
    final RefusalCounts refusals;
    final Frames frames;
    final RateCaps rateCaps = new RateCaps();
    final TypeLocks typeLocks = new TypeLocks();
    final HostListener listener;
    final System.Logger logger;
    /** Takes a room that has closed out of its host. */
    final Consumer<RoomIdentity> closedRooms;
    /** For claims that have no receiver, or no space. */
    final UnsafeBuffer scratch = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    /** Output that the turn log hashes. */
    final OutputProxy recordedOutput;
    /** Output of ephemeral rooms, by which a replay is not compared. */
    final OutputProxy unrecordedOutput;
    private boolean isDraining;
    private boolean isUnsettled;
    private Throwable broken;

    RoomServices(
        final TurnLogHeader config,
        final HostSinks sinks,
        final CachePrefetcher prefetcher,
        final Consumer<RoomIdentity> closedRooms)
    {
        this.closedRooms = closedRooms;
        listener = sinks.listener();
        logger = sinks.logger();
        refusals = new RefusalCounts(listener);
        loop = null == config.loopLimits() ? null : new LoopLedger(config.loopLimits());
        final Outputs kept =
            null == loop ? sinks.outputs() : new KeepingOutputs(sinks.outputs(), loop, refusals::counted);
        final HashingOutputs hashing = null == sinks.turnLog() ? null : new HashingOutputs(kept);
        unrecordedOutput = new OutputProxy(sinks.outputs());
        recordedOutput = null != hashing ? new OutputProxy(hashing) :
            null != loop ? new OutputProxy(kept) : unrecordedOutput;
        time = new HostTime(config.epochMs());
        incarnation = new Incarnation(time);
        trace = new TurnTrace(time, sinks.turnLog(), hashing);
        links = new LinkTable(config.linkLimit());
        frames = new Frames(config.phaseGroups(), prefetcher, new FrameCalls(this));
        dirtyRooms = new DirtyRooms(config.roomLimit());
        // Every seat may wait for its grace, and every room for its flush and its refusals.
        final int nodes = config.timerLimit() + config.seatLimit() + EngineTimer.EXTRA_NODES * config.roomLimit();
        wheel = new TimerWheel(config.wheelTickNs(), TimerWheel.bucketsFor(nodes), nodes);
    }

    OutputProxy outputOf(final RoomType type)
    {
        return type.isEphemeral() ? unrecordedOutput : recordedOutput;
    }

    /** A callback has returned. */
    void exitCallback(final RoomIdentity room)
    {
        if (guard.clearInterrupt())
        {
            throw new InterruptedCallbackException();
        }
        leaveCallback(room);
    }

    /** Hand over what a callback sent to others than its players. */
    void leaveCallback(final RoomIdentity room)
    {
        guard.exit();
        claim.drop();
        if (!control.isEmpty())
        {
            control.handOver(outputOf(room.type()).outputs());
        }
    }

    boolean isDraining()
    {
        return isDraining;
    }

    void draining(final boolean value)
    {
        isDraining = value;
    }

    /**
     * Whether the room that runs has to settle. Each room settles at the end of its step, so one flag serves all,
     * and a room that has nothing to settle is not touched for it.
     */
    boolean isUnsettled()
    {
        return isUnsettled;
    }

    void unsettled(final boolean value)
    {
        isUnsettled = value;
    }

    /** The JVM failed inside a callback: the host cannot run another turn. */
    void onBroken(final Throwable cause)
    {
        broken = cause;
    }

    Throwable broken()
    {
        return broken;
    }
}
