package io.escapement.arena.lobby;

import io.escapement.accounts.NameKeys;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.CancelMatchDecoder;
import io.escapement.arena.codecs.ChangeRoomDecoder;
import io.escapement.arena.codecs.CreateCharacterDecoder;
import io.escapement.arena.codecs.CreateRoomDecoder;
import io.escapement.arena.codecs.DeleteCharacterDecoder;
import io.escapement.arena.codecs.DeleteRoomDecoder;
import io.escapement.arena.codecs.EnterRoomDecoder;
import io.escapement.arena.codecs.ListCharactersDecoder;
import io.escapement.arena.codecs.ListLeadersDecoder;
import io.escapement.arena.codecs.ListRoomsDecoder;
import io.escapement.arena.codecs.LobbyChatDecoder;
import io.escapement.arena.codecs.QuickMatchDecoder;
import io.escapement.arena.common.ArenaCounters;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.CharacterRequests;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.common.Texts;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The lobby: characters, the list of arenas, opening, changing and deleting arenas, entering one, waiting for a
 * match, and chat. A request
 * that needs another room or the character service stays in {@link LobbyRequests} until its answer arrives, and every
 * request is answered. This class has the room's life cycle and the chat, and dispatches messages and proxy to the
 * other parts.
 */
public final class LobbyRoom implements RoomLogic
{
    /** Id of the lobby's room type. */
    public static final int TYPE_ID = 1;
    /** Clients know its id, because the lobby is the first room of the first loop. */
    public static final long ROOM_ID = 1;

    /** Most players in the lobby. */
    static final int SEATS = 8_192;

    /** A new version of ICU must also raise it. */
    private static final int VERSION = 1;
    private static final long GRACE_NS = 5_000_000_000L;
    /** A page of the list for half of the players in one turn. The others receive it in the next turn. */
    private static final int OUTPUT_LIMIT = 8 * 1024 * 1024;

    private final CharacterStore store;
    private final ArenaMaps maps;
    private final UnsafeBuffer text = new UnsafeBuffer(new byte[ArenaMessages.MAX_TEXT_LENGTH]);
    private Room room;
    private LobbySeats seats;
    private RoomMessages messages;
    private LobbyProxy proxy;
    private LobbyRequests requests;
    private LobbyArenas arenas;
    private CharacterRequests service;
    private LobbyCharacters characters;
    private LobbyEntrance entrance;
    private ArenaPlaces places;
    private LobbyMatches matches;
    private MessageHandlers<Seat> handlers;
    private boolean isStopping;

    LobbyRoom(final CharacterStore store, final ArenaMaps maps)
    {
        this.store = store;
        this.maps = maps;
    }

    /**
     * The lobby's type. One such room exists.
     *
     * @param store that encodes the requests to the character service.
     * @param maps  that arenas may use.
     * @return a new type.
     */
    public static RoomType type(final CharacterStore store, final ArenaMaps maps)
    {
        return RoomType.of(TYPE_ID, "lobby", VERSION, () -> new LobbyRoom(store, maps))
            .seats(SEATS).timers(4).outputLimit(OUTPUT_LIMIT).requests(LobbyRequests.LIMIT).graceNs(GRACE_NS)
            .seatData(LobbySeats.DATA_LENGTH).logicSettings(nameSettings());
    }

    /**
     * The list of rooms depends on which names look the same. The tables are read now and not in a turn of the room.
     */
    private static long nameSettings()
    {
        Texts.keys(new byte[0]);
        final StateHash hash = new StateHash();
        final UnsafeBuffer version = new UnsafeBuffer(ArenaMessages.utf8(NameKeys.VERSION));
        hash.putBytes(version, 0, version.capacity());
        return hash.value();
    }

    @Override
    public void onOpen(final Room newRoom, final DirectBuffer args, final int offset, final int length)
    {
        begin(newRoom);
        room.subscribeToDirectory();
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        return isStopping ? ArenaCode.STOPPING.value() : ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        places.onLobbySeat(seat);
    }

    @Override
    public void onBack(final Seat seat)
    {
        places.onLobbySeat(seat);
    }

