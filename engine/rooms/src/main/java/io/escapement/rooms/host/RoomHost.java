package io.escapement.rooms.host;

import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.internal.HostSinks;
import io.escapement.rooms.internal.TurnRunner;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.RecordSink;
import io.escapement.rooms.output.RoomFigures;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Runs many rooms, one turn after another. The same commands and times give the same result wherever they run.
 *
 * <p>A turn is {@link #beginTurn(long)}, any number of {@link #onCommand}, and {@link #endTurn()}, all on one thread.
 * It has one time, and runs in this order: commands as they come, timers that are due, frames that are due. A turn in
 * which none of them ran leaves no trace. Nothing here throws because of the content of a command; it is refused with a
 * code.
 */
public final class RoomHost
{
    /** Most commands to pass to {@link #prefetch} before {@link #runPrefetch()}. */
    public static final int PREFETCH_LIMIT = TurnRunner.PREFETCH_LIMIT;

    /** With fewer rooms the caches hold them all, and prefetching costs more than it saves. */
    public static final int PREFETCH_MIN_ROOMS = 512;

    private final HostContext context;
    private final TurnRunner turns;
    private boolean isInTurn;

    /**
     * Make an empty host.
     *
     * @param context concluded here if it is not yet.
     */
    public RoomHost(final HostContext context)
    {
        this.context = context.conclude();
        turns = new TurnRunner(context.limits(), context.types(),
            new HostSinks(context.outputs(), context.turnLog(), context.listener(), context.logger()));
    }

    /**
     * Begin a turn.
     *
     * @param timeNs of the turn, since the host was made; a time before that of the last turn counts as that time.
     */
    public void beginTurn(final long timeNs)
    {
        if (isInTurn || !turns.isIdle() || null != turns.broken())
        {
            refuseTurn();
        }

        isInTurn = true;
        turns.begin(timeNs);
    }

    /**
     * Run a command.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return 0 when it was done, otherwise the code of its refusal, which is counted and sent to the command's sender
     * if it has one.
     */
    public int onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isInTurn || !turns.isIdle())
        {
            refuseCommand();
        }

        return turns.onCommand(buffer, offset, length);
    }

    /**
     * Run the commands that rooms of this loop had sent to each other when the turn began. A turn begins with it, only
     * FailedAt commands come before; a {@code Replay} depends on that.
     *
     * @return how many were run.
     */
    public int runReturns()
    {
        if (!isInTurn || !turns.isIdle())
        {
            refuseCommand();
        }

        return turns.runReturns();
    }

    /**
     * Run the next command that a room of this loop had sent to another, from the bytes of a log.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return whether it was run: false if the next one is another, or there is none.
     */
    public boolean onReturn(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isInTurn || !turns.isIdle())
        {
            refuseCommand();
        }

        if (!turns.isNextReturn(buffer, offset, length))
        {
            return false;
        }
        turns.onReturn(buffer, offset, length);
        return true;
    }

    /** The commands that rooms have sent and nobody has answered. Who runs the host sends from it. */
    public LoopState loopState()
    {
        return turns.loopState();
    }

    /** Number of the last HostResumed, 0 before the first. */
    public int incarnation()
    {
        return turns.incarnation();
    }

    /** The node that leads this incarnation, as the last HostResumed named it. */
    public int memberId()
    {
        return turns.memberId();
    }

    /** Number of the last proposal that ran, which snapshots contain; 0 if turns are not proposed. */
    public long proposal()
    {
        return turns.proposal();
    }

    /**
     * Note the proposal whose turn has ended. For the runner of proposals, between turns.
     *
     * @param number of the proposal.
     */
    public void proposal(final long number)
    {
        checkBetweenTurns();
        turns.proposal(number);
    }

    /**
     * Run a closure in an ephemeral room.
     *
     * @param roomId of the room.
     * @param task   to run.
     * @return 0 when it was run, otherwise the refusal's code.
     */
    public int execute(final long roomId, final RoomTask task)
    {
        if (!isInTurn || !turns.isIdle())
        {
            refuseCommand();
        }

        return turns.execute(roomId, task);
    }

    /**
     * End the turn: run the timers and the frames that are due, and flush the output of the rooms.
     *
     * @return the time at which the next turn is due if no command comes before.
     */
    public long endTurn()
    {
        if (!isInTurn || !turns.isIdle())
        {
            refuseEnd();
        }

        turns.runDue();
        isInTurn = false;
        turns.end();
        return turns.nextDeadlineNs();
    }

    /**
     * Announce a command that will follow soon. Announce up to {@link #PREFETCH_LIMIT} consecutive commands, call
     * {@link #runPrefetch()}, then run them. It is a hint and changes no state.
     *
     * @param buffer with the command, which need not be valid.
     * @param offset of its message header.
     * @param length of the command in bytes.
     */
    public void prefetch(final DirectBuffer buffer, final int offset, final int length)
    {
        turns.prefetch(buffer, offset, length);
    }

    /** Load what the announced commands will touch into the cache, so that their cache misses overlap. */
    public void runPrefetch()
    {
        turns.runPrefetch();
    }

    /**
     * Load what the next frames will touch into the cache, a few rooms in each call. Changes no state.
     *
     * @param untilNs latest deadline of the frames.
     */
    public void warmCaches(final long untilNs)
    {
        turns.warmCaches(untilNs);
    }

    /** Running hash of all output up to the last turn that left a trace; 0 without a turn log. Between turns only. */
    public long outputHash()
    {
        checkBetweenTurns();
        return turns.outputHash();
    }

    /** Number of the last turn that left a trace. */
    public long turn()
    {
        return turns.turn();
    }

    /** Time of the current or last turn, in nanoseconds since the host was made. */
    public long nowNs()
    {
        return turns.nowNs();
    }

    /** Number of open rooms. */
    public int openRooms()
    {
        return turns.openRooms();
    }

    /**
     * The open rooms, in the order in which they opened. Between turns only.
     *
     * @return their ids, in a new array.
     */
    public long[] openRoomIds()
    {
        checkBetweenTurns();
        return turns.openRoomIds();
    }

    /**
     * Id of the type of an open room. Between turns only.
     *
     * @param roomId one of {@link #openRoomIds()}.
     */
    public int typeOf(final long roomId)
    {
        checkBetweenTurns();
        return turns.typeOf(roomId);
    }

    /**
     * Version of the logic of an open room. Between turns only.
     *
     * @param roomId one of {@link #openRoomIds()}.
     */
    public int versionOf(final long roomId)
    {
        checkBetweenTurns();
        return turns.versionOf(roomId);
    }

    /**
     * Version with which rooms of a type open. Between turns only.
     *
     * @param typeId of the type.
     */
    public int openingVersion(final int typeId)
    {
        checkBetweenTurns();
        return turns.openingVersion(typeId);
    }

    /**
     * Register another version of a room type. It changes nothing before a Reload names it, so register it with every
     * host that may run that Reload: live, in a replay, and on the other nodes. From any thread; publish the Reload
     * after this returns.
     *
     * @param type frozen by this call; of the same id and name as one of the host's.
     */
    public void register(final RoomType type)
    {
        context.types().add(type);
    }

    /**
     * Whether a version of a room type is registered. From any thread.
     *
     * @param typeId  of the type.
     * @param version of its logic.
     */
    public boolean isRegistered(final int typeId, final int version)
    {
        return context.isRegistered(typeId, version);
    }

    /** Number of links that are up. */
    public int linksUp()
    {
        return turns.linksUp();
    }

    /**
     * Whether seats are present through a link, or held for its trunk.
     *
     * @param link number of the link.
     */
    public boolean hasSeats(final int link)
    {
        return turns.hasSeats(link);
    }

    /**
     * Number of seats that are present through a link, or held for its trunk.
     *
     * @param link number of the link.
     */
    public int seats(final int link)
    {
        return turns.seats(link);
    }

    /**
     * The trunk of a link that is up, or whose seats are held.
     *
     * @param link number of the link.
     * @return id of the trunk, or 0.
     */
    public long trunkOf(final int link)
    {
        return turns.trunkOf(link);
    }

    /**
     * The room whose logic is running, for a watchdog. The only method that another thread may call; its result may be
     * out of date by then.
     *
     * @return the room's id, 0 if none is running.
     */
    public long runningRoomId()
    {
        return turns.runningRoomId();
    }

    /** Number of nodes of the timing wheel in use: timers of rooms, held seats, flushes that wait. */
    public int pendingTimers()
    {
        return turns.pendingTimers();
    }

    /**
     * Number of refusals with a code.
     *
     * @param code of the engine; all codes of applications share one count.
     */
    public long refusals(final int code)
    {
        return turns.refusals(code);
    }

    /** Hash of everything that the future depends on. Between turns only. */
    public long stateHash()
    {
        checkBetweenTurns();
        return turns.stateHash();
    }

    /**
     * Hash of one room, which is the same whether it runs alone or among others. Between turns only.
     *
     * @param roomId of the room.
     * @return the hash, or 0 if no such room is open.
     */
    public long stateHash(final long roomId)
    {
        checkBetweenTurns();
        return turns.stateHash(roomId);
    }

    /** Write the state hash to the turn log, unless no turn has left a trace since the last one. Between turns only. */
    public void logStateHash()
    {
        checkBetweenTurns();
        turns.logStateHash();
    }

    /**
     * Write a snapshot of the host, whose rooms must not be ephemeral. Between turns only.
     *
     * @param sink that takes the bytes.
     */
    public void snapshot(final RecordSink sink)
    {
        checkSnapshot();
        turns.snapshot(context.header(), sink);
    }

    /**
     * Begin a snapshot of the host as it is now, which is completed while the next turns run.
     * Its bytes are those that {@link #snapshot} would write now. A room is copied by {@link #fillImage}, or before it
     * changes, whichever is first. Between turns only, and once the last image is complete or has failed.
     *
     * @param image to fill; its last content is forgotten.
     */
    public void beginImage(final HostImage image)
    {
        checkSnapshot();
        turns.beginSnapshot(context.header(), image.records);
    }

    /**
     * Write the host's own state and some rooms as an image does, and forget their bytes, so that the code is loaded
     * and compiled when an image begins. Between turns only.
     *
     * @param count of rooms, from 0.
     * @return how many were written; fewer if fewer are open.
     */
    public int rehearseImage(final int count)
    {
        checkBetweenTurns();
        return turns.rehearseSnapshot(context.header(), count);
    }

    /**
     * Copy rooms to the image that was begun. Nothing if none was, or it is complete. Between turns only.
     *
     * @param bytes that the rooms should have together, if as many are left.
     */
    public void fillImage(final long bytes)
    {
        checkBetweenTurns();
        turns.fillSnapshot(bytes);
    }

    /**
     * Make a host from a snapshot. All of it is verified before any of it is used.
     *
     * @param context of the new host; its limits must be those of the host that wrote the snapshot.
     * @param buffer  with the snapshot.
     * @param offset  of the snapshot.
     * @param length  of the snapshot in bytes.
     * @return a host that continues exactly as the first would have, once a new directory has got {@link #announce()}
     * and {@link #subscribeAgain()}.
     */
    public static RoomHost restore(
        final HostContext context, final DirectBuffer buffer, final int offset, final int length)
    {
        final RoomHost host = new RoomHost(context);
        host.turns.restore(context.header(), context.isOtherAccepted(), buffer, offset, length);
        return host;
    }

    /** Publish every room, its seats and its labels to the outputs, as a directory needs after a restore. */
    public void announce()
    {
        checkBetweenTurns();
        turns.announce();
    }

    /**
     * Send the subscriptions of the rooms to the directory once more, as a directory needs after a restore, behind
     * {@link #announce()}. Each room is sent a RESET, and then gets every entry. A directory that has the subscriptions
     * already would send every entry twice.
     */
    public void subscribeAgain()
    {
        checkBetweenTurns();
        turns.subscribeAgain();
    }

    /**
     * Whether a room is open. Between turns only.
     *
     * @param roomId of the room.
     */
    public boolean isOpen(final long roomId)
    {
        checkBetweenTurns();
        return turns.isOpen(roomId);
    }

    /**
     * Visit the seats of an open room that have a player. Between turns only.
     *
     * @param roomId  one of {@link #openRoomIds()}.
     * @param visitor of the seats, which it may only read.
     */
    public void forEachSeat(final long roomId, final Consumer<Seat> visitor)
    {
        checkBetweenTurns();
        turns.forEachSeat(roomId, visitor);
    }

    /**
     * Seats of an open room that nobody can take: taken, reserved, or about to be freed.
     *
     * @param roomId one of {@link #openRoomIds()}.
     */
    public int seatsOccupied(final long roomId)
    {
        return turns.seatsOccupied(roomId);
    }

    /**
     * Sequence of the last message that a seat had accepted. Between turns only.
     *
     * @param roomId    one of {@link #openRoomIds()}.
     * @param seatIndex of one of its seats.
     */
    public long lastSequence(final long roomId, final int seatIndex)
    {
        checkBetweenTurns();
        return turns.lastSequence(roomId, seatIndex);
    }

    /**
     * Time since an open room was opened or restored.
     *
     * @param roomId one of {@link #openRoomIds()}.
     */
    public long ageNs(final long roomId)
    {
        return turns.ageNs(roomId);
    }

    /**
     * Figures of an open room. Between turns only.
     *
     * @param roomId one of {@link #openRoomIds()}.
     */
    public RoomFigures figures(final long roomId)
    {
        checkBetweenTurns();
        return turns.figures(roomId);
    }

    /**
     * The logic of an open room, to be read between turns. Whoever changes it breaks the room's determinism.
     *
     * @param roomId one of {@link #openRoomIds()}.
     */
    public RoomLogic logic(final long roomId)
    {
        checkBetweenTurns();
        return turns.logic(roomId);
    }

    private void checkSnapshot()
    {
        checkBetweenTurns();
        if (context.isEphemeral())
        {
            throw new IllegalStateException("ephemeral rooms have no snapshot");
        }
    }

    private void checkBetweenTurns()
    {
        if (isInTurn || !turns.isIdle())
        {
            throw new IllegalStateException("a turn is running: call this between endTurn and beginTurn");
        }
    }

    private void refuseTurn()
    {
        throw null != turns.broken() ?
            new IllegalStateException("the JVM failed inside a callback, the host cannot continue", turns.broken()) :
            new IllegalStateException("the last turn was not ended: call endTurn first");
    }

    private void refuseEnd()
    {
        throw new IllegalStateException(
            isInTurn ? "endTurn from inside a callback" : "endTurn outside a turn: call beginTurn first");
    }

    private void refuseCommand()
    {
        throw new IllegalStateException(
            isInTurn ? "a command from inside a callback" : "a command outside a turn: call beginTurn first");
    }
}
