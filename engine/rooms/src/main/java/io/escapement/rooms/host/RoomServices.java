package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.output.HostListener;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/** The objects that the rooms of a host share. A part of a room reaches its host through this and nothing else. */
final class RoomServices
{
    final RoomHost host;
    final HostTime time;
    final TimerWheel wheel;
    final Incarnation incarnation;
    final LinkTable links;
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
    /** For claims that have no receiver, or no space. */
    final UnsafeBuffer scratch = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    final HostOutput output;
    final OutputProxy proxy;
    /** Entries that a new directory must get, which are output of no turn. */
    final OutputProxy directory;
    private boolean isDraining;
    private boolean isUnsettled;
    private Throwable broken;

    RoomServices(final RoomHost host, final TurnLogHeader config, final HostContext context)
    {
        this.host = host;
        listener = context.listener();
        logger = context.logger();
        refusals = new RefusalCounts(listener);
        loop = new LoopLedger(config.loopLimits());
        output = new HostOutput(context.outputs(), loop, refusals, null != context.turnLog());
        proxy = new OutputProxy(output);
        directory = new OutputProxy(new HostOutput(context.outputs(), loop, refusals, false));
        time = new HostTime(config.epochMs());
        incarnation = new Incarnation(time);
        links = new LinkTable(config.linkLimit());
        frames = new Frames(config.phaseGroups(), host.prefetcher(), new FrameCalls(this));
        dirtyRooms = new DirtyRooms(config.roomLimit());
        // Every seat may wait for its grace, and every room for its flush and its refusals.
        final int nodes = config.timerLimit() + config.seatLimit() + EngineTimer.EXTRA_NODES * config.roomLimit();
        wheel = new TimerWheel(config.wheelTickNs(), TimerWheel.bucketsFor(nodes), nodes);
    }

    /** A callback has returned. */
    void exitCallback()
    {
        if (guard.clearInterrupt())
        {
            throw new InterruptedCallbackException();
        }
        leaveCallback();
    }

    /** Hand over what a callback sent to others than its players. */
    void leaveCallback()
    {
        guard.exit();
        claim.drop();
        if (!control.isEmpty())
        {
            control.handOver(output);
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
