package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.timers.TimerWheel;
import org.agrona.concurrent.UnsafeBuffer;

/** What the rooms of a host share. A part of a room reaches its host through this and nothing else. */
final class RoomServices
{
    /** Learns that a room has closed. */
    interface CloseListener
    {
        void onClosed(RoomIdentity room);
    }

    final HostTime time;
    final TurnTrace trace;
    final TimerWheel wheel;
    final LinkTable links;
    final ThreadGuard guard = new ThreadGuard();
    final ControlOutput control = new ControlOutput();
    final OpenClaim claim = new OpenClaim();
    final DirtyRooms dirtyRooms;
    final RefusalCounts refusals;
    final Frames frames;
    final RateCaps rateCaps = new RateCaps();
    final HostListener listener;
    final System.Logger logger;
    final CloseListener closedRooms;
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
        final HostContext context, final FrameTarget.Prefetcher prefetcher, final CloseListener closedRooms)
    {
        this.closedRooms = closedRooms;
        listener = context.listener();
        logger = context.logger();
        final HashingOutputs hashing = null == context.turnLog() ? null : new HashingOutputs(context.outputs());
        unrecordedOutput = new OutputProxy(context.outputs());
        recordedOutput = null == hashing ? unrecordedOutput : new OutputProxy(hashing);
        time = new HostTime(context.epochMs());
        trace = new TurnTrace(time, context.turnLog(), hashing);
        links = new LinkTable(context.linkLimit());
        frames = new Frames(context.phaseGroups(), prefetcher);
        dirtyRooms = new DirtyRooms(context.roomLimit());
        refusals = new RefusalCounts(listener);
        // Every seat may wait for its grace, and every room for its flush and its refusals.
        final int nodes = context.timerLimit() + context.seatLimit() + TimerIds.EXTRA_NODES * context.roomLimit();
        wheel = new TimerWheel(context.wheelTickNs(), TimerWheel.bucketsFor(nodes), nodes);
    }

    OutputProxy outputOf(final RoomType type)
    {
        return type.isEphemeral() ? unrecordedOutput : recordedOutput;
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
     * Whether the room that runs has to settle. Each room settles at the end of its own step, so one flag serves all,
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
