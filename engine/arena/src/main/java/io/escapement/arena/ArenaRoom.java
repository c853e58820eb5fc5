package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
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
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaEvents;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.ArenaSimulation;
import io.escapement.arena.simulation.Refusal;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An arena: up to 16 players who fight. The simulation is stepped in frames, by exactly as many sub-steps as time has
 * passed; its state goes out as a delta each frame, and what happened as events at once. A seat's index is the player's
 * index in the simulation.
 */
public final class ArenaRoom implements RoomLogic
{
    /** Frames a second while the governor gives them. */
    public static final int FRAME_RATE = 60;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** Every seat's progress is saved once in this time, one seat after the other. */
    private static final long SAVE_ROUND_NS = 30 * NS_PER_SECOND;
    /** A room that somebody made and nobody is in closes after this. */
    private static final long EMPTY_NS = 60 * NS_PER_SECOND;
    private static final long CLOSE_CHECK_NS = NS_PER_SECOND / 10;
    /** A service that does not answer does not hold up the closing for longer. */
    private static final int CLOSE_CHECKS = 50;
    private static final long RESPAWN_NS = ArenaRules.RESPAWN_DELAY * NS_PER_SECOND / ArenaRules.SUB_STEPS_PER_SECOND;

    private static final int INPUTS_PER_SECOND = 60;
    private static final int INPUT_BURST = 60;
    private static final int CHATS_PER_SECOND = 1;
    private static final int CHAT_BURST = 4;

    private static final int TIMER_RESPAWN = 1;
    private static final int TIMER_SAVE = 2;
    private static final int TIMER_EMPTY = 3;
    private static final int TIMER_CLOSE = 4;
    private static final int TIMER_PICTURES = 5;
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;

