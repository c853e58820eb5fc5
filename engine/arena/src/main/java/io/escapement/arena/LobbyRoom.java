package io.escapement.arena;

import io.escapement.codecs.ArenaMessages;
import io.escapement.codecs.arena.ArenaCode;
import io.escapement.codecs.arena.ChangeRoomDecoder;
import io.escapement.codecs.arena.CreateCharacterDecoder;
import io.escapement.codecs.arena.CreateRoomDecoder;
import io.escapement.codecs.arena.DeleteCharacterDecoder;
import io.escapement.codecs.arena.DeleteRoomDecoder;
import io.escapement.codecs.arena.EnterRoomDecoder;
import io.escapement.codecs.arena.ListCharactersDecoder;
import io.escapement.codecs.arena.ListRoomsDecoder;
import io.escapement.codecs.arena.LobbyChatDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The lobby: characters, the list of arenas, making, changing and deleting them, the way into one, and chat. What the
 * lobby itself must ask for is kept as a request until the answer comes; each player has a few, and is always answered.
 */
public final class LobbyRoom implements RoomLogic
{
    /** How long a seat in an arena is kept for a player whom the lobby sent there. */
    static final long RESERVATION_NS = 10_000_000_000L;
    /** Requests of all players that are under way; the host's own limit is the same. */
    static final int REQUEST_LIMIT = 4_096;

    private static final int NS_PER_MS = 1_000_000;
    private static final int SEATS = ArenaTypes.LOBBY_SEATS;
    /** A client that waits for its answers never has more. */
    private static final int REQUESTS_OF_SEAT = 4;
    /** Arenas of one owner. */
    private static final int ROOMS_OF_OWNER = 4;
    /** Arenas that players may have made, so that some of the list is left for those of the server. */
    private static final int ROOM_LIMIT = RoomList.LIMIT / 2;
    private static final int LEAST_NAME = 2;
    private static final int NAME_BIT = 1;
    private static final int PASSWORD_BIT = 2;

