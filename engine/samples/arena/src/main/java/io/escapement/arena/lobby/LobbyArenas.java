package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ChangeRoomDecoder;
import io.escapement.arena.codecs.CreateRoomDecoder;
import io.escapement.arena.codecs.DeleteRoomDecoder;
import io.escapement.arena.codecs.ListRoomsDecoder;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.Texts;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The list of arenas, and the requests of players to open, change and delete their own. */
final class LobbyArenas
{
    /** Most arenas of one owner. */
    private static final int ROOMS_OF_OWNER = 4;
    /** Most arenas of all players. The rest of the list is reserved for arenas that the server opens. */
    private static final int ROOM_LIMIT = RoomList.LIMIT / 2;
    private static final int NAME_BIT = 1;
    private static final int PASSWORD_BIT = 2;

    private final Room room;
    private final ArenaMaps maps;
    private final LobbyRequests requests;
    private final LobbyProxy proxy;
    private final RoomList rooms = new RoomList();
    private final List<RoomEntry> pageRooms = new ArrayList<>();
    private final UnsafeBuffer text = new UnsafeBuffer(new byte[ArenaMessages.MAX_NAME_LENGTH]);

    LobbyArenas(final Room room, final ArenaMaps maps, final LobbyRequests requests, final LobbyProxy proxy)
    {
        this.room = room;
        this.maps = maps;
        this.requests = requests;
        this.proxy = proxy;
    }

    void onDirectory(final DirectoryEntry entry)
    {
        rooms.onDirectory(entry);
    }

    /** The arena with this id if players can see it, otherwise null. */
    RoomEntry visible(final long roomId)
    {
        final RoomEntry entry = rooms.byId(roomId);
        return null != entry && isVisible(entry) ? entry : null;
    }

    void onList(final Seat from, final ListRoomsDecoder list)
    {
        final long requestId = list.requestId();
        final int page = list.page();
        final int length = list.getFilter(text, 0, text.capacity());
        final int code = 0 == length ? 0 : ArenaMessages.checkText(text, 0, length, ArenaMessages.NAME_LIMIT);
        if (0 != code)
        {
            proxy.refused(from, requestId, ArenaCode.get(code), ListRoomsDecoder.TEMPLATE_ID);
            return;
        }
        final byte[] filter = Texts.fold(Texts.bytes(text, 0, length));
        final int first = page * ArenaMessages.ROOMS_OF_PAGE;
        int total = 0;
        pageRooms.clear();
        for (int i = 0; i < rooms.size(); i++)
        {
            final RoomEntry entry = rooms.at(i);
            if (isVisible(entry) && Texts.contains(entry.foldedName, filter))
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
            proxy.refused(from, requestId, ArenaCode.BAD_PAGE, ListRoomsDecoder.TEMPLATE_ID);
            return;
        }
        proxy.page(from, requestId, page, pages, total, pageRooms);
    }

    void onCreate(final Seat from, final CreateRoomDecoder create)
    {
        final LobbyRequest request =
            new LobbyRequest(LobbyRequest.OPEN, from, create.requestId(), CreateRoomDecoder.TEMPLATE_ID);
        request.seats = create.seats();
        final int nameLength = create.getName(text, 0, text.capacity());
        final ArenaCode nameCode = Texts.nameCode(text, nameLength);
        request.name = Texts.bytes(text, 0, nameLength);
        request.mapName = new byte[create.mapNameLength()];
        create.getMapName(request.mapName, 0, request.mapName.length);
        final byte[] password = new byte[create.passwordLength()];
        create.getPassword(password, 0, password.length);

        final ArenaCode code = null == nameCode ? refusalOf(request) : nameCode;
        if (null != code)
        {
            proxy.refused(from, request.requestId, code, request.templateId);
        }
        else if (requests.admitOrRefuse(from, request))
        {
            if (0 != password.length)
            {
                request.salt = room.random().nextLong();
                request.hash = Texts.hash(request.salt, password);
            }
            requests.add(from, request, proxy.openArena(request));
        }
    }