    private final CharacterStore store;
    private final ArenaMaps maps;
    private final ArenaSettings settings = new ArenaSettings();
    private final CharacterTable roster = new CharacterTable(PLAYERS);
    private final Guests guests = new Guests();
    private final World world = new World();
    private final RateLimit inputs = new RateLimit(PLAYERS, INPUTS_PER_SECOND, INPUT_BURST);
    private final RateLimit chats = new RateLimit(PLAYERS, CHATS_PER_SECOND, CHAT_BURST);
    private final RateLimit floodsTold = new RateLimit(PLAYERS, 1, 1);
    private final long[] heard = new long[PLAYERS];
    private final long[] respawnTimers = new long[PLAYERS];
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[ArenaMessages.MAX_TEXT_LENGTH]);
    private final MessageHandlers<Seat> handlers = new MessageHandlers<Seat>(ArenaMessages.RULES)
        .on(new ClaimDecoder(), this::onClaim)
        .on(new DashDecoder(), this::onDash)
        .on(new MeleeDecoder(), this::onMelee)
        .on(new ShootDecoder(), this::onShoot)
        .on(new RoomChatDecoder(), this::onChat)
        .on(new PingDecoder(), this::onPing);
    private final MessageHandlers<ArenaRoom> signals = new MessageHandlers<ArenaRoom>(ArenaMessages.RULES)
        .on(new GuestDecoder(), ArenaRoom::onGuest)
        .on(new ChangeArenaDecoder(), ArenaRoom::onChange)
        .on(new DeleteArenaDecoder(), ArenaRoom::onDelete)
        .on(new MovedDecoder(), ArenaRoom::onMoved);
    private Room room;
    private ArenaProxy proxy;
    private CharacterRequests requests;
    private ProgressSaves saves;
    private ArenaSimulation simulation;
    private StateBroadcast states;
    private long subStepRest = NS_PER_SECOND / 2;
    private long emptyTimer;
    private int nextSaved;
    private int closing;
    private int closeChecks;

    /**
     * A room's logic.
     *
     * @param store that writes the requests for characters.
     * @param maps  to play on.
     */
    public ArenaRoom(final CharacterStore store, final ArenaMaps maps)
    {
        this.store = store;
        this.maps = maps;
    }

    @Override
    public void onOpen(final Room newRoom, final DirectBuffer args, final int offset, final int length)
    {
        settings.open(args, offset, length);
        StateBroadcast.makeGroups(newRoom);
        begin(newRoom);
        settings.showLabels(room);
        room.frameRate(FRAME_RATE);
        room.every(SAVE_ROUND_NS / PLAYERS, TIMER_SAVE, 0);
        awaitPlayers();
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        if (0 != closing)
        {
            return refusal(ArenaCode.get(closing));
        }
        return guests.placeOf(playerId, room.nowNs()) < 0 ? refusal(ArenaCode.NOT_A_GUEST) : ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        final int player = seat.index();
        final CharacterTable table = guests.table;
        final int guest = table.placeOf(seat.playerId());
        roster.put(player, seat.playerId(), table.characterIds[guest], table.kills[guest], table.deaths[guest],
            table.names, table.nameOffset(guest), table.nameLengths[guest]);
        table.clear(guest);
        cancelEmpty();
        tellAll(seat, player);
        proxy.entered(null, player, roster);
        simulation.enter(player);
        publish();
        tellLobby(seat);
    }

    @Override
    public void onAway(final Seat seat)
    {
        // Nobody steers it now; where it stands is always possible.
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
        tellAll(seat, -1);
        tellLobby(seat);
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        states.lost(seat);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        final int player = seat.index();
        save(player);
        saves.send();
        tellFreed(seat.playerId());
        room.cancel(respawnTimers[player]);
        respawnTimers[player] = Room.NO_TIMER;
        simulation.leave(player);
        publish();
        proxy.gone(player, seat.playerId());
        roster.clear(player);
        inputs.reset(player);
        chats.reset(player);
        floodsTold.reset(player);
        heard[player] = 0;
        awaitPlayers();
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int player = from.index();
        final long reference = ++heard[player];
        if (!inputs.take(player, room.nowNs()))
        {
            room.count(ArenaCode.FLOOD.value(), 1);
            if (floodsTold.take(player, room.nowNs()))
            {
                proxy.refused(from, reference, ArenaCode.FLOOD, 0);
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
        final boolean isHeard = 0 == fromRoomId || settings.lobbyRoomId == fromRoomId;
        if (!isHeard || 0 != signals.onMessage(this, buffer, offset, length))
        {
            room.count(ArenaCounters.BAD_SIGNALS, 1);
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = requests.read(CharacterStore.SAVE, status, buffer, offset, length);
        final long accountId = saves.answered(correlationId, code);
        if (ProgressSaves.NOBODY == accountId)
        {
            // A signal to a lobby that has closed.
            return;
        }
        room.count(0 == code ? ArenaCounters.SAVES : ArenaCounters.SAVE_FAILURES, 1);
        if (null == room.seatOf(accountId))
        {
            tellFreed(accountId);
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
                if (roster.isTaken(nextSaved))
                {
                    save(nextSaved);
                }
                nextSaved = (nextSaved + 1) % PLAYERS;
                saves.send();
            }
            case TIMER_EMPTY -> room.close();
            case TIMER_PICTURES -> states.pictures();
            default -> checkClose();
        }
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        if (0 == room.seatsTaken())
        {
            return;
        }
        // Half a sub-step is in the rest from the start, so a deadline that was rounded down counts in full.
        subStepRest += elapsedNs * ArenaRules.SUB_STEPS_PER_SECOND;
        final long due = subStepRest / NS_PER_SECOND;
        subStepRest -= due * NS_PER_SECOND;
        final int subSteps = (int)Math.min(due, ArenaRules.STEP_LIMIT);
        if (due > subSteps)
        {
            room.count(ArenaCounters.SUB_STEPS_LOST, due - subSteps);
        }
        simulation.step(subSteps);
        publish();
        states.delta();
    }

    @Override
    public void onDrain(final long deadlineNs)
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
        simulation.visit((value) ->
        {
            state.putLong(value);
            return value;
        });
        inputs.write(state);
        chats.write(state);
        floodsTold.write(state);
        saves.write(state);
        for (int player = 0; player < PLAYERS; player++)
        {
            state.putLong(heard[player]);
            state.putLong(respawnTimers[player]);
        }
        state.putLong(subStepRest);
        state.putLong(emptyTimer);
        state.putInt(nextSaved);
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
        begin(newRoom);
        simulation.visit((value) -> state.getLong());
        inputs.read(state);
        chats.read(state);
        floodsTold.read(state);
        saves.read(state);
        for (int player = 0; player < PLAYERS; player++)
        {
            heard[player] = state.getLong();
            respawnTimers[player] = state.getLong();
        }
        subStepRest = state.getLong();
        emptyTimer = state.getLong();
        nextSaved = state.getInt();
        closing = state.getInt();
        closeChecks = state.getInt();
    }

    /** What was told of the state, for tests. */
    World told()
    {
        return world;
    }

    ArenaSimulation simulation()
    {
        return simulation;
    }

    private void begin(final Room newRoom)
    {
        final ArenaMap map = maps.byName(settings.mapName, 0, settings.mapName.capacity());
        if (null == map)
        {
            throw new IllegalArgumentException("no such map");
        }
        room = newRoom;
        proxy = new ArenaProxy(room);
        requests = new CharacterRequests(room, store);
        saves = new ProgressSaves(requests);
        simulation = new ArenaSimulation(map);
        states = new StateBroadcast(room, proxy, new WorldWriter(world, simulation), TIMER_PICTURES);
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
        answer(from, code, ClaimDecoder.TEMPLATE_ID);
    }

    private void onDash(final Seat from, final DashDecoder dash)
    {
        answer(from, simulation.dash(from.index(), dash.dirX(), dash.dirY()), DashDecoder.TEMPLATE_ID);
    }

    private void onMelee(final Seat from, final MeleeDecoder melee)
    {
        answer(from, simulation.melee(from.index(), melee.dirX(), melee.dirY()), MeleeDecoder.TEMPLATE_ID);
    }

    private void onShoot(final Seat from, final ShootDecoder shoot)
    {
        answer(from, simulation.shoot(from.index(), shoot.dirX(), shoot.dirY()), ShootDecoder.TEMPLATE_ID);
    }

    private void answer(final Seat from, final int code, final int templateId)
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
        else if (!chats.take(from.index(), room.nowNs()))
        {
            refuse(from, ArenaCode.CHAT_FLOOD, RoomChatDecoder.TEMPLATE_ID);
        }
        else
        {
            room.count(ArenaCounters.CHATS, 1);
            proxy.chat(from.playerId(), from.index(), scratch, length);
        }
    }

    private void onPing(final Seat from, final PingDecoder ping)
    {
        proxy.pong(from, ping.stamp());
    }

    private void onGuest(final GuestDecoder guest)
    {
        guests.put(guest, scratch, room.nowNs());
    }

    private void onChange(final ChangeArenaDecoder change)
    {
        settings.change(change);
        settings.showLabels(room);
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

    private void tellLobby(final Seat seat)
    {
        if (0 != settings.lobbyRoomId)
        {
            proxy.seated(settings.lobbyRoomId, seat);
        }
    }

    private void tellFreed(final long playerId)
    {
        if (0 != settings.lobbyRoomId)
        {
            proxy.freed(settings.lobbyRoomId, playerId, !saves.isSaving(playerId));
        }
    }

    private void refuse(final Seat seat, final ArenaCode code, final int templateId)
    {
        room.count(code.value(), 1);
        proxy.refused(seat, heard[seat.index()], code, templateId);
    }

    private int refusal(final ArenaCode code)
    {
        room.count(code.value(), 1);
        return code.value();
    }

    /** What happened since the last call, to everybody; the dead are woken later. */
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
                score(null, dead);
                score(null, events.other(i));
            }
        }
        events.clear();
    }

    private void score(final Seat seat, final int player)
    {
        proxy.score(seat, player, simulation.players().kills(player), simulation.players().deaths(player));
    }

    /** Everything that one who comes has to know; a newcomer is told of itself with the others. */
    private void tellAll(final Seat seat, final int newcomer)
    {
        proxy.welcome(seat, simulation, settings.mapName, settings.name);
        for (int player = 0; player < PLAYERS; player++)
        {
            if (player != newcomer && roster.isTaken(player))
            {
                proxy.entered(seat, player, roster);
                score(seat, player);
            }
        }
        states.picture(seat);
    }

    private void save(final int player)
    {
        final boolean isKept = saves.put(
            roster.playerId(player), roster.characterIds[player],
            roster.kills[player] + simulation.players().kills(player),
            roster.deaths[player] + simulation.players().deaths(player),
            simulation.players().x(player), simulation.players().y(player));
        if (!isKept)
        {
            room.count(ArenaCounters.SAVES_LOST, 1);
        }
    }

    private void awaitPlayers()
    {
        if (0 == roster.count() && 0 != settings.ownerId && 0 == closing && Room.NO_TIMER == emptyTimer)
        {
            emptyTimer = room.after(EMPTY_NS, TIMER_EMPTY, 0);
        }
    }

    private void cancelEmpty()
    {
        room.cancel(emptyTimer);
        emptyTimer = Room.NO_TIMER;
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
        proxy.closing(code, leftNs);
        for (int player = 0; player < PLAYERS; player++)
        {
            if (roster.isTaken(player))
            {
                save(player);
            }
        }
        saves.send();
        room.every(CLOSE_CHECK_NS, TIMER_CLOSE, 0);
    }

    private void checkClose()
    {
        saves.send();
        if (saves.isIdle() || ++closeChecks >= CLOSE_CHECKS)
        {
            room.close();
        }
    }
}
