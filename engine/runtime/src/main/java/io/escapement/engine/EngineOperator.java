package io.escapement.engine;

import io.escapement.codecs.Codes;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.config.ConfigException;
import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopReload;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.monitor.FaultReporter;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.service.ServiceDefinition;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.engine.monitor.TrunkReport;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.RoomFigures;
import io.escapement.rooms.replay.RoomPast;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads and operates a running engine, for a console. From any thread except a loop's. No method blocks. Each operation
 * is a command of the loops' logs, so that a replay repeats it. A list of rooms is read by the loop between two turns,
 * and its size is bounded, because the loop runs no room while it reads.
 *
 * <p>A future fails with {@link RejectedExecutionException} when the inbox that it needs is full: retry later. Wait for
 * it with a timeout: a loop that hangs does not complete it. Blocking code must not depend on a future, because it
 * would run in the loop's thread.
 */
public final class EngineOperator
{
    /** Most rooms that one list looks at. */
    public static final int SCAN_LIMIT = 1_024;
    /** Most rooms in one list, and most seats in one room's list. */
    public static final int LIST_LIMIT = 200;
    /** Instead of a room type: all of them. */
    public static final int ANY_TYPE = -1;

    /** Begins the message of a refusal to write a bundle: the engine has no log of its turns. */
    public static final String NO_LOG = "NO_LOG";

