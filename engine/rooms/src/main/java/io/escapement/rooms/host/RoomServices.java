package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.output.HostListener;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The objects that the rooms of a host share. A part of a room reaches its host only through this. */
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
    final JoinRequestView joinRequest = new JoinRequestView(guard);
    final JoinAnswers joinAnswers = new JoinAnswers();
    /** The logics of the open rooms, by identity. */
    final Set<RoomLogic> logics = Collections.newSetFromMap(new IdentityHashMap<>());
    final DirtyRooms dirtyRooms;
    final RefusalCounts refusals;
    final Frames frames;
    final RateCaps rateCaps = new RateCaps();
    final TypeLocks typeLocks = new TypeLocks();
    final HostLogger logger;
    /** For claims that have no receiver, or no space. */
    final UnsafeBuffer scratch = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    /** The claim of the callback that runs. */
    final UnsafeBuffer claim = new UnsafeBuffer(0, 0);
    final HostOutput output;
    final OutputProxy proxy;
    /** Entries that a new directory must get. They are output of no turn. */
    final OutputProxy directory;
    private final HostOutput directoryOutput;
    private final HostListener target;
    private HostListener listener;
    /** Of the room that was opened last. Most rooms have the limits of their type, and share them. */
    private RoomLimits lastLimits;
    /** Memory of an empty payload. It is written to only when Agrona's bounds checks are switched off. */
    private final byte[] nothing = new byte[8 * 1024];
    private final UnsafeBuffer payload = new UnsafeBuffer(nothing, 0, 0);
    /** Of the room with a claim that its callback has not committed yet. Null without such a room. */
    private RoomOutput openClaim;
    private boolean isDraining;
    private boolean isUnsettled;
    private Throwable broken;

    RoomServices(final RoomHost host, final HostConfig config, final HostContext context)
    {
        this.host = host;
        target = context.listener();
        listener = target;
        logger = context.logger();
        refusals = new RefusalCounts(listener);
        loop = new LoopLedger(config.loopLimits());
        output = new HostOutput(context.outputs(), loop, refusals, context.isHashed());
        proxy = new OutputProxy(output);
        directoryOutput = new HostOutput(context.outputs(), loop, refusals, false);
        directory = new OutputProxy(directoryOutput);
        time = new HostTime(config.epochMs());
        incarnation = new Incarnation(time);
        links = new LinkTable(config.linkLimit());
        frames = new Frames(config.phaseGroups(), this);
        dirtyRooms = new DirtyRooms(config.roomLimit());
        // Every seat may wait for its grace, and every room for its flush and its refusals.
        final int nodes = config.timerLimit() + config.seatLimit() + EngineTimer.EXTRA_NODES * config.roomLimit();
        wheel = new TimerWheel(config.wheelTickNs(), TimerWheel.bucketsFor(nodes), nodes);
    }

    /** Whether output, events and log lines leave. Turns compute all of them in any case. */
    void live(final boolean value)
    {
        listener = value ? target : HostListener.NONE;
        refusals.listener(listener);
        output.live(value);
        directoryOutput.live(value);
        logger.live(value);
    }

    HostListener listener()
    {
        return listener;
    }

    /** A room of these limits opens. Returns the limits of the room before it, if they are equal. */
    RoomLimits shared(final RoomLimits limits)
    {
        lastLimits = limits.equals(lastLimits) ? lastLimits : limits;
        return lastLimits;
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

    /**
     * The buffer that a logic receives: exactly the payload. A read beyond it throws here and in a replay, and does not
     * return bytes of another command. One view serves all rooms, because one callback runs at a time. After the
     * callback it is empty. If a logic keeps it, a later read throws.
     */
    DirectBuffer payload(final DirectBuffer buffer, final int offset, final int length)
    {
        payload.wrap(buffer, offset, length);
        return payload;
    }

    void releasePayload()
    {
        release(payload);
    }

    /** Make a view empty that must not be used any more. */
    void release(final UnsafeBuffer used)
    {
        used.wrap(nothing, 0, 0);
    }

    void openClaim(final RoomOutput claimed)
    {
        openClaim = claimed;
    }

    /** Hand over the messages of a callback to others than its players. */
    void leaveCallback()
    {
        guard.exit();
        if (null != openClaim)
        {
            // A callback that returns without its commit has taken the claim back.
            openClaim.dropClaim();
        }
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
     * Whether the running room must settle. Each room settles at the end of its step. Therefore one flag serves all,
     * and a room without requests is not touched for it.
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