    private final CharacterStore store;
    private final ArenaMaps maps;
    private final RoomList rooms = new RoomList();
    private final Map<Long, LobbyRequest> requestByIdMap = new LinkedHashMap<>();
    private final int[] openRequests = new int[SEATS];
    private final long[] heard = new long[SEATS];
    private final RateLimit inputs = new RateLimit(SEATS, 20, 40);
    private final RateLimit chats = new RateLimit(SEATS, 1, 3);
    private final RateLimit passwords = new RateLimit(SEATS, 1, 5);
    private final RateLimit floodsTold = new RateLimit(SEATS, 1, 1);
    /** Every text goes to everybody, so all players together have a limit too. */
    private final RateLimit allChats = new RateLimit(1, 50, 100);
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[ArenaMessages.MAX_TEXT_LENGTH]);
    private final List<RoomEntry> pageRooms = new ArrayList<>();
    private final MessageHandlers<Seat> handlers = new MessageHandlers<Seat>(ArenaMessages.RULES)
        .on(new ListCharactersDecoder(), this::onListCharacters)
        .on(new CreateCharacterDecoder(), this::onCreateCharacter)
        .on(new DeleteCharacterDecoder(), this::onDeleteCharacter)
        .on(new ListRoomsDecoder(), this::onListRooms)
        .on(new CreateRoomDecoder(), this::onCreateRoom)
        .on(new ChangeRoomDecoder(), this::onChangeRoom)
        .on(new DeleteRoomDecoder(), this::onDeleteRoom)
        .on(new EnterRoomDecoder(), this::onEnterRoom)
        .on(new LobbyChatDecoder(), this::onChat);
    private Room room;
    private ArenaProxy proxy;
    private LobbyProxy answers;
    private CharacterRequests characters;
    private Places places;
    private boolean isStopping;

    /**
     * The lobby's logic.
     *
     * @param store that writes the requests for characters.
     * @param maps  that rooms can be made with.
     */
    public LobbyRoom(final CharacterStore store, final ArenaMaps maps)
    {
        this.store = store;
        this.maps = maps;
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
        places.onLobby(seat);
    }

    @Override
    public void onBack(final Seat seat)
    {
        places.onLobby(seat);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        // Answers to what it asked for find another generation, or nobody.
        final int index = seat.index();
        openRequests[index] = 0;
        heard[index] = 0;
        inputs.reset(index);
        chats.reset(index);
        passwords.reset(index);
        floodsTold.reset(index);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int index = from.index();
        heard[index]++;
        if (!inputs.take(index, room.nowNs()))
        {
            room.count(ArenaCode.FLOOD.value(), 1);
            if (floodsTold.take(index, room.nowNs()))
            {
                proxy.refused(from, heard[index], ArenaCode.FLOOD, 0);
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
        rooms.on(entry);
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
        final LobbyRequest request = requestByIdMap.remove(correlationId);
        if (null == request)
        {
            // A signal to an arena that closed meanwhile: the directory tells of that.
            return;
        }
        Seat seat = room.seat(request.seatIndex);
        if (null != seat && seat.generation() != request.generation)
        {
            seat = null;
        }
        if (null != seat)
        {
            openRequests[seat.index()]--;
        }
        switch (request.kind)
        {
            case LobbyRequest.OPEN -> onOpened(seat, request, status, buffer, offset, length);
            case LobbyRequest.RESERVE -> onReserved(seat, request, status);
            default -> onCharacters(seat, request, status, buffer, offset, length);
        }
    }

    @Override
    public void onDrain(final long deadlineNs)
    {
        isStopping = true;
        proxy.closing(ArenaCode.STOPPING, deadlineNs - room.nowNs());
        room.close();
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        rooms.write(writer);
        writer.putInt(requestByIdMap.size());
        requestByIdMap.forEach((id, request) ->
        {
            writer.putLong(id);
            request.write(writer);
        });
        for (int i = 0; i < SEATS; i++)
        {
            writer.putInt(openRequests[i]);
            writer.putLong(heard[i]);
        }
        inputs.write(writer);
        chats.write(writer);
        passwords.write(writer);
        floodsTold.write(writer);
        allChats.write(writer);
        places.write(writer);
        writer.putBoolean(isStopping);
    }

    @Override
    public void onRestore(final Room newRoom, final int version, final StateReader reader)
    {
        begin(newRoom);
        rooms.read(reader);
        for (int left = reader.getInt(); left > 0; left--)
        {
            final long id = reader.getLong();
            requestByIdMap.put(id, LobbyRequest.read(reader));
        }
        for (int i = 0; i < SEATS; i++)
        {
            openRequests[i] = reader.getInt();
            heard[i] = reader.getLong();
        }
        inputs.read(reader);
        chats.read(reader);
        passwords.read(reader);
        floodsTold.read(reader);
        allChats.read(reader);
        places.read(reader);
        isStopping = reader.getBoolean();
    }

    private void begin(final Room newRoom)
    {
        room = newRoom;
        proxy = new ArenaProxy(room);
        answers = new LobbyProxy(room);
        characters = new CharacterRequests(room, store);
        places = new Places(room, answers);
    }

    private void onListCharacters(final Seat from, final ListCharactersDecoder list)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.LIST, from, list.requestId(), ListCharactersDecoder.TEMPLATE_ID);
        if (mayAsk(from, request))
        {
            asked(from, request, characters.list(from.playerId()));
        }
    }

    private void onCreateCharacter(final Seat from, final CreateCharacterDecoder create)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.CREATE, from, create.requestId(), CreateCharacterDecoder.TEMPLATE_ID);
        final int length = create.getName(scratch, 0, scratch.capacity());
        if (isName(from, request, length) && mayAsk(from, request))
        {
            asked(from, request, characters.create(from.playerId(), scratch, 0, length));
        }
    }

    private void onDeleteCharacter(final Seat from, final DeleteCharacterDecoder delete)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.DELETE, from, delete.requestId(), DeleteCharacterDecoder.TEMPLATE_ID)
            .character(delete.characterId());
        if (mayAsk(from, request))
        {
            asked(from, request, characters.delete(from.playerId(), request.characterId));
        }
    }

    private void onListRooms(final Seat from, final ListRoomsDecoder list)
    {
        final long requestId = list.requestId();
        final int page = list.page();
        final int length = list.getFilter(scratch, 0, scratch.capacity());
        final int code = 0 == length ? 0 : ArenaMessages.checkText(scratch, 0, length, ArenaMessages.NAME_LIMIT);
        if (0 != code)
        {
            refuse(from, requestId, ArenaCode.get(code), ListRoomsDecoder.TEMPLATE_ID);
            return;
        }
        final byte[] filter = Texts.fold(Texts.bytes(scratch, 0, length));
        final int first = page * ArenaMessages.ROOMS_OF_PAGE;
        int total = 0;
        pageRooms.clear();
        for (int i = 0; i < rooms.size(); i++)
        {
            final RoomEntry entry = rooms.at(i);
            if (isShown(entry) && Texts.contains(entry.foldedName, filter))
            {
                if (total >= first && pageRooms.size() < ArenaMessages.ROOMS_OF_PAGE)
                {
                    pageRooms.add(entry);
                }
                total++;
            }
        }
        final int pages = Math.max(1, (total + ArenaMessages.ROOMS_OF_PAGE - 1) / ArenaMessages.ROOMS_OF_PAGE);
        if (page >= pages)
        {
            refuse(from, requestId, ArenaCode.BAD_PAGE, ListRoomsDecoder.TEMPLATE_ID);
            return;
        }
        answers.page(from, requestId, page, pages, total, pageRooms);
    }

    private void onCreateRoom(final Seat from, final CreateRoomDecoder create)
    {
        final LobbyRequest request =
            new LobbyRequest(LobbyRequest.OPEN, from, create.requestId(), CreateRoomDecoder.TEMPLATE_ID);
        request.seats = create.seats();
        final int nameLength = create.getName(scratch, 0, scratch.capacity());
        if (!isName(from, request, nameLength))
        {
            return;
        }
        request.name = Texts.bytes(scratch, 0, nameLength);
        request.mapName = new byte[create.mapNameLength()];
        create.getMapName(request.mapName, 0, request.mapName.length);
        final byte[] password = new byte[create.passwordLength()];
        create.getPassword(password, 0, password.length);

        final ArenaCode code = whyNot(request);
        if (null != code)
        {
            refuse(from, request.requestId, code, request.templateId);
        }
        else if (mayAsk(from, request))
        {
            if (0 != password.length)
            {
                request.salt = room.random().nextLong();
                request.hash = Texts.hash(request.salt, password);
            }
            asked(from, request, answers.openArena(request));
        }
    }

    private ArenaCode whyNot(final LobbyRequest create)
    {
        if (create.seats < ArenaTypes.LEAST_SEATS || create.seats > ArenaTypes.MOST_SEATS)
        {
            return ArenaCode.BAD_SEAT_COUNT;
        }
        if (null == maps.byName(new UnsafeBuffer(create.mapName), 0, create.mapName.length))
        {
            return ArenaCode.UNKNOWN_MAP;
        }
        final byte[] folded = Texts.fold(create.name);
        int opening = 0;
        int openingOfOwner = 0;
        boolean isTaken = rooms.isNameTaken(folded, null);
        for (final LobbyRequest request : requestByIdMap.values())
        {
            if (LobbyRequest.OPEN == request.kind)
            {
                opening++;
                openingOfOwner += request.playerId == create.playerId ? 1 : 0;
                isTaken |= Arrays.equals(folded, Texts.fold(request.name));
            }
        }
        if (isTaken)
        {
            return ArenaCode.NAME_TAKEN;
        }
        if (rooms.size() + opening >= ROOM_LIMIT)
        {
            return ArenaCode.TOO_MANY_ROOMS;
        }
        return rooms.countOf(create.playerId) + openingOfOwner >= ROOMS_OF_OWNER ? ArenaCode.TOO_MANY_OWN_ROOMS : null;
    }

    private void onOpened(
        final Seat seat,
        final LobbyRequest request,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final RoomEntry entry =
            0 != status || length < Long.BYTES ? null : rooms.of(buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN));
        if (null != entry)
        {
            // The directory may not have told of it yet; what it says is the same.
            entry.seats = request.seats;
            entry.ownerId = request.playerId;
            entry.name(request.name);
            entry.mapName = request.mapName;
            entry.password(request.salt, request.hash);
            entry.isReady = true;
        }
        if (null != seat && null == entry)
        {
            refuse(seat, request.requestId, ArenaCode.OPEN_FAILED, request.templateId);
        }
        else if (null != seat)
        {
            answers.roomCreated(seat, request.requestId, entry.roomId);
        }
    }

    private void onChangeRoom(final Seat from, final ChangeRoomDecoder change)
    {
        final long requestId = change.requestId();
        final RoomEntry entry = shown(change.roomId());
        final int changes = change.changes().getRaw();
        final int length = change.getName(scratch, 0, scratch.capacity());
        final byte[] password = new byte[change.passwordLength()];
        change.getPassword(password, 0, password.length);

        ArenaCode code = null == entry ? ArenaCode.UNKNOWN_ROOM :
            entry.ownerId != from.playerId() ? ArenaCode.NOT_OWNER :
            0 == changes || 0 != (changes & ~(NAME_BIT | PASSWORD_BIT)) ? ArenaCode.NOTHING_TO_CHANGE : null;
        final boolean isRenamed = 0 != (changes & NAME_BIT);
        if (null == code && isRenamed)
        {
            code = nameCode(length);
        }
        final byte[] name = Texts.bytes(scratch, 0, length);
        if (null == code && isRenamed && rooms.isNameTaken(Texts.fold(name), entry))
        {
            code = ArenaCode.NAME_TAKEN;
        }
        if (null != code)
        {
            refuse(from, requestId, code, ChangeRoomDecoder.TEMPLATE_ID);
            return;
        }

        if (isRenamed)
        {
            entry.name(name);
        }
        if (0 != (changes & PASSWORD_BIT))
        {
            final long salt = room.random().nextLong();
            entry.password(salt, 0 == password.length ? password : Texts.hash(salt, password));
        }
        answers.changeArena(entry);
        answers.roomChanged(from, requestId, entry.roomId);
    }

    private void onDeleteRoom(final Seat from, final DeleteRoomDecoder delete)
    {
        final RoomEntry entry = shown(delete.roomId());
        if (null == entry || entry.ownerId != from.playerId())
        {
            refuse(from, delete.requestId(), null == entry ? ArenaCode.UNKNOWN_ROOM : ArenaCode.NOT_OWNER,
                DeleteRoomDecoder.TEMPLATE_ID);
            return;
        }
        entry.isClosing = true;
        answers.deleteArena(entry);
        answers.roomDeleted(from, delete.requestId(), entry.roomId);
    }

    private void onEnterRoom(final Seat from, final EnterRoomDecoder enter)
    {
        final LobbyRequest request =
            new LobbyRequest(LobbyRequest.ENTER_AS, from, enter.requestId(), EnterRoomDecoder.TEMPLATE_ID)
            .character(enter.characterId());
        request.roomId = enter.roomId();
        final byte[] password = new byte[enter.passwordLength()];
        enter.getPassword(password, 0, password.length);

        final RoomEntry entry = shown(request.roomId);
        ArenaCode code = null == entry ? ArenaCode.UNKNOWN_ROOM :
            places.isElsewhere(from, request.roomId) ? ArenaCode.SEATED_ELSEWHERE : null;
        if (null == code && entry.hasPassword)
        {
            code = !passwords.take(from.index(), room.nowNs()) ? ArenaCode.PASSWORD_FLOOD :
                entry.isPassword(password) ? null : ArenaCode.WRONG_PASSWORD;
        }
        if (null != code)
        {
            refuse(from, request.requestId, code, request.templateId);
        }
        else if (mayAsk(from, request))
        {
            // The service is asked each time: it alone knows what the character did in its last fight.
            asked(from, request, characters.list(from.playerId()));
        }
    }

    private void onCharacters(
        final Seat seat,
        final LobbyRequest request,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int kind = LobbyRequest.ENTER_AS == request.kind ? CharacterStore.LIST : request.kind;
        final int code = characters.read(kind, status, buffer, offset, length);
        if (null == seat)
        {
            return;
        }
        if (0 != code)
        {
            refuse(seat, request.requestId, ArenaCode.get(code), request.templateId);
            return;
        }
        switch (request.kind)
        {
            case CharacterStore.LIST -> answers.characters(seat, request.requestId, characters.answer());
            case CharacterStore.CREATE ->
                answers.characterCreated(seat, request.requestId, characters.answer().characterId(0));
            case CharacterStore.DELETE -> answers.characterDeleted(seat, request.requestId, request.characterId);
            default -> enterAs(seat, request);
        }
    }

    private void enterAs(final Seat seat, final LobbyRequest request)
    {
        final int index = characters.answer().indexOf(request.characterId);
        final ArenaCode code = null == shown(request.roomId) ? ArenaCode.UNKNOWN_ROOM :
            index < 0 ? ArenaCode.UNKNOWN_CHARACTER : null;
        if (null != code)
        {
            refuse(seat, request.requestId, code, request.templateId);
        }
        else if (mayAsk(seat, request))
        {
            answers.guest(request, characters.answer(), index);
            request.kind = LobbyRequest.RESERVE;
            asked(seat, request, room.reserve(request.roomId, request.playerId, RESERVATION_NS));
        }
    }

    private void onReserved(final Seat seat, final LobbyRequest request, final int status)
    {
        if (null == seat)
        {
            return;
        }
        // Who has a seat there already may just join: it is held for a while after the connection is lost.
        if (0 == status || RefusalCode.ALREADY_JOINED.value() == status)
        {
            answers.seatReserved(seat, request.requestId, request.roomId, (int)(RESERVATION_NS / NS_PER_MS));
            return;
        }
        final ArenaCode code = RefusalCode.ROOM_FULL.value() == status ? ArenaCode.ROOM_FULL :
            RefusalCode.DRAINING.value() == status ? ArenaCode.STOPPING : ArenaCode.UNKNOWN_ROOM;
        refuse(seat, request.requestId, code, request.templateId);
    }

    private void onChat(final Seat from, final LobbyChatDecoder chat)
    {
        final long requestId = chat.requestId();
        final int length = chat.getText(scratch, 0, scratch.capacity());
        final int code = ArenaMessages.checkText(scratch, 0, length, ArenaMessages.TEXT_LIMIT);
        if (0 != code)
        {
            refuse(from, requestId, ArenaCode.get(code), LobbyChatDecoder.TEMPLATE_ID);
        }
        else if (!chats.take(from.index(), room.nowNs()) || !allChats.take(0, room.nowNs()))
        {
            refuse(from, requestId, ArenaCode.CHAT_FLOOD, LobbyChatDecoder.TEMPLATE_ID);
        }
        else
        {
            room.count(ArenaCounters.CHATS, 1);
            proxy.chat(from.playerId(), ArenaProxy.NO_INDEX, scratch, length);
        }
    }

    private boolean mayAsk(final Seat from, final LobbyRequest request)
    {
        if (openRequests[from.index()] >= REQUESTS_OF_SEAT || requestByIdMap.size() >= REQUEST_LIMIT)
        {
            refuse(from, request.requestId, ArenaCode.TOO_MANY_REQUESTS, request.templateId);
            return false;
        }
        return true;
    }

    private void asked(final Seat from, final LobbyRequest request, final long correlationId)
    {
        openRequests[from.index()]++;
        requestByIdMap.put(correlationId, request);
    }

    private boolean isName(final Seat from, final LobbyRequest request, final int length)
    {
        final ArenaCode code = nameCode(length);
        if (null != code)
        {
            refuse(from, request.requestId, code, request.templateId);
        }
        return null == code;
    }

    /** What is wrong with the name in the scratch buffer, or null. */
    private ArenaCode nameCode(final int length)
    {
        final int code = ArenaMessages.checkText(scratch, 0, length, ArenaMessages.NAME_LIMIT);
        return 0 != code ? ArenaCode.get(code) : length < LEAST_NAME ? ArenaCode.TEXT_TOO_SHORT : null;
    }

    private RoomEntry shown(final long roomId)
    {
        final RoomEntry entry = rooms.byId(roomId);
        return null != entry && isShown(entry) ? entry : null;
    }

    private static boolean isShown(final RoomEntry entry)
    {
        return entry.isReady && !entry.isClosing;
    }

    private void refuse(final Seat seat, final long reference, final ArenaCode code, final int templateId)
    {
        room.count(code.value(), 1);
        proxy.refused(seat, reference, code, templateId);
    }
}