    private static final String NO_JOURNAL =
        NO_LOG + ": the engine has no journal of its turns: set EngineContext.durability";
    private static final int COMMAND_LENGTH = 64;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final EngineContext context;
    private final EngineQueues queues;
    private final LoopAgent[] loops;
    private final ReplicatedLog.Node node;
    private final EngineCounters counters;
    private final FaultReporter faults;
    private final RoomPasts pasts;
    private final BooleanSupplier isDraining;
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[COMMAND_LENGTH]);

    /** Receives counters. */
    @FunctionalInterface
    public interface CounterVisitor
    {
        /**
         * Receive a counter.
         *
         * @param typeId  as in the counters file.
         * @param label   as in the counters file.
         * @param isGauge whether the value may decrease.
         * @param value   now.
         */
        void counter(int typeId, String label, boolean isGauge, long value);
    }

    /**
     * A fault that was reported to the error handler, or a stall.
     *
     * @param timeMs of the report, in epoch milliseconds.
     * @param cause  of the report.
     */
    public record Fault(long timeMs, Throwable cause)
    {
    }

    /**
     * A room in a list.
     *
     * @param roomId   of the room.
     * @param typeId   of its type.
     * @param occupied seats that players cannot take.
     * @param ageNs    since it was opened or restored.
     */
    public record Room(long roomId, int typeId, int occupied, long ageNs)
    {
    }

    /**
     * A service that rooms send requests to.
     *
     * @param id      that rooms use.
     * @param name    of the service.
     * @param workers its threads.
     * @param queued  requests that wait for a worker.
     */
    public record Service(int id, String name, int workers, long queued)
    {
    }

    /**
     * A part of a loop's rooms.
     *
     * @param open  rooms that are open on the loop.
     * @param next  position at which the next list starts, or {@code open} if this was the last.
     * @param rooms of the list, in the order in which they opened.
     */
    public record RoomList(int open, int next, List<Room> rooms)
    {
    }

    /**
     * A seat with a player.
     *
     * @param index     of the seat.
     * @param playerId  of the player.
     * @param isPresent whether the player is present. Otherwise the seat is held.
     * @param sequence  of the last message that was accepted.
     */
    public record Seat(int index, long playerId, boolean isPresent, long sequence)
    {
    }

    /**
     * The result of a reload.
     *
     * @param rooms        that were taken over.
     * @param refused      rooms that keep their version.
     * @param firstRefused the first refusal, or null. Its room id is 0 if the rooms that open from now on were refused.
     */
    public record Reload(int rooms, int refused, Refusal firstRefused)
    {
    }

    /**
     * Why a room keeps its version.
     *
     * @param roomId of the room.
     * @param code   a {@code RefusalCode}.
     * @param cause  thrown by the new version, or naming the option that does not hold the room. It can be null.
     */
    public record Refusal(long roomId, int code, Throwable cause)
    {
    }

    EngineOperator(
        final EngineContext context,
        final EngineQueues queues,
        final LoopAgent[] loops,
        final ReplicatedLog.Node node,
        final EngineCounters counters,
        final FaultReporter faults,
        final RoomPasts pasts,
        final BooleanSupplier isDraining)
    {
        this.context = context;
        this.queues = queues;
        this.loops = loops;
        this.node = node;
        this.counters = counters;
        this.faults = faults;
        this.pasts = pasts;
        this.isDraining = isDraining;
    }

    /** The room types of the engine, each in one version. */
    public List<RoomType> roomTypes()
    {
        return context.roomTypes();
    }

    /** Visit all counters. */
    public void forEachCounter(final CounterVisitor visitor)
    {
        for (final EngineCounters.Named named : counters.all())
        {
            visitor.counter(named.typeId(), named.label(), named.isGauge(), named.counter().getAcquire());
        }
    }

    /**
     * Commands that wait in a loop's ring. The ring has the players' commands.
     *
     * @param loop from 0.
     */
    public long ringSize(final int loop)
    {
        return queues.rings[loop].size();
    }

    /**
     * Commands that wait in a loop's inbox. The inbox has commands of other loops, services and the application.
     *
     * @param loop from 0.
     */
    public long inboxSize(final int loop)
    {
        return queues.inboxes[loop].size();
    }

    /**
     * The room with running logic, for a profiler that samples it.
     *
     * @param loop from 0.
     * @return the room's id, 0 if no room is running. It may be out of date.
     */
    public long runningRoom(final int loop)
    {
        return loops[loop].host().runningRoomId();
    }

    /** The services, with the requests that wait for them now. */
    public List<Service> services()
    {
        final List<Service> services = new ArrayList<>();
        for (final ServiceDefinition service : context.services())
        {
            long queued = 0;
            for (final CommandQueue queue : queues.workersByServiceIdMap.get(service.id()))
            {
                queued += queue.size();
            }
            services.add(new Service(service.id(), service.name(), service.workers(), queued));
        }
        return services;
    }

    /** The last faults and stalls, oldest first. */
    public List<Fault> faults()
    {
        final List<Fault> all = new ArrayList<>();
        faults.remembered().forEach((fault) -> all.add(new Fault(fault.timeMs(), fault.cause())));
        return all;
    }

    /** Whether the engine is draining. */
    public boolean isDraining()
    {
        return isDraining.getAsBoolean();
    }

    /**
     * List rooms of a loop.
     *
     * @param loop   from 0.
     * @param typeId of the rooms, or {@link #ANY_TYPE}.
     * @param from   start position, at first 0.
     * @return the list, which the loop completes between two turns.
     */
    public CompletableFuture<RoomList> rooms(final int loop, final int typeId, final int from)
    {
        return inspect(loop, (agent) -> list(agent.host(), typeId, Math.max(0, from)));
    }

    /**
     * List the seats of a room.
     *
     * @param roomId of the room.
     * @return its seats with a player, at most {@link #LIST_LIMIT}. Completed with null if no such room is open.
     */
    public CompletableFuture<List<Seat>> seats(final long roomId)
    {
        return isOnLoop(roomId) ? inspect(TrunkMessages.loopOf(roomId), (agent) -> seats(agent.host(), roomId)) :
            CompletableFuture.completedFuture(null);
    }

    /**
     * Find rooms of a loop.
     *
     * @param loop    from 0.
     * @param roomIds of the rooms, at most {@link #LIST_LIMIT}.
     * @return the open rooms.
     */
    public CompletableFuture<List<Room>> rooms(final int loop, final List<Long> roomIds)
    {
        final List<Long> wanted = roomIds.stream().limit(LIST_LIMIT).toList();
        return inspect(loop, (agent) ->
            wanted.stream().map((roomId) -> room(agent.host(), roomId)).filter(Objects::nonNull).toList());
    }

    /**
     * Read the figures of a room.
     *
     * @param roomId of the room.
     * @return the figures. Completed with null if no such room is open.
     */
    public CompletableFuture<RoomFigures> figures(final long roomId)
    {
        return isOnLoop(roomId) ? inspect(TrunkMessages.loopOf(roomId), (agent) ->
            agent.host().isOpen(roomId) ? agent.host().figures(roomId) : null) :
            CompletableFuture.completedFuture(null);
    }

    /**
     * Find a room.
     *
     * @param roomId of the room.
     * @return the room. Completed with null if no such room is open.
     */
    public CompletableFuture<Room> room(final long roomId)
    {
        return isOnLoop(roomId) ? inspect(TrunkMessages.loopOf(roomId), (agent) -> room(agent.host(), roomId)) :
            CompletableFuture.completedFuture(null);
    }

    /**
     * Read a room's logic between two turns, for example for an operator's page.
     *
     * @param roomId of the room.
     * @param reader gets the logic in the thread of its loop. It returns soon, keeps no reference to the room and does
     *               not change it. A change would not be in the log, and a replay would differ.
     * @return the reader's result. Completed with null if no such room is open, exceptionally if the reader threw.
     */
    public <T> CompletableFuture<T> read(final long roomId, final Function<RoomLogic, T> reader)
    {
        return isOnLoop(roomId) ? inspect(TrunkMessages.loopOf(roomId), (agent) ->
            agent.host().isOpen(roomId) ? reader.apply(agent.host().logic(roomId)) : null) :
            CompletableFuture.completedFuture(null);
    }

    /**
     * List the trunks.
     *
     * @return all of them, which the edge completes.
     */
    public CompletableFuture<List<TrunkReport>> trunks()
    {
        final CompletableFuture<List<TrunkReport>> result = new CompletableFuture<>();
        final Consumer<EdgeAgent> inspection = (edge) ->
            result.complete(edge.trunks());
        if (!queues.edgeInbox.offer(ControlSignal.INSPECT, inspection, NOTHING, 0, 0))
        {
            result.completeExceptionally(new RejectedExecutionException("the inbox of the edge is full"));
        }
        return result;
    }

    /**
     * List a loop's sides of the trunks that are attached to it.
     *
     * @param loop from 0.
     * @return all of them.
     */
    public CompletableFuture<List<LinkReport>> links(final int loop)
    {
        return inspect(loop, LoopAgent::links);
    }

    /**
     * Close a room.
     *
     * @param roomId of the room.
     * @return false if the inbox of its loop is full, or it has no loop here.
     */
    public synchronized boolean closeRoom(final long roomId)
    {
        return isOnLoop(roomId) && offer(TrunkMessages.loopOf(roomId), commands.closeRoom(command, 0, roomId));
    }

    /**
     * Close a room, and send the reason to its players.
     *
     * @param roomId of the room.
     * @param code   of the application, from {@link Codes#FIRST_APPLICATION_CODE} to {@link Codes#LAST_CODE}: each
     *               player gets it with its Left, and the room's logic in onLeave.
     * @return false if the inbox of its loop is full, or it has no loop here.
     */
    public synchronized boolean closeRoom(final long roomId, final int code)
    {
        Codes.checkApplication(code);
        return isOnLoop(roomId) &&
            offer(TrunkMessages.loopOf(roomId), commands.closeRoom(command, 0, roomId, code));
    }

    /**
     * Remove a player from a room.
     *
     * @param roomId   of the room.
     * @param playerId of the player.
     * @return false if the inbox of the room's loop is full, or it has no loop here.
     */
    public synchronized boolean kick(final long roomId, final long playerId)
    {
        return isOnLoop(roomId) && offer(TrunkMessages.loopOf(roomId), commands.kick(command, 0, roomId, playerId));
    }

    /**
     * Remove a player from a room, and send it the reason.
     *
     * @param roomId   of the room.
     * @param playerId of the player.
     * @param code     of the application, from {@link Codes#FIRST_APPLICATION_CODE} to {@link Codes#LAST_CODE}: the
     *                 player gets it with its Left, and the room's logic in onLeave.
     * @return false if the inbox of the room's loop is full, or it has no loop here.
     */
    public synchronized boolean kick(final long roomId, final long playerId, final int code)
    {
        Codes.checkApplication(code);
        return isOnLoop(roomId) &&
            offer(TrunkMessages.loopOf(roomId), commands.kick(command, 0, roomId, playerId, code));
    }

    /**
     * Remove players from all rooms of this engine and void their tokens, so that they must log in before they rejoin.
     * The players get Left with the reason KICKED. A join or a log-in that is under way may complete after this: repeat
     * the call, once per second for as long as a room of the game may take to decide about a join. Because trusted
     * trunks need no tokens, their players can rejoin.
     *
     * @param playerIds of the players.
     * @return false if an inbox is full: then some players are still in. Repeat the call. It is also false while the
     * engine drains, which frees all seats.
     */
    public boolean removePlayers(final long... playerIds)
    {
        if (isDraining())
        {
            // A drain reports commands that are left in a queue.
            return false;
        }
        final long[] copy = playerIds.clone();
        final LongHashSet players = new LongHashSet();
        for (final long playerId : copy)
        {
            players.add(playerId);
        }
        final Consumer<EdgeAgent> atEdge = (edge) -> edge.endLogIns(copy);
        boolean isSent = queues.edgeInbox.offer(ControlSignal.INSPECT, atEdge, NOTHING, 0, 0);
        for (int i = 0; i < queues.inboxes.length; i++)
        {
            isSent &= removePlayers(i, players, 0);
        }
        return isSent;
    }

    /** In parts, because the loop runs no room while it searches. */
    private boolean removePlayers(final int loop, final LongHashSet players, final int from)
    {
        final CommandQueue inbox = queues.inboxes[loop];
        final Consumer<LoopAgent> search = (agent) ->
        {
            // The operator's own encoder is for other threads.
            final RoomEncoder encoder = new RoomEncoder();
            final UnsafeBuffer kick = new UnsafeBuffer(new byte[COMMAND_LENGTH]);
            final RoomHost host = agent.host();
            final long[] ids = host.openRoomIds();
            final int end = Math.min(ids.length, from + SCAN_LIMIT);
            for (int at = from; at < end; at++)
            {
                final long roomId = ids[at];
                host.forEachSeat(roomId, (seat) ->
                {
                    if (players.contains(seat.playerId()))
                    {
                        inbox.offer(ControlSignal.COMMAND, null, kick, 0,
                            encoder.kick(kick, 0, roomId, seat.playerId()));
                    }
                });
            }
            if (end < ids.length)
            {
                removePlayers(loop, players, end);
            }
        };
        return inbox.offer(ControlSignal.INSPECT, search, NOTHING, 0, 0);
    }

    /**
     * Write a bundle of an open room, its log up to now, as for a room that fails: see {@link EngineContext#bundles}.
     * When a player reports something, the game's code calls this with the player's room.
     *
     * @param roomId of the room.
     * @return the file, completed in the thread of bundles, or the reason for its absence. Without a log it is an
     * {@link IllegalStateException} with a message that starts with {@link #NO_LOG}.
     */
    public CompletableFuture<Path> bundle(final long roomId)
    {
        if (null == pasts || null == pasts.bundles())
        {
            return CompletableFuture.failedFuture(new IllegalStateException(
                null == pasts ? NO_JOURNAL :
                "bundles: the engine has no directory for them: set EngineContext.bundles"));
        }
        return pasts.bundles().ask(roomId);
    }

    /**
     * Open the past of a room, up to the newest data in the journal's files. The room runs separately in the thread
     * that calls this and moves it. That thread's stack must hold the deepest room. It reads files: no loop may call
     * this. A move fails if the engine has deleted the files that it reads. Then reopen it.
     *
     * @param roomId of the room, which may have closed.
     * @return the past, at the start of the kept history: see {@link Durability#keepNs}.
     * @throws IllegalStateException    without a log, when its message starts with {@link #NO_LOG}.
     * @throws IllegalArgumentException if no loop has the room.
     */
    public RoomPast past(final long roomId)
    {
        if (null == pasts)
        {
            throw new IllegalStateException(NO_JOURNAL);
        }
        if (!pasts.hasLoop(roomId))
        {
            throw new IllegalArgumentException("no loop has room " + roomId);
        }
        return pasts.open(roomId, UnaryOperator.identity());
    }

    /** Whether the engine has a log, from which it can open the {@link #past} of rooms. */
    public boolean hasPast()
    {
        return null != pasts;
    }

    /**
     * The log of a room up to a place of its past, as a {@link #bundle} has it: messages of players that the engine
     * hides in bundles are hidden in it.
     *
     * @param past at the place, from {@link #past}.
     * @return a log in one piece, which {@code LogFile} opens.
     */
    public byte[] bundle(final RoomPast past)
    {
        return pasts.write(past);
    }

    /**
     * Cap the frame rate of a room type on all loops, until another cap or the end of this process. A governor may
     * lower the rate further, and raises it to the cap at most.
     *
     * @param typeId of the rooms.
     * @param rateHz maximum frames per second, 0 for no cap.
     * @return false if the inbox of a loop is full: the others have the cap. Repeat the call.
     */
    public synchronized boolean capRate(final int typeId, final int rateHz)
    {
        queues.rateLimits.set(typeId, rateHz);
        final boolean isSent = offerAll(commands.setRate(command, 0, typeId, rateHz));
        queues.rateLimits.changed();
        return isSent;
    }

    /**
     * Lock a room against new players, or lift that lock. Players with held seats can return. The room's logic can
     * neither lift this lock nor see it. {@code Room.lock} is a separate lock.
     *
     * @param roomId   of the room.
     * @param isLocked true to refuse new players, as ROOM_LOCKED.
     * @return false if the inbox of the room's loop is full, or it has no loop here.
     */
    public synchronized boolean lockRoom(final long roomId, final boolean isLocked)
    {
        return isOnLoop(roomId) && offer(TrunkMessages.loopOf(roomId), commands.lockRoom(command, 0, roomId, isLocked));
    }

    /**
     * Lock all rooms of a type on all loops against new players, or lift that lock. This includes rooms that open
     * later. The locks of single rooms stay as they are.
     *
     * @param typeId   of the rooms.
     * @param isLocked true to refuse new players, as ROOM_LOCKED.
     * @return false if the inbox of a loop is full: the others have the lock. Repeat the call.
     */
    public synchronized boolean lockType(final int typeId, final boolean isLocked)
    {
        return offerAll(commands.lockType(command, 0, typeId, isLocked));
    }

    private boolean offerAll(final int length)
    {
        boolean isSent = true;
        for (int i = 0; i < queues.inboxes.length; i++)
        {
            isSent &= offer(i, length);
        }
        return isSent;
    }

    /**
     * Load room types from a jar in a class loader that prefers the jar's classes to the application's. Classes of
     * Escapement's rooms and engine, Agrona and Java are excepted. A version is then {@link #register registered} and
     * {@link #reload reloaded}. At launch and in a replay it is a {@code roomType} of the context.
     *
     * @param jar with a {@link RoomType.Provider}. Because it is copied, the file may be replaced.
     * @return the types of all of its providers.
     * @throws ConfigException if it cannot be read, or has no provider.
     */
    public static List<RoomType> load(final Path jar)
    {
        return providers(jar).stream().flatMap((provider) -> provider.roomTypes().stream()).toList();
    }

    /**
     * Load the providers of a jar, as {@link #load} does. The class loader of each also has the jar's resources.
     *
     * @param jar with a {@link RoomType.Provider}. Because it is copied, the file may be replaced.
     * @return one or more.
     * @throws ConfigException if it cannot be read, or has no provider.
     */
    public static List<RoomType.Provider> providers(final Path jar)
    {
        return RoomTypeJar.load(jar, EngineOperator.class.getClassLoader());
    }

    /**
     * Register a newer version of a room type while the engine runs, for {@link #reload}. It has no effect before. A
     * application that restarts on the engine's journal, or replays its log, registers it at launch.
     *
     * @param type of the id and name of a registered type.
     */
    public synchronized void register(final RoomType type)
    {
        for (final LoopAgent loop : loops)
        {
            loop.host().register(type);
        }
        if (null != pasts)
        {
            pasts.register(type);
        }
        if (null != node)
        {
            node.announce(type.id(), type.version());
        }
    }

    /**
     * Move rooms of a type, and all rooms that open later, to a newer version. The version takes over the rooms from
     * their snapshots. No player leaves: seats, timers, requests and output of a room stay as they are. A room that
     * cannot be taken over keeps its version. Each loop reloads a few rooms in each turn. If several nodes keep the
     * log, each of them must have the version first.
     *
     * @param typeId      of the rooms.
     * @param fromVersion that they have. Other versions are not changed.
     * @param toVersion   that takes over, above {@code fromVersion}.
     * @return the result, completed in the thread of a loop: as for {@link #rooms}, blocking code must not depend on
     * it, and a wait needs a timeout. It is exceptional if a loop stops, follows another node, or has a full inbox.
     * Then the reload may be partial, and another call completes it.
     * @throws IllegalArgumentException if the version is not registered.
     * @throws IllegalStateException    if another node, named in the message, is not known to have the version. The
     *                                  engine is unchanged.
     */
    public CompletableFuture<Reload> reload(final int typeId, final int fromVersion, final int toVersion)
    {
        CompletableFuture<Reload> all = CompletableFuture.completedFuture(new Reload(0, 0, null));
        for (final LoopAgent loop : loops)
        {
            if (!loop.host().isRegistered(typeId, toVersion))
            {
                throw new IllegalArgumentException(
                    "version " + toVersion + " of room type " + typeId + " is not registered");
            }
        }
        final List<Integer> without = null == node ? List.of() : node.membersWithout(typeId, toVersion);
        if (!without.isEmpty())
        {
            throw new IllegalStateException("version " + toVersion + " of room type " + typeId + " is not on member " +
                without.stream().map(Object::toString).collect(Collectors.joining(", ")) +
                ", or it does not run: start it with the version, or register it there");
        }
        for (final CommandQueue inbox : queues.inboxes)
        {
            final LoopReload reload = new LoopReload(typeId, fromVersion, toVersion);
            if (!inbox.offer(ControlSignal.RELOAD, reload, NOTHING, 0, 0))
            {
                reload.result().completeExceptionally(new IllegalStateException("the inbox of a loop is full"));
            }
            all = all.thenCombine(reload.result(), EngineOperator::sum);
        }
        return all;
    }

    private static Reload sum(final Reload all, final LoopReload.Result loop)
    {
        final Refusal refusal = null == all.firstRefused && 0 != loop.code() ?
            new Refusal(loop.refusedRoomId(), loop.code(), loop.cause()) : all.firstRefused;
        return new Reload(all.rooms + loop.rooms(), all.refused + loop.refused(), refusal);
    }

    private boolean isOnLoop(final long roomId)
    {
        return roomId > 0 && TrunkMessages.loopOf(roomId) < queues.inboxes.length;
    }

    private boolean offer(final int loop, final int length)
    {
        return queues.inboxes[loop].offer(ControlSignal.COMMAND, null, command, 0, length);
    }

    private <T> CompletableFuture<T> inspect(final int loop, final Function<LoopAgent, T> reader)
    {
        final CompletableFuture<T> result = new CompletableFuture<>();
        final Consumer<LoopAgent> inspection = (agent) ->
        {
            try
            {
                result.complete(reader.apply(agent));
            }
            catch (final RuntimeException | StackOverflowError ex)
            {
                result.completeExceptionally(ex);
            }
        };
        final CommandQueue inbox = queues.inboxes[loop];
        if (!inbox.offer(ControlSignal.INSPECT, inspection, NOTHING, 0, 0))
        {
            result.completeExceptionally(new RejectedExecutionException("the inbox of loop " + loop + " is full"));
        }
        return result;
    }

    private static Room room(final RoomHost host, final long roomId)
    {
        return host.isOpen(roomId) ?
            new Room(roomId, host.typeOf(roomId), host.seatsOccupied(roomId), host.ageNs(roomId)) : null;
    }

    private static RoomList list(final RoomHost host, final int typeId, final int from)
    {
        final long[] ids = host.openRoomIds();
        final List<Room> rooms = new ArrayList<>();
        final int end = (int)Math.min(ids.length, (long)from + SCAN_LIMIT);
        int at = Math.min(from, ids.length);
        for (; at < end && rooms.size() < LIST_LIMIT; at++)
        {
            final int type = host.typeOf(ids[at]);
            if (ANY_TYPE == typeId || type == typeId)
            {
                rooms.add(room(host, ids[at]));
            }
        }
        return new RoomList(ids.length, at, rooms);
    }

    private static List<Seat> seats(final RoomHost host, final long roomId)
    {
        if (!host.isOpen(roomId))
        {
            return null;
        }
        final List<Seat> seats = new ArrayList<>();
        host.forEachSeat(roomId, (seat) ->
        {
            if (seats.size() < LIST_LIMIT)
            {
                seats.add(new Seat(seat.index(), seat.playerId(), seat.isPresent(),
                    host.lastSequence(roomId, seat.index())));
            }
        });
        return seats;
    }
}
