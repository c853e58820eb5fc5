package io.escapement.lobby;

import io.escapement.codecs.PlayerNames;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.config.ConfigException;
import io.escapement.lobby.codecs.AskDecoder;
import io.escapement.lobby.codecs.LobbyCode;
import io.escapement.lobby.codecs.LobbyEncoder;
import io.escapement.lobby.codecs.LobbyLayout;
import io.escapement.lobby.codecs.MessageHeaderDecoder;
import io.escapement.lobby.codecs.OpenRoomDecoder;
import io.escapement.lobby.codecs.OpenRoomEncoder;
import io.escapement.lobby.codecs.SayDecoder;
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
import io.escapement.rooms.sync.SyncedRoom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The room that players join first. It shows the open rooms of some types with their labels and seats. It finds or
 * opens a room for a player who asks, and reserves the player's seat there. It passes chat lines on.
 *
 * <p>Two players who ask for the same room at once get seats in one room: the second waits for the room that opens for
 * the first. Seats that are being reserved count as taken. A room is never sent more players than it has seats for.
 *
 * <p>The list is a state of {@link #SCHEMA}, which {@code lobby.js} and {@link LobbyClient} copy. The messages are in
 * {@code lobby.xml}. A {@link LobbyCode} answers a player's request.
 */
public final class Lobby extends SyncedRoom
{
    /** Frames of a lobby per second: changes of the list are sent this often. */
    public static final int FRAME_RATE = 20;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("lobby");

    /** The table of the open rooms. */
    public static final int ROOMS = BUILDER.entities("rooms", LobbyRooms.LIMIT);

    /** Field with the id of the room. */
    public static final int ROOM_ID = BUILDER.field("id", Type.ID);

    /** Field with the id of the room's type. */
    public static final int TYPE = BUILDER.field("type", Type.INT32);

    /** Field with the number of seats that are taken or reserved. */
    public static final int SEATS_TAKEN = BUILDER.field("taken", Type.UINT16);

    /** Field with the number of seats. */
    public static final int SEATS = BUILDER.field("seats", Type.UINT16);

    /** Field with the label of key 0. The labels of keys up to 7 follow. Empty without a label. */
    public static final int LABEL = labelFields();

    /** The schema of the list. */
    public static final SyncSchema SCHEMA = BUILDER.build();

    private static final int VERSION = 1;
    private static final int SEATS_DEFAULT = 1_024;
    private static final int REQUESTS = 1_024;
    private static final int OUTPUT_LIMIT = 1024 * 1024;
    /** Rooms that refuse a player before it is refused itself. */
    private static final int MAX_REFUSALS = 4;
    private static final int MAX_NAME_LENGTH = LobbyLayout.SAID_NAME_MAX_LENGTH;
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int OPEN_ROOM_LENGTH = 512;
    private static final byte DELETE = 127;

    private final Context context;
    private final MessageHandlers<Seat> messages = new MessageHandlers<Seat>(LobbyLayout.RULES)
        .on(new AskDecoder(), this::onAsk).on(new SayDecoder(), this::onSay);
    private final LobbyEncoder encoder = new LobbyEncoder();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[OPEN_ROOM_LENGTH]);
    private final UnsafeBuffer text = new UnsafeBuffer(new byte[LobbyLayout.SAY_TEXT_MAX_LENGTH]);
    private final LobbyLabels wanted = new LobbyLabels();
    private final Openings openings = new Openings();
    private LobbyRooms rooms;
    private Asks asks;
    /** A name for each seat, and after them the name of a player without a name. */
    private UnsafeBuffer names;
    private int[] nameLengths;
    /** For each seat, the time at which its whole burst is allowed again. */
    private long[] allAllowedNs;

    Lobby(final Context context)
    {
        super(SCHEMA, FRAME_RATE);
        this.context = context;
    }

    /**
     * The type of a lobby, with 1,024 seats. The application opens a room of it before all others: pages know its id.
     *
     * @param typeId  of the type.
     * @param context with its options.
     */
    public static RoomType type(final int typeId, final Context context)
    {
        return type(typeId, context, () -> new Lobby(context));
    }

    static RoomType type(final int typeId, final Context context, final Supplier<RoomLogic> logic)
    {
        context.isConcluded = true;
        return RoomType.of(typeId, "lobby", VERSION, logic).logicSettings(context.hash())
            .seats(SEATS_DEFAULT).timers(0).requests(REQUESTS).outputLimit(OUTPUT_LIMIT).schema(SCHEMA);
    }

    /**
     * Publish the labels with which a room was opened: call it in onOpen of a room that players open.
     *
     * @param opened room of the game.
     * @param args   buffer with the arguments of onOpen, which a lobby or {@link #openArgs} made.
     * @param offset of the arguments.
     * @param length of the arguments. A room without arguments has no labels.
     * @return the number of bytes before the game's arguments, which are the rest.
     */
    public static int publishLabels(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        if (0 == length)
        {
            return 0;
        }
        final int code = LobbyLayout.RULES.validate(args, offset, length);
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(args, offset);
        if (RefusalCode.NONE.value() != code || OpenRoomDecoder.TEMPLATE_ID != header.templateId())
        {
            throw new IllegalArgumentException("arguments of " + length + " bytes do not come from a lobby");
        }
        final OpenRoomDecoder message = new OpenRoomDecoder().wrapAndApplyHeader(args, offset, header);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[LobbyLabels.MAX_LENGTH]);
        for (final OpenRoomDecoder.LabelsDecoder label : message.labels())
        {
            final int key = label.key();
            opened.label(key, value, 0, label.getValue(value, 0, value.capacity()));
        }
        return length - message.argsLength();
    }

    /**
     * Arguments for a room that calls {@link #publishLabels}, opened by an application or a test.
     *
     * @param labels of the room, by keys from 0 to 7, each of up to 32 bytes.
     * @param args   of the game, up to 192 bytes.
     */
    public static UnsafeBuffer openArgs(final Map<Integer, String> labels, final byte[] args)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OPEN_ROOM_LENGTH]);
        final OpenRoomEncoder message = new LobbyEncoder().openRoom(buffer, 0, 0);
        final OpenRoomEncoder.LabelsEncoder group = message.labelsCount(labels.size());
        new TreeMap<>(labels).forEach((key, value) ->
        {
            final byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            group.next().key(key.shortValue()).putValue(bytes, 0, bytes.length);
        });
        message.putArgs(args, 0, args.length);
        return new UnsafeBuffer(buffer, 0, HEADER_LENGTH + message.encodedLength());
    }

    @Override
    protected void opened(final DirectBuffer args, final int offset, final int length)
    {
        begin();
        room().subscribeToDirectory();
    }

    private void begin()
    {
        rooms = new LobbyRooms(state(), context);
        asks = new Asks(room().seatLimit());
        names = new UnsafeBuffer(new byte[(room().seatLimit() + 1) * MAX_NAME_LENGTH]);
        nameLengths = new int[room().seatLimit() + 1];
        allAllowedNs = new long[room().seatLimit()];
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer name, final int offset, final int length)
    {
        if (length > MAX_NAME_LENGTH || length > 0 && !PlayerNames.isName(name, offset, length))
        {
            return LobbyCode.BAD_NAME.value();
        }
        names.putBytes(room().seatLimit() * MAX_NAME_LENGTH, name, offset, length);
        nameLengths[room().seatLimit()] = length;
        return ACCEPT;
    }

    @Override
    protected void joined(final Seat seat)
    {
        final int index = seat.index();
        names.putBytes(index * MAX_NAME_LENGTH, names, room().seatLimit() * MAX_NAME_LENGTH, MAX_NAME_LENGTH);
        nameLengths[index] = nameLengths[room().seatLimit()];
        nameLengths[room().seatLimit()] = 0;
        allAllowedNs[index] = 0;
    }

    @Override
    public void onAway(final Seat seat)
    {
        // Its page has forgotten the request.
        drop(seat.index());
    }

    @Override
    protected void leaving(final Seat seat, final LeaveReason reason, final int code)
    {
        drop(seat.index());
        // A seat may be reserved for the player, who is on the way there.
        asks.takeReserved(seat.index(), room().nowNs());
        nameLengths[seat.index()] = 0;
    }

    private void drop(final int seat)
    {
        if (Asks.NONE != asks.opening(seat))
        {
            openings.addWaiting(asks.opening(seat), -1);
        }
        if (0 != asks.roomId(seat))
        {
            rooms.addPending(asks.roomId(seat), -1);
        }
        asks.close(seat);
    }

    @Override
    public void onDirectory(final DirectoryEntry entry)
    {
        rooms.onDirectory(entry, room().nowNs());
    }

    @Override
    protected void frame(final long frame, final long elapsedNs)
    {
        rooms.removeUnconfirmed(room().nowNs());
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = messages.onMessage(from, buffer, offset, length);
        if (RefusalCode.NONE.value() != code)
        {
            room().refuse(from, code);
        }
    }

    private void onAsk(final Seat from, final AskDecoder ask)
    {
        final int seat = from.index();
        final long requestId = ask.requestId();
        final int typeId = ask.typeId();
        // The limits for rooms opened by players.
        final boolean isOpenable = context.limit(typeId) > 0;
        final LobbyCode code = asks.isWaiting(seat) ? LobbyCode.ALREADY_ASKED :
            !context.isShown(typeId) ? LobbyCode.UNKNOWN_TYPE :
            wanted.set(ask, isOpenable ? context.labels : LobbyLabels.KEYS,
                isOpenable ? context.labelLength : LobbyLabels.MAX_LENGTH);
        if (LobbyCode.NONE != code)
        {
            answer(from, requestId, code, 0);
            return;
        }
        final long reserved = asks.takeReserved(seat, room().nowNs());
        if (0 != reserved)
        {
            // A player who asks for one room after another holds one seat at a time.
            room().release(reserved, from.playerId());
        }
        asks.open(seat, ask.buffer(), ask.buffer().capacity());
        place(from, typeId, 0 != ask.isNew());
    }

    /** Find or open a room with the labels in {@link #wanted}. */
    private void place(final Seat player, final int typeId, final boolean isNew)
    {
        final int found = isNew ? LobbyRooms.NONE : rooms.find(typeId, wanted);
        final int opening = isNew ? Openings.NONE : openings.find(typeId, wanted, context.seats(typeId));
        if (LobbyRooms.NONE != found)
        {
            reserve(player, rooms.roomId(found));
        }
        else if (Openings.NONE != opening)
        {
            await(player, opening);
        }
        else
        {
            open(player, typeId);
        }
    }

    private void open(final Seat player, final int typeId)
    {
        final long playerId = player.playerId();
        final int limit = context.limit(typeId);
        final LobbyCode code = 0 == limit ? LobbyCode.NOT_OPENABLE :
            rooms.ofType(typeId) + openings.ofType(typeId) >= limit ? LobbyCode.TYPE_LIMIT :
            rooms.ofPlayer(playerId) + openings.ofPlayer(playerId) >= context.roomsPerPlayer ? LobbyCode.PLAYER_LIMIT :
            rooms.isFull(openings.count()) ? LobbyCode.LOBBY_FULL :
            openings.isFull() || 0 == room().requestsLeft() ? LobbyCode.BUSY : LobbyCode.NONE;
        if (LobbyCode.NONE != code)
        {
            finish(player, code, 0);
            return;
        }
        // Both messages have the labels and the arguments last.
        encoder.openRoom(out, 0, playerId);
        final int seat = player.index();
        final int length = HEADER_LENGTH + OpenRoomEncoder.BLOCK_LENGTH;
        out.putBytes(length, asks.messages(), asks.labelsOffset(seat), asks.labelsAndArgsLength(seat));
        final long correlationId = room().openRoom(typeId, out, 0, length + asks.labelsAndArgsLength(seat));
        if (Room.NO_REQUEST == correlationId)
        {
            finish(player, LobbyCode.BUSY, 0);
        }
        else
        {
            await(player, openings.add(correlationId, typeId, wanted, playerId));
        }
    }

    private void await(final Seat player, final int opening)
    {
        openings.addWaiting(opening, 1);
        asks.awaitOpening(player.index(), opening);
    }

    private void reserve(final Seat player, final long roomId)
    {
        final long correlationId = 0 == room().requestsLeft() ? Room.NO_REQUEST :
            room().reserve(roomId, player.playerId(), context.reservationNs);
        if (Room.NO_REQUEST == correlationId)
        {
            finish(player, LobbyCode.BUSY, 0);
        }
        else
        {
            rooms.addPending(roomId, 1);
            asks.awaitSeat(player.index(), correlationId, roomId);
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final int opening = openings.of(correlationId);
        final int seat = Openings.NONE == opening ? asks.ofReservation(correlationId) : Asks.NONE;
        if (Openings.NONE != opening)
        {
            onOpened(opening, 0 == status ? buffer.getLong(offset) : 0);
        }
        else if (Asks.NONE != seat)
        {
            onReserved(room().seat(seat), status);
        }
        // Others are the replies to releases, and to the requests of players who have gone.
    }

    private void onOpened(final int opening, final long roomId)
    {
        if (0 != roomId)
        {
            final int typeId = openings.typeId(opening);
            rooms.opened(roomId, typeId, context.seats(typeId), openings.labels(opening), openings.playerId(opening));
        }
        for (int seat = 0; seat < room().seatLimit(); seat++)
        {
            if (opening == asks.opening(seat))
            {
                if (0 == roomId)
                {
                    finish(room().seat(seat), LobbyCode.NOT_OPENED, 0);
                }
                else
                {
                    reserve(room().seat(seat), roomId);
                }
            }
        }
        openings.remove(opening);
    }

    private void onReserved(final Seat player, final int status)
    {
        final int seat = player.index();
        final long roomId = asks.roomId(seat);
        rooms.addPending(roomId, -1);
        if (RefusalCode.NONE.value() == status || RefusalCode.ALREADY_JOINED.value() == status)
        {
            asks.reserved(seat, room().nowNs() + context.reservationNs);
            finish(player, LobbyCode.NONE, roomId);
            return;
        }
        rooms.refused(roomId);
        final AskDecoder ask = asks.message(seat);
        final boolean isNew = 0 != ask.isNew();
        if (asks.refused(seat) >= MAX_REFUSALS || isNew)
        {
            finish(player, LobbyCode.NO_SEAT, 0);
        }
        else
        {
            wanted.set(ask, LobbyLabels.KEYS, LobbyLabels.MAX_LENGTH);
            place(player, ask.typeId(), false);
        }
    }

    private void finish(final Seat player, final LobbyCode code, final long roomId)
    {
        answer(player, asks.message(player.index()).requestId(), code, roomId);
        asks.close(player.index());
    }

    private void answer(final Seat player, final long requestId, final LobbyCode code, final long roomId)
    {
        final int length = LobbyEncoder.answerLength();
        room().commit(encoder.answer(room().claimEvent(player, length), 0, requestId, code, roomId));
    }

    private void onSay(final Seat from, final SayDecoder say)
    {
        final int seat = from.index();
        final int length = say.getText(text, 0, text.capacity());
        final long intervalNs = context.chatIntervalNs;
        final LobbyCode code = 0 == context.chatBurst ? LobbyCode.NO_CHAT : !isText(length) ? LobbyCode.BAD_TEXT :
            allAllowedNs[seat] > room().nowNs() + (context.chatBurst - 1) * intervalNs ? LobbyCode.TOO_FAST :
            LobbyCode.NONE;
        if (LobbyCode.NONE != code)
        {
            room().refuse(from, code.value());
            return;
        }
        allAllowedNs[seat] = Math.max(allAllowedNs[seat], room().nowNs()) + intervalNs;
        final int said = LobbyEncoder.saidLength(nameLengths[seat], length);
        room().commit(encoder.said(room().claimEvent(room().everyone(), said), 0, from.playerId(), room().epochMs(),
            names, seat * MAX_NAME_LENGTH, nameLengths[seat], text, 0, length));
    }

    /** Whether the text is not empty and has no control characters. */
    private boolean isText(final int length)
    {
        boolean isText = length > 0;
        for (int i = 0; isText && i < length; i++)
        {
            // The bytes of other characters than ASCII are negative.
            isText = (text.getByte(i) < 0 || text.getByte(i) >= ' ') && DELETE != text.getByte(i);
        }
        return isText;
    }

    @Override
    protected void saving(final StateWriter writer)
    {
        rooms.write(writer);
        openings.write(writer);
        asks.write(writer);
        for (Seat seat = taken(0); null != seat; seat = taken(seat.index() + 1))
        {
            writer.putBytes(names, seat.index() * MAX_NAME_LENGTH, nameLengths[seat.index()]);
            writer.putLong(allAllowedNs[seat.index()]);
        }
    }

    @Override
    protected void restored(final int version, final StateReader reader)
    {
        begin();
        rooms.read(reader);
        openings.read(reader);
        asks.read(reader);
        for (Seat seat = taken(0); null != seat; seat = taken(seat.index() + 1))
        {
            nameLengths[seat.index()] = reader.getBytes(names, seat.index() * MAX_NAME_LENGTH);
            allAllowedNs[seat.index()] = reader.getLong();
        }
    }

    /** The first seat from an index on that has a player, present or away, or null. */
    private Seat taken(final int fromIndex)
    {
        for (int index = fromIndex; index < room().seatLimit(); index++)
        {
            if (null != room().seat(index))
            {
                return room().seat(index);
            }
        }
        return null;
    }

    private static int labelFields()
    {
        final int first = BUILDER.text("label0", LobbyLabels.MAX_LENGTH);
        for (int key = 1; key < LobbyLabels.KEYS; key++)
        {
            BUILDER.text("label" + key, LobbyLabels.MAX_LENGTH);
        }
        return first;
    }

    /**
     * The options of a lobby: the types of rooms that it shows, and which of them players may open. A room type has no
     * such option ({@code RoomType.openableByPlayers}), because only a room of the application, the lobby, opens rooms
     * for players. The options can no longer change after a lobby's type has them, and a recording replays with the
     * same options.
     */
    public static final class Context
    {
        private final List<RoomType> types = new ArrayList<>();
        private final List<Integer> limits = new ArrayList<>();
        private int roomsPerPlayer = 4;
        private int labels = 4;
        private int labelLength = LobbyLabels.MAX_LENGTH;
        private int chatBurst = 5;
        private long chatIntervalNs = TimeUnit.SECONDS.toNanos(1);
        private long reservationNs = TimeUnit.SECONDS.toNanos(10);
        private boolean isConcluded;

        /** Options of a lobby without rooms, until a type is added. */
        public Context()
        {
        }

        /**
         * Show the rooms of a type, and allow players to find seats in them. Players do not open them.
         *
         * @param type of the rooms.
         */
        public Context shows(final RoomType type)
        {
            return add(type, 0);
        }

        /**
         * Show the rooms of a type, and allow players to open others.
         *
         * @param type  of the rooms. They call {@link Lobby#publishLabels} when they open.
         * @param limit rooms of the type, 1 to 512: while as many are open, players open no more.
         */
        public Context opens(final RoomType type, final int limit)
        {
            return add(type, inRange("limit", limit, 1, LobbyRooms.LIMIT));
        }

        /**
         * Most rooms of a player that are open at a time. Default 4.
         *
         * @param value 1 to 512.
         */
        public Context roomsPerPlayer(final int value)
        {
            checkNotConcluded();
            roomsPerPlayer = inRange("roomsPerPlayer", value, 1, LobbyRooms.LIMIT);
            return this;
        }

        /**
         * Labels that a player may give a room. Default 4, of up to 32 bytes.
         *
         * @param count     number of labels, 0 to 8.
         * @param maxLength of a value in bytes, 1 to 32.
         */
        public Context labels(final int count, final int maxLength)
        {
            checkNotConcluded();
            labels = inRange("labels", count, 0, LobbyLabels.KEYS);
            labelLength = inRange("maxLength", maxLength, 1, LobbyLabels.MAX_LENGTH);
            return this;
        }

        /**
         * Chat lines per player. Default 5 at once, and 1 more per second.
         *
         * @param burst      lines at once, 0 to 1,000; 0 for a lobby without a chat.
         * @param intervalNs after which another line is allowed, 1 ns to an hour.
         */
        public Context chat(final int burst, final long intervalNs)
        {
            checkNotConcluded();
            chatBurst = inRange("burst", burst, 0, 1_000);
            ConfigException.check(intervalNs > 0 && intervalNs <= TimeUnit.HOURS.toNanos(1), "intervalNs", intervalNs,
                "must be above 0, up to an hour");
            chatIntervalNs = intervalNs;
            return this;
        }

        /**
         * How long a seat is reserved for a player who has got one. Default ten seconds.
         *
         * @param value in nanoseconds, above 0.
         */
        public Context reservationNs(final long value)
        {
            checkNotConcluded();
            ConfigException.check(value > 0, "reservationNs", value, "must be above 0");
            reservationNs = value;
            return this;
        }

        private Context add(final RoomType type, final int limit)
        {
            checkNotConcluded();
            ConfigException.check(NONE == indexOf(type.id()), "type", type.id(), "is there already");
            types.add(type);
            limits.add(limit);
            return this;
        }

        private static final int NONE = -1;

        private int indexOf(final int typeId)
        {
            int index = types.size() - 1;
            while (index >= 0 && typeId != types.get(index).id())
            {
                index--;
            }
            return index;
        }

        boolean isShown(final int typeId)
        {
            return NONE != indexOf(typeId);
        }

        /** Rooms of a type up to which players open others; 0 for a type that they do not open. */
        private int limit(final int typeId)
        {
            final int index = indexOf(typeId);
            return NONE == index ? 0 : limits.get(index);
        }

        private int seats(final int typeId)
        {
            return types.get(indexOf(typeId)).seats();
        }

        /** Of all options, because each changes the behaviour of a lobby. */
        private long hash()
        {
            final StateHash hash = new StateHash();
            for (int i = 0; i < types.size(); i++)
            {
                hash.putInt(types.get(i).id());
                hash.putInt(types.get(i).seats());
                hash.putInt(limits.get(i));
            }
            hash.putInt(roomsPerPlayer);
            hash.putInt(labels);
            hash.putInt(labelLength);
            hash.putInt(chatBurst);
            hash.putLong(chatIntervalNs);
            hash.putLong(reservationNs);
            return hash.value();
        }

        private void checkNotConcluded()
        {
            if (isConcluded)
            {
                throw new IllegalStateException("a lobby's type has these options: set them before");
            }
        }

        private static int inRange(final String option, final int value, final int least, final int most)
        {
            ConfigException.check(value >= least && value <= most, option, value, "must be " + least + " to " + most);
            return value;
        }
    }
}