    /** The host has opened the arena or refused to. The seat is null if the player has left. */
    void onOpened(
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
            // The directory's report, which has the same values, may arrive later.
            entry.seats = request.seats;
            entry.ownerId = request.playerId;
            entry.name(request.name);
            entry.mapName = request.mapName;
            entry.password(request.salt, request.hash);
            entry.isReady = true;
        }
        if (null != seat && null == entry)
        {
            proxy.refused(seat, request.requestId, ArenaCode.OPEN_FAILED, request.templateId);
        }
        else if (null != seat)
        {
            proxy.roomCreated(seat, request.requestId, entry.roomId);
        }
    }

    /** An arena was opened for a match. The directory's report may arrive later. */
    void onMatch(final long roomId, final int seats)
    {
        final RoomEntry entry = rooms.of(roomId);
        if (null != entry && !entry.isReady)
        {
            entry.seats = seats;
            entry.name(MatchTypes.NAME);
            entry.mapName = MatchTypes.MAP_NAME;
            entry.isReady = true;
        }
    }

    void onChange(final Seat from, final ChangeRoomDecoder change)
    {
        final long requestId = change.requestId();
        final RoomEntry entry = visible(change.roomId());
        final int changes = change.changes().getRaw();
        final int length = change.getName(text, 0, text.capacity());
        final byte[] password = new byte[change.passwordLength()];
        change.getPassword(password, 0, password.length);

        ArenaCode code = null == entry ? ArenaCode.UNKNOWN_ROOM :
            entry.ownerId != from.playerId() ? ArenaCode.NOT_OWNER :
            0 == changes || 0 != (changes & ~(NAME_BIT | PASSWORD_BIT)) ? ArenaCode.NOTHING_TO_CHANGE : null;
        final boolean isRenamed = 0 != (changes & NAME_BIT);
        if (null == code && isRenamed)
        {
            code = Texts.nameCode(text, length);
        }
        final byte[] name = Texts.bytes(text, 0, length);
        if (null == code && isRenamed && rooms.isNameTaken(Texts.keys(name), entry))
        {
            code = ArenaCode.NAME_TAKEN;
        }
        if (null != code)
        {
            proxy.refused(from, requestId, code, ChangeRoomDecoder.TEMPLATE_ID);
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
        proxy.changeArena(entry);
        proxy.roomChanged(from, requestId, entry.roomId);
    }

    void onDelete(final Seat from, final DeleteRoomDecoder delete)
    {
        final RoomEntry entry = visible(delete.roomId());
        if (null == entry || entry.ownerId != from.playerId())
        {
            proxy.refused(from, delete.requestId(), null == entry ? ArenaCode.UNKNOWN_ROOM : ArenaCode.NOT_OWNER,
                DeleteRoomDecoder.TEMPLATE_ID);
            return;
        }
        entry.isClosing = true;
        proxy.deleteArena(entry);
        proxy.roomDeleted(from, delete.requestId(), entry.roomId);
    }

    void write(final StateWriter writer)
    {
        rooms.write(writer);
    }

    void read(final StateReader reader)
    {
        rooms.read(reader);
    }

    private ArenaCode refusalOf(final LobbyRequest create)
    {
        if (create.seats < ArenaRoom.LEAST_SEATS || create.seats > ArenaRoom.MOST_SEATS)
        {
            return ArenaCode.BAD_SEAT_COUNT;
        }
        if (null == maps.byName(new UnsafeBuffer(create.mapName), 0, create.mapName.length))
        {
            return ArenaCode.UNKNOWN_MAP;
        }
        if (rooms.isNameTaken(create.keys(), null) || requests.isNameTaken(create.keys()))
        {
            return ArenaCode.NAME_TAKEN;
        }
        if (rooms.size() + requests.opening() >= ROOM_LIMIT)
        {
            return ArenaCode.TOO_MANY_ROOMS;
        }
        return rooms.countOf(create.playerId) + requests.openingOf(create.playerId) >= ROOMS_OF_OWNER ?
            ArenaCode.TOO_MANY_OWN_ROOMS : null;
    }

    private static boolean isVisible(final RoomEntry entry)
    {
        return entry.isReady && !entry.isClosing;
    }
}