    @Override
    public void onAway(final Seat seat)
    {
        matches.onGone(seat);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        matches.onGone(seat);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!seats.onMessage(from))
        {
            room.count(ArenaCode.FLOOD.value(), 1);
            if (seats.mayNotifyFlood(from))
            {
                messages.refused(from, seats.received(from), ArenaCode.FLOOD, 0);
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
    public void onDirectory(final DirectoryEntry entry)
    {
        arenas.onDirectory(entry);
        matches.onDirectory(entry);
        if (DirectoryChange.CLOSED == entry.change())
        {
            places.onClosed(entry.roomId());
        }
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!places.onSignal(fromRoomId, buffer, offset, length))
        {
            room.count(ArenaCounters.BAD_SIGNALS, 1);
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final LobbyRequest request = requests.onReply(correlationId);
        if (null == request)
        {
            // The reply to a signal. If its arena has closed, the directory reports it.
            return;
        }
        final Seat seat = requests.seatOf(request);
        if (LobbyRequest.OPEN == request.kind)
        {
            arenas.onOpened(seat, request, status, buffer, offset, length);
        }
        else if (null == seat)
        {
            return;
        }
        else if (LobbyRequest.RESERVE == request.kind)
        {
            entrance.onReserved(seat, request, status);
        }
        else if (LobbyRequest.MATCH == request.kind)
        {
            matches.onMatched(seat, request, status, buffer, offset);
        }
        else
        {
            onCharacters(seat, request, status, buffer, offset, length);
        }
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
        isStopping = true;
        messages.closing(ArenaCode.STOPPING, deadlineNs - room.nowNs());
        room.close();
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        service.write(writer);
        arenas.write(writer);
        requests.write(writer);
        seats.write(writer);
        places.write(writer);
        matches.write(writer);
        writer.putBoolean(isStopping);
    }

    @Override
    public void onRestore(final Room newRoom, final int version, final StateReader reader)
    {
        begin(newRoom);
        service.read(reader);
        arenas.read(reader);
        requests.read(reader);
        seats.read(reader);
        places.read(reader);
        matches.read(reader);
        isStopping = reader.getBoolean();
    }

    private void begin(final Room newRoom)
    {
        room = newRoom;
        seats = new LobbySeats(room);
        messages = new RoomMessages(room);
        proxy = new LobbyProxy(room, messages);
        requests = new LobbyRequests(room, seats, proxy);
        service = new CharacterRequests(room, store);
        arenas = new LobbyArenas(room, maps, requests, proxy);
        characters = new LobbyCharacters(seats, requests, service, proxy);
        places = new ArenaPlaces(room, proxy);
        matches = new LobbyMatches(arenas, places, requests, service, proxy);
        entrance = new LobbyEntrance(room, seats, arenas, places, requests, service, proxy);
        handlers = new MessageHandlers<Seat>(ArenaLayout.RULES)
            .on(new ListCharactersDecoder(), characters::onList)
            .on(new ListLeadersDecoder(), characters::onLeaders)
            .on(new CreateCharacterDecoder(), characters::onCreate)
            .on(new DeleteCharacterDecoder(), characters::onDelete)
            .on(new ListRoomsDecoder(), arenas::onList)
            .on(new CreateRoomDecoder(), arenas::onCreate)
            .on(new ChangeRoomDecoder(), arenas::onChange)
            .on(new DeleteRoomDecoder(), arenas::onDelete)
            .on(new EnterRoomDecoder(), entrance::onEnter)
            .on(new QuickMatchDecoder(), matches::onQuickMatch)
            .on(new CancelMatchDecoder(), matches::onCancel)
            .on(new LobbyChatDecoder(), this::onChat);
    }

    private void onCharacters(
        final Seat seat,
        final LobbyRequest request,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final boolean isEntering = LobbyRequest.ENTER_AS == request.kind;
        final boolean isMatching =
            LobbyRequest.MATCH_AS == request.kind || LobbyRequest.MATCH_CANCELLED == request.kind;
        final int kind = isEntering || isMatching ? CharacterStore.LIST : request.kind;
        final int code = service.read(kind, status, buffer, offset, length);
        if (0 != code)
        {
            proxy.refused(seat, request.requestId, ArenaCode.get(code), request.templateId);
        }
        else if (isEntering)
        {
            entrance.onCharacters(seat, request);
        }
        else if (isMatching)
        {
            matches.onCharacters(seat, request);
        }
        else
        {
            characters.onDone(seat, request);
        }
    }

    private void onChat(final Seat from, final LobbyChatDecoder chat)
    {
        final long requestId = chat.requestId();
        final int length = chat.getText(text, 0, text.capacity());
        final int code = ArenaMessages.checkText(text, 0, length, ArenaMessages.TEXT_LIMIT);
        if (0 != code)
        {
            proxy.refused(from, requestId, ArenaCode.get(code), LobbyChatDecoder.TEMPLATE_ID);
        }
        else if (!seats.mayChat(from))
        {
            proxy.refused(from, requestId, ArenaCode.CHAT_FLOOD, LobbyChatDecoder.TEMPLATE_ID);
        }
        else
        {
            room.count(ArenaCounters.CHATS, 1);
            messages.chat(from.playerId(), RoomMessages.NO_INDEX, text, length);
        }
    }
}
