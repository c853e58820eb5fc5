package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.ChangeArenaDecoder;
import io.escapement.arena.codecs.ClaimDecoder;
import io.escapement.arena.codecs.DashDecoder;
import io.escapement.arena.codecs.DeleteArenaDecoder;
import io.escapement.arena.codecs.GuestDecoder;
import io.escapement.arena.codecs.MeleeDecoder;
import io.escapement.arena.codecs.MovedDecoder;
import io.escapement.arena.codecs.PingDecoder;
import io.escapement.arena.codecs.RoomChatDecoder;
import io.escapement.arena.codecs.ShootDecoder;
import io.escapement.arena.common.ArenaCounters;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.CharacterRequests;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.common.RateLimit;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaEvents;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.ArenaSimulation;
import io.escapement.arena.simulation.Refusal;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldWriter;
import io.escapement.matchmaking.codecs.AbandonMatchDecoder;
import io.escapement.rooms.Audience;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An arena: up to 16 players fight. Each frame steps the simulation by exactly the sub-steps that have elapsed and
 * sends the state as a delta. Events are sent at once. The index of a seat is the index of its player in the
 * simulation.
 */
public final class ArenaRoom implements RoomLogic
{
    /** Frames per second, unless the frame-rate governor lowers it. */
    public static final int FRAME_RATE = 60;
    /** Fewest seats of an arena. */
    public static final int LEAST_SEATS = 2;
    /** Most seats of an arena. */
    public static final int MOST_SEATS = ArenaRules.PLAYER_LIMIT;
    /** How long the lobby reserves a seat for a player. */
    public static final long RESERVATION_NS = 10_000_000_000L;
    /** The id of an arena's type is this plus the number of its seats. */
    public static final int TYPE_BASE = 100;
    /** Version of the arenas' snapshots. */
    public static final int VERSION = 1;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** Each seat's progress is saved once in this period. The saves are spread evenly. */
    private static final long SAVE_ROUND_NS = 30 * NS_PER_SECOND;
    /** A room closes after it has been empty for this long. */
    private static final long EMPTY_NS = 60 * NS_PER_SECOND;
    private static final long CLOSE_CHECK_NS = NS_PER_SECOND / 10;
    /** A room that closes waits for its saves for at most this many checks, 5 s. */
    private static final int CLOSE_CHECKS = 50;
    private static final long RESPAWN_NS = ArenaRules.RESPAWN_DELAY * NS_PER_SECOND / ArenaRules.SUB_STEPS_PER_SECOND;

    /** A character without a kill and a death is a newcomer for this many sub-steps. */
    private static final long NEWCOMER_TIME = 3 * 60 * ArenaRules.SUB_STEPS_PER_SECOND;

    private static final int INPUTS_PER_SECOND = 60;
    private static final int INPUT_BURST = 60;
    private static final int CHATS_PER_SECOND = 1;
    private static final int CHAT_BURST = 4;

    /** The data of a seat: messages received, and its rate limits. */
    private static final int RECEIVED = 0;
    private static final RateLimit INPUTS = new RateLimit(Long.BYTES, INPUTS_PER_SECOND, INPUT_BURST);
    private static final RateLimit CHATS = new RateLimit(2 * Long.BYTES, CHATS_PER_SECOND, CHAT_BURST);
    private static final RateLimit FLOOD_NOTICES = new RateLimit(3 * Long.BYTES, 1, 1);
    private static final int SEAT_DATA = 4 * Long.BYTES;

    private static final int TIMER_RESPAWN = 1;
    private static final int TIMER_SAVE = 2;
    private static final int TIMER_CLOSE = 3;
    private static final int TIMER_FULL_STATES = 4;
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;
    /** A full state for each seat, and the events of a frame at 8 Hz in which every player sends at the limit. */
    private static final int OUTPUT_LIMIT = 128 * 1024;

    private final CharacterStore store;
    private final ArenaMaps maps;
    private final ArenaSettings settings = new ArenaSettings();
    private final CharacterTable roster = new CharacterTable(PLAYERS);
    private final Guests guests = new Guests();
    private final World world = new World();
    private final Round round = new Round();
    private final long[] respawnTimers = new long[PLAYERS];
    /** Sub-step until which each player is a newcomer, or 0. */
    private final long[] newUntil = new long[PLAYERS];
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[ArenaMessages.MAX_TEXT_LENGTH]);
    private final MessageHandlers<Seat> handlers = new MessageHandlers<Seat>(ArenaLayout.RULES)
        .on(new ClaimDecoder(), this::onClaim)
        .on(new DashDecoder(), this::onDash)
        .on(new MeleeDecoder(), this::onMelee)
        .on(new ShootDecoder(), this::onShoot)
        .on(new RoomChatDecoder(), this::onChat)
        .on(new PingDecoder(), this::onPing);
    private final MessageHandlers<ArenaRoom> signals = new MessageHandlers<ArenaRoom>(ArenaLayout.RULES)
        .on(new GuestDecoder(), ArenaRoom::onGuest)
        .on(new ChangeArenaDecoder(), ArenaRoom::onChange)
        .on(new DeleteArenaDecoder(), ArenaRoom::onDelete)
        .on(new MovedDecoder(), ArenaRoom::onMoved);
    private final MessageHandlers<ArenaRoom> matchSignals = new MessageHandlers<ArenaRoom>()
        .on(new AbandonMatchDecoder(), ArenaRoom::onAbandon);
    private Room room;
    /** A room answers its logic only in callbacks. */
    private long roomId;
    private ArenaProxy proxy;
    private RoomMessages messages;
    private CharacterRequests requests;
    private ProgressSaves saves;
    private ArenaSimulation simulation;
    private StateBroadcast states;
    /** Starts at half a sub-step, so that a frame with a rounded-down deadline still runs all of its sub-steps. */
    private long subStepRemainder = NS_PER_SECOND / 2;
    private int nextToSave;
    private int closing;
    private int closeChecks;

    /**
     * @param store that encodes the requests to the character service.
     * @param maps  that an arena may use.
     */
    public ArenaRoom(final CharacterStore store, final ArenaMaps maps)
    {
        this.store = store;
        this.maps = maps;
    }

    /**
     * The type of the arenas with this number of seats. Each size has a type, so that the host itself enforces it and
     * two players never get the last seat.
     *
     * @param seats {@link #LEAST_SEATS} to {@link #MOST_SEATS}.
     * @param store that encodes the requests to the character service.
     * @param maps  that an arena may use.
     * @return a new type.
     */
    public static RoomType type(final int seats, final CharacterStore store, final ArenaMaps maps)
    {
        return type(seats, () -> new ArenaRoom(store, maps));
    }

    static RoomType type(final int seats, final Supplier<ArenaRoom> logic)
    {
        return RoomType.of(TYPE_BASE + seats, "arena-" + seats, VERSION, logic)
            .seats(seats).timers(2 * MOST_SEATS).outputLimit(OUTPUT_LIMIT).requests(2 * ProgressSaves.LIMIT)
            .admission(RoomType.Admission.BY_RESERVATION).flush(RoomType.Flush.FRAME)
            .graceNs(30 * NS_PER_SECOND).closeWhenEmptyNs(EMPTY_NS).seatData(SEAT_DATA)
            .messages(ArenaMessages.class, "arena.xml");
    }

    /** Whether this is the type of an arena, of any size. */
    public static boolean isType(final int typeId)
    {
        return typeId >= TYPE_BASE + LEAST_SEATS && typeId <= TYPE_BASE + MOST_SEATS;
    }

    @Override
    public void onOpen(final Room newRoom, final DirectBuffer args, final int offset, final int length)
    {
        settings.open(args, offset, length);
        StateBroadcast.makeGroup(newRoom);
        begin(newRoom);
        settings.publishLabels(room);
        room.frameRate(FRAME_RATE);
        room.every(SAVE_ROUND_NS / PLAYERS, TIMER_SAVE, 0);
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        if (0 != closing)
        {
            return refusal(ArenaCode.get(closing));
        }
        return guests.slotOf(playerId, room.nowNs()) < 0 ? refusal(ArenaCode.NOT_A_GUEST) : ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        final int player = seat.index();
        final CharacterTable table = guests.table;
        final int guest = table.slotOf(seat.playerId());
        roster.put(player, seat.playerId(), table.characterIds[guest], table.kills[guest], table.deaths[guest],
            table.names, table.nameOffset(guest), table.nameLengths[guest]);
        table.clear(guest);
        if (1 == roster.count())
        {
            round.start(simulation.subStep());
        }
        newUntil[player] =
            0 == roster.kills[player] + roster.deaths[player] ? simulation.subStep() + NEWCOMER_TIME : 0;
        welcome(seat, player);
        proxy.entered(room.everyone(), player, roster, newUntil[player]);
        simulation.enter(player);
        if (round.isPause())
        {
            simulation.stop(player);
        }
        publish();
        reportSeated(seat);
    }

    @Override
    public void onAway(final Seat seat)
    {
        // The player is not steered until it returns: stop it. A claim of the current position is always accepted.
        final int player = seat.index();
        if (0 != (simulation.players().flags(player) & ArenaPlayers.LIVING))
        {
            simulation.claim(
                player, simulation.players().x(player), simulation.players().y(player), 0, 0, 0);
            simulation.events().clear();
        }
    }

    @Override
    public void onBack(final Seat seat)
    {
        welcome(seat, -1);
        reportSeated(seat);
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        states.onStateLost(seat);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        final int player = seat.index();
        save(player);
        saves.sendQueued();
        reportFreed(seat.playerId());
        cancelRespawn(player);
        simulation.leave(player);
        round.leave(player);
        publish();
        proxy.gone(player, seat.playerId());
        roster.clear(player);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final MutableDirectBuffer data = room.data(from);
        data.putLong(RECEIVED, received(from) + 1, ByteOrder.LITTLE_ENDIAN);
        if (!INPUTS.take(data, room.nowNs()))
        {
            room.count(ArenaCode.FLOOD.value(), 1);
            if (FLOOD_NOTICES.take(data, room.nowNs()))
            {
                messages.refused(from, received(from), ArenaCode.FLOOD, 0);
            }
            return;
        }
        final int code = handlers.onMessage(from, buffer, offset, length);
        if (0 != code)
        {
            room.count(ArenaCounters.BAD_MESSAGES, 1);
            room.refuse(from, code);
        }
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (0 == matchSignals.onMessage(this, buffer, offset, length))
        {
            return;
        }
        final boolean isAuthorized = 0 == fromRoomId || settings.lobbyRoomId == fromRoomId;
        if (!isAuthorized || 0 != signals.onMessage(this, buffer, offset, length))
        {
            room.count(ArenaCounters.BAD_SIGNALS, 1);
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = requests.read(CharacterStore.SAVE, status, buffer, offset, length);
        final long accountId = saves.onAnswer(correlationId, code);
        if (ProgressSaves.NOBODY == accountId)
        {
            // The reply to a signal, not to a save.
            return;
        }
        room.count(0 == code ? ArenaCounters.SAVES : ArenaCounters.SAVE_FAILURES, 1);
        if (null == room.seatOf(accountId))
        {
            reportFreed(accountId);
        }
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        switch (kind)
        {
            case TIMER_RESPAWN ->
            {
                respawnTimers[(int)tag] = Room.NO_TIMER;
                simulation.respawn((int)tag);
                publish();
            }
            case TIMER_SAVE ->
            {
                if (roster.isTaken(nextToSave))
                {
                    save(nextToSave);
                }
                nextToSave = (nextToSave + 1) % PLAYERS;
                saves.sendQueued();
            }
            case TIMER_FULL_STATES -> states.sendFullStates();
            case TIMER_CLOSE -> checkClose();
            default -> throw new IllegalStateException("no timer of an arena: kind " + kind);
        }
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        room.count(ArenaCounters.FRAMES, 1);
        if (0 == room.seatsTaken())
        {
            return;
        }
        subStepRemainder += elapsedNs * ArenaRules.SUB_STEPS_PER_SECOND;
        final long due = subStepRemainder / NS_PER_SECOND;
        subStepRemainder -= due * NS_PER_SECOND;
        final int subSteps = (int)Math.min(due, ArenaRules.STEP_LIMIT);
        if (due > subSteps)
        {
            room.count(ArenaCounters.SUB_STEPS_LOST, due - subSteps);
        }
        simulation.step(subSteps);
        publish();
        if (simulation.subStep() >= round.endsAt())
        {
            if (round.isPause())
            {
                startRound();
            }
            else
            {
                endRound();
            }
        }
        states.sendDelta();
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
        close(ArenaCode.STOPPING, deadlineNs - room.nowNs());
    }

    @Override
    public void onSnapshot(final StateWriter state)
    {
        settings.write(state);
        roster.write(state);
        guests.write(state);
        world.write(state);
        round.write(state);
        simulation.visit((value) ->
        {
            state.putLong(value);
            return value;
        });
        requests.write(state);
        saves.write(state);
        for (int player = 0; player < PLAYERS; player++)
        {
            state.putLong(respawnTimers[player]);
            state.putLong(newUntil[player]);
        }
        state.putLong(subStepRemainder);
        state.putInt(nextToSave);
        state.putInt(closing);
        state.putInt(closeChecks);
    }

    @Override
    public void onRestore(final Room newRoom, final int version, final StateReader state)
    {
        settings.read(state);
        roster.read(state);
        guests.read(state);
        world.read(state);
        round.read(state);
        begin(newRoom);
        simulation.visit((value) -> state.getLong());
        requests.read(state);
        saves.read(state);
        for (int player = 0; player < PLAYERS; player++)
        {
            respawnTimers[player] = state.getLong();
            newUntil[player] = state.getLong();
        }
        subStepRemainder = state.getLong();
        nextToSave = state.getInt();
        closing = state.getInt();
        closeChecks = state.getInt();
    }

    @Override
    public void onDescribe(final RoomDescription description)
    {
        description.put("subStep", simulation.subStep());
        description.put("round.isPause", round.isPause() ? 1 : 0);
        description.put("round.endsAt", round.endsAt());
        for (int player = 0; player < PLAYERS; player++)
        {
            if (roster.isTaken(player))
            {
                final ArenaPlayers players = simulation.players();
                final String name = "players[" + player + "].";
                description.put(name + "x", players.x(player));
                description.put(name + "y", players.y(player));
                description.put(name + "flags", players.flags(player));
                description.put(name + "health", players.health(player));
                description.put(name + "kills", players.kills(player));
                description.put(name + "deaths", players.deaths(player));
            }
        }
    }

    /** The state as clients have it, for tests. */
    World sentWorld()
    {
        return world;
    }

    ArenaSimulation simulation()
    {
        return simulation;
    }

    RoundTime roundTime()
    {
        return new RoundTime(simulation.subStep(), round.endsAt(), round.isPause());
    }

    /** The parts of an arena that somebody who only watches sees. */
    record Shown(long roomId, ArenaSimulation simulation, ArenaSettings settings)
    {
    }

    /** Write what somebody who only watches sees: the state that was sent last. */
    void picture(final ArenaPicture picture)
    {
        picture.welcome(new Shown(roomId, simulation, settings));
        for (int player = 0; player < PLAYERS; player++)
        {
            if (roster.isTaken(player))
            {
                picture.entered(player, roster, newUntil[player]);
            }
        }
        picture.world(new WorldWriter(world, simulation));
    }

    private void begin(final Room newRoom)
    {
        final ArenaMap map = maps.byName(settings.mapName, 0, settings.mapName.capacity());
        if (null == map)
        {
            throw new IllegalArgumentException("map: no such map: " +
                settings.mapName.getStringWithoutLengthUtf8(0, settings.mapName.capacity()));
        }
        room = newRoom;
        roomId = newRoom.roomId();
        proxy = new ArenaProxy(room);
        messages = new RoomMessages(room);
        requests = new CharacterRequests(room, store);
        saves = new ProgressSaves(requests);
        simulation = new ArenaSimulation(map);
        states = new StateBroadcast(room, proxy, new WorldWriter(world, simulation), TIMER_FULL_STATES);
    }

    private void startRound()
    {
        round.start(simulation.subStep());
        proxy.round(room.everyone(), simulation.subStep(), round);
        for (int player = 0; player < PLAYERS; player++)
        {
            if (roster.isTaken(player))
            {
                roster.kills[player] += simulation.players().kills(player);
                roster.deaths[player] += simulation.players().deaths(player);
                simulation.clearScore(player);
                score(room.everyone(), player);
                simulation.respawn(player);
            }
        }
        publish();
    }

    /** No player acts until the next round. */
    private void endRound()
    {
        round.end(simulation.subStep(), simulation.players());
        proxy.round(room.everyone(), simulation.subStep(), round);
        for (int player = 0; player < PLAYERS; player++)
        {
            cancelRespawn(player);
            simulation.stop(player);
        }
    }

    private void cancelRespawn(final int player)
    {
        room.cancel(respawnTimers[player]);
        respawnTimers[player] = Room.NO_TIMER;
    }

    private void onClaim(final Seat from, final ClaimDecoder claim)
    {
        final long age = claim.subStep() < 0 ? -1 : simulation.subStep() - claim.subStep();
        final int code = simulation.claim(from.index(), claim.x(), claim.y(), claim.vx(), claim.vy(),
            (int)Math.max(-1, Math.min(ArenaRules.AGE_LIMIT + 1, age)));
        if (Refusal.isCorrection(code))
        {
            final ArenaCode why = ArenaCode.get(ArenaMessages.SIMULATION_CODES + code);
            room.count(why.value(), 1);
            proxy.correction(from, simulation, why);
            publish();
            return;
        }
        reply(from, code, ClaimDecoder.TEMPLATE_ID);
    }

    private void onDash(final Seat from, final DashDecoder dash)
    {
        reply(from, simulation.dash(from.index(), dash.dirX(), dash.dirY()), DashDecoder.TEMPLATE_ID);
    }

    private void onMelee(final Seat from, final MeleeDecoder melee)
    {
        reply(from, simulation.melee(from.index(), melee.dirX(), melee.dirY()), MeleeDecoder.TEMPLATE_ID);
    }

    private void onShoot(final Seat from, final ShootDecoder shoot)
    {
        reply(from, simulation.shoot(from.index(), shoot.dirX(), shoot.dirY()), ShootDecoder.TEMPLATE_ID);
    }

    private void reply(final Seat from, final int code, final int templateId)
    {
        publish();
        if (Refusal.NONE != code)
        {
            refuse(from, ArenaCode.get(ArenaMessages.SIMULATION_CODES + code), templateId);
        }
    }

    private void onChat(final Seat from, final RoomChatDecoder chat)
    {
        final int length = chat.getText(scratch, 0, scratch.capacity());
        final int code = ArenaMessages.checkText(scratch, 0, length, ArenaMessages.TEXT_LIMIT);
        if (0 != code)
        {
            refuse(from, ArenaCode.get(code), RoomChatDecoder.TEMPLATE_ID);
        }
        else if (!CHATS.take(room.data(from), room.nowNs()))
        {
            refuse(from, ArenaCode.CHAT_FLOOD, RoomChatDecoder.TEMPLATE_ID);
        }
        else
        {
            room.count(ArenaCounters.CHATS, 1);
            messages.chat(from.playerId(), from.index(), scratch, length);
        }
    }

    private void onPing(final Seat from, final PingDecoder ping)
    {
        proxy.pong(from, ping.stamp(), received(from));
    }

    private void onGuest(final GuestDecoder guest)
    {
        guests.put(guest, scratch, room.nowNs());
    }

    private void onChange(final ChangeArenaDecoder change)
    {
        settings.change(change);
        settings.publishLabels(room);
    }

    private void onDelete(final DeleteArenaDecoder delete)
    {
        close(ArenaCode.ROOM_DELETED, CLOSE_CHECK_NS);
    }

    private void onMoved(final MovedDecoder moved)
    {
        final Seat seat = room.seatOf(moved.playerId());
        if (null != seat && (Seat.NO_TRUNK == moved.trunkId() || seat.trunkId() != moved.trunkId()))
        {
            room.kick(seat);
        }
    }

    private void reportSeated(final Seat seat)
    {
        if (0 != settings.lobbyRoomId)
        {
            proxy.seated(settings.lobbyRoomId, seat);
        }
    }

    private void reportFreed(final long playerId)
    {
        if (0 != settings.lobbyRoomId)
        {
            proxy.freed(settings.lobbyRoomId, playerId, !saves.isSaving(playerId));
        }
    }

    private void refuse(final Seat seat, final ArenaCode code, final int templateId)
    {
        room.count(code.value(), 1);
        messages.refused(seat, received(seat), code, templateId);
    }

    /** Number of messages that the seat has sent. */
    private long received(final Seat seat)
    {
        return room.data(seat).getLong(RECEIVED, ByteOrder.LITTLE_ENDIAN);
    }

    private int refusal(final ArenaCode code)
    {
        room.count(code.value(), 1);
        return code.value();
    }

    /** Send the events since the last call to everyone, and schedule the respawn of each player that died. */
    private void publish()
    {
        final ArenaEvents events = simulation.events();
        proxy.events(simulation.subStep(), events);
        for (int i = 0; i < events.count(); i++)
        {
            if (ArenaEvents.DEATH == events.type(i))
            {
                final int dead = events.player(i);
                room.count(ArenaCounters.DEATHS, 1);
                respawnTimers[dead] = room.after(RESPAWN_NS, TIMER_RESPAWN, dead);
                score(room.everyone(), dead);
                score(room.everyone(), events.other(i));
            }
        }
        events.clear();
    }

    private void score(final Audience audience, final int player)
    {
        proxy.score(audience, player, simulation.players().kills(player), simulation.players().deaths(player));
    }

    /** Send a player the whole state. A newcomer receives its own entry with everyone else, or -1 if it returned. */
    private void welcome(final Seat seat, final int newcomer)
    {
        proxy.welcome(seat, simulation, settings.mapName, settings.name);
        for (int player = 0; player < PLAYERS; player++)
        {
            if (player != newcomer && roster.isTaken(player))
            {
                proxy.entered(seat, player, roster, newUntil[player]);
                score(seat, player);
            }
        }
        proxy.round(seat, simulation.subStep(), round);
        states.sendFullState(seat);
    }

    private void save(final int player)
    {
        final boolean isQueued = saves.put(
            roster.playerId(player), roster.characterIds[player],
            roster.kills[player] + simulation.players().kills(player),
            roster.deaths[player] + simulation.players().deaths(player));
        if (!isQueued)
        {
            room.count(ArenaCounters.SAVES_LOST, 1);
        }
    }

    /** It does not close an arena with players, because any matchmaker may send it. */
    private void onAbandon(final AbandonMatchDecoder abandon)
    {
        if (0 == room.seatsTaken())
        {
            room.close();
        }
    }

    private void close(final ArenaCode code, final long leftNs)
    {
        if (0 != closing)
        {
            return;
        }
        closing = code.value();
        room.lock(true);
        room.cancelAll();
        messages.closing(code, leftNs);
        for (int player = 0; player < PLAYERS; player++)
        {
            if (roster.isTaken(player))
            {
                save(player);
            }
        }
        saves.sendQueued();
        room.every(CLOSE_CHECK_NS, TIMER_CLOSE, 0);
    }

    private void checkClose()
    {
        saves.sendQueued();
        if (saves.isIdle() || ++closeChecks >= CLOSE_CHECKS)
        {
            room.close();
        }
    }
}
