package io.escapement.matchmaking;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.matchmaking.codecs.CancelDecoder;
import io.escapement.matchmaking.codecs.CancelPlayerDecoder;
import io.escapement.matchmaking.codecs.EnqueueDecoder;
import io.escapement.matchmaking.codecs.EnqueuePlayerDecoder;
import io.escapement.matchmaking.codecs.FindDecoder;
import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.matchmaking.codecs.RatingDecoder;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room in which players wait for a match. It groups players with ratings that are near enough, keeps parties
 * together, opens a room for each match, and reserves all of its seats before it sends the players there. It also finds
 * open rooms by their labels.
 *
 * <p>A ticket is removed when it times out, when a member cancels it, and when a member leaves or goes away: a
 * returning player resends its message. The messages are in {@code matchmaking.xml}.
 */
public final class Matchmaker implements RoomLogic
{
    /** Requests that a matchmaker may have open: a match has a request for each player, and so has a rating. */
    static final int REQUESTS = RoomType.MAX_REQUESTS;

    /**
     * Tickets, and as many open rooms, that the searches of a frame look at before the rest waits for the next frame.
     * The tickets take 0.2 ms, and so do the rooms. The last search may exceed the limit by
     * {@link #MAX_SEARCH_COMPARISONS}, or by {@link OpenRooms#LIMIT}.
     */
    static final int COMPARISONS_OF_FRAME = 20_000;

    /** Most that one search looks at: each ticket of the window, after each of which those before may be dropped. */
    static final int MAX_SEARCH_COMPARISONS = MatchSearch.WINDOW * (1 + MatchSearch.WINDOW);

    /** Longest arguments of a matchmaker: they go to the room of each match, with up to 62 players. */
    private static final int MAX_SETTINGS_LENGTH = 256;
    private static final int VERSION = 1;
    private static final int SEATS = 16_384;
    /** Frames of a matchmaker per second. */
    public static final int FRAME_RATE = 10;
    /** One event for each seat, and as many replies as a turn can have. */
    private static final int OUTPUT_LIMIT = 2 * 1024 * 1024;

    private final MatchmakerContext context;
    private final MessageHandlers<Seat> messages = new MessageHandlers<Seat>()
        .on(new EnqueueDecoder(), this::onEnqueue).on(new CancelDecoder(), this::onCancel)
        .on(new FindDecoder(), this::onFind);
    private final MessageHandlers<Seat> answers = new MessageHandlers<Seat>()
        .on(new RatingDecoder(), this::onRating);
    private final MessageHandlers<Long> questions = new MessageHandlers<Long>()
        .on(new EnqueuePlayerDecoder(), this::onEnqueuePlayer);
    private final MessageHandlers<Room> signals = new MessageHandlers<Room>()
        .on(new CancelPlayerDecoder(), this::onCancelPlayer);
    private final OpenRooms openRooms = new OpenRooms();
    private final Labels labels = new Labels();
    private Room room;
    private MatchmakerProxy proxy;
    private Tickets tickets;
    private MatchSearch search;
    private Matches matches;
    private RatingRequests ratings;
    private AskedPlayers asked;
    private byte[] settings = {};
    /** The key of the ticket at which the next search starts. */
    private long cursor;

    Matchmaker(final MatchmakerContext context)
    {
        this.context = context;
    }

    /**
     * The type of a matchmaker, with {@value #SEATS} seats. The application opens a room of it.
     *
     * @param typeId  of the type.
     * @param context with its options.
     */
    public static RoomType type(final int typeId, final MatchmakerContext context)
    {
        return type(typeId, context, () -> new Matchmaker(context));
    }

    static RoomType type(final int typeId, final MatchmakerContext context, final Supplier<Matchmaker> logic)
    {
        context.conclude();
        return RoomType.of(typeId, "matchmaker", VERSION, logic).logicSettings(context.hash())
            .seats(SEATS).questions(context.askedLimit()).timers(0).requests(REQUESTS).outputLimit(OUTPUT_LIMIT);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        if (length > MAX_SETTINGS_LENGTH)
        {
            throw new IllegalArgumentException(
                "args of a matchmaker: " + length + " bytes, at most " + MAX_SETTINGS_LENGTH);
        }
        settings = new byte[length];
        args.getBytes(offset, settings);
        begin(opened);
        room.frameRate(FRAME_RATE);
        if (MatchmakerContext.NO_TYPE != context.findTypeId())
        {
            room.subscribeToDirectory();
        }
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = messages.onMessage(from, buffer, offset, length);
        if (RefusalCode.NONE.value() != code)
        {
            room.refuse(from, code);
        }
    }

    @Override
    public void onAsk(
        final long askId, final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (RefusalCode.NONE.value() != questions.onMessage(askId, buffer, offset, length))
        {
            proxy.refuseQuestion(askId, MatchmakingCode.BAD_REQUEST);
        }
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        // Another signal is ignored. It has no answer, and the numbers of counters are the application's.
        signals.onMessage(room, buffer, offset, length);
    }

    @Override
    public void onAway(final Seat seat)
    {
        onGone(seat.index());
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        onGone(seat.index());
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        // Other replies are those to releases and abandoned ratings.
        if (!matches.onReply(correlationId, status, buffer, offset))
        {
            final int seat = ratings.remove(correlationId);
            if (RatingRequests.NONE != seat && (RefusalCode.NONE.value() != status ||
                RefusalCode.NONE.value() != answers.onMessage(room.seat(seat), buffer, offset, length)))
            {
                proxy.refuse(seat, MatchmakingCode.NO_RATING);
            }
        }
    }

    @Override
    public void onDirectory(final DirectoryEntry entry)
    {
        openRooms.onDirectory(entry, context.findTypeId());
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        removeExpired();
        beginMatches();
        findRooms();
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putInt(context.players());
        writer.putBytes(new UnsafeBuffer(settings), 0, settings.length);
        tickets.write(writer);
        matches.write(writer);
        ratings.write(writer);
        openRooms.write(writer);
        writer.putLong(cursor);
        asked.write(writer);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        final int players = reader.getInt();
        if (players != context.players())
        {
            throw new IllegalArgumentException(
                "the matchmaker was written with " + players + " players, its type has " + context.players());
        }
        settings = new byte[MAX_SETTINGS_LENGTH];
        settings = Arrays.copyOf(settings, reader.getBytes(new UnsafeBuffer(settings), 0));
        begin(restored);
        tickets.read(reader);
        matches.read(reader);
        ratings.read(reader);
        openRooms.read(reader);
        cursor = reader.getLong();
        asked.read(reader);
    }

    /** Tickets and open rooms that the searches have looked at. */
    long comparisons()
    {
        return search.comparisons() + openRooms.comparisons();
    }

    private void begin(final Room begun)
    {
        room = begun;
        asked = new AskedPlayers(room, context.askedLimit());
        proxy = new MatchmakerProxy(room, context, asked, settings);
        tickets = new Tickets(asked.numbers());
        search = new MatchSearch(tickets, context);
        matches = new Matches(room, context, tickets, openRooms, proxy, asked);
        ratings = new RatingRequests(room.seatLimit());
    }

    private void onEnqueue(final Seat from, final EnqueueDecoder enqueue)
    {
        final int seat = from.index();
        final long party = enqueue.partyId();
        final int size = enqueue.partySize();
        final int rating = enqueue.rating();
        final MatchmakingCode code = refusalOf(seat, party, size, null);
        if (MatchmakingCode.NULL_VAL != code)
        {
            proxy.refuse(seat, code);
        }
        else if (MatchmakerContext.NO_SERVICE == context.ratingService())
        {
            enter(seat, party, size, Math.min(rating, MatchmakerContext.MAX_RATING), null);
        }
        else
        {
            readRating(from, party, size);
        }
    }

    private void onEnqueuePlayer(final Long askId, final EnqueuePlayerDecoder enqueue)
    {
        final long playerId = enqueue.playerId();
        final int rating = Math.min(enqueue.rating(), MatchmakerContext.MAX_RATING);
        final Seat seat = room.seatOf(playerId);
        final boolean isQueued = AskedPlayers.NONE != asked.of(playerId) || null != seat && isQueued(seat.index());
        if (isQueued || asked.isFull() || tickets.players() >= context.waitingLimit())
        {
            proxy.refuseQuestion(askId, isQueued ? MatchmakingCode.ALREADY_QUEUED : MatchmakingCode.QUEUE_FULL);
        }
        else
        {
            enter(asked.add(playerId, askId), 0, 1, rating, null);
        }
    }

    private void onCancelPlayer(final Room to, final CancelPlayerDecoder cancel)
    {
        // The signal may cross the answer.
        final int number = asked.of(cancel.playerId());
        if (AskedPlayers.NONE != number)
        {
            remove(number, Tickets.NONE, MatchmakingCode.CANCELLED);
        }
    }

    private boolean isQueued(final int seat)
    {
        return Tickets.NONE != tickets.ofSeat(seat) || ratings.isOpen(seat);
    }

    private void readRating(final Seat of, final long party, final int size)
    {
        // A slow service must not keep matches from being made. They also need requests.
        final long correlationId = matches.maySpareRequest() ? proxy.readRating(of.playerId()) : Room.NO_REQUEST;
        if (Room.NO_REQUEST == correlationId)
        {
            proxy.refuse(of.index(), MatchmakingCode.BUSY);
        }
        else
        {
            ratings.add(of.index(), party, size, correlationId);
        }
    }

    private void onRating(final Seat of, final RatingDecoder answer)
    {
        // Others may have filled the party or the queue since the player asked.
        final int seat = of.index();
        final MatchmakingCode code = refusalOf(seat, ratings.partyId(seat), ratings.partySize(seat), null);
        if (MatchmakingCode.NULL_VAL != code)
        {
            proxy.refuse(seat, code);
        }
        else
        {
            enter(seat, ratings.partyId(seat), ratings.partySize(seat),
                Math.min(answer.rating(), MatchmakerContext.MAX_RATING), null);
        }
    }

    private void onFind(final Seat from, final FindDecoder find)
    {
        final int seat = from.index();
        final boolean isValid = labels.set(find);
        final MatchmakingCode code = !isValid ? MatchmakingCode.BAD_REQUEST :
            MatchmakerContext.NO_TYPE == context.findTypeId() ? MatchmakingCode.NO_ROOM :
            refusalOf(seat, find.partyId(), find.partySize(), labels);
        if (MatchmakingCode.NULL_VAL != code)
        {
            proxy.refuse(seat, code);
        }
        else
        {
            enter(seat, find.partyId(), find.partySize(), 0, labels);
        }
    }

    private void onCancel(final Seat from, final CancelDecoder cancel)
    {
        final int seat = from.index();
        if (ratings.isOpen(seat))
        {
            ratings.cancel(seat);
            proxy.removed(seat, MatchmakingCode.CANCELLED);
        }
        else if (Tickets.NONE != tickets.ofSeat(seat))
        {
            remove(tickets.ofSeat(seat), Tickets.NONE, MatchmakingCode.CANCELLED);
        }
        else
        {
            proxy.refuse(seat, MatchmakingCode.NOT_QUEUED);
        }
    }

    private MatchmakingCode refusalOf(final int seat, final long party, final int size, final Labels wanted)
    {
        if (isQueued(seat) || AskedPlayers.NONE != asked.of(asked.playerId(seat)))
        {
            return MatchmakingCode.ALREADY_QUEUED;
        }
        if (size < 1 || size > context.players() || 1 == size != (0 == party))
        {
            return MatchmakingCode.BAD_REQUEST;
        }
        if (tickets.players() >= context.waitingLimit())
        {
            return MatchmakingCode.QUEUE_FULL;
        }
        final int ticket = 1 == size ? Tickets.NONE : tickets.ofParty(party);
        if (Tickets.NONE == ticket)
        {
            return MatchmakingCode.NULL_VAL;
        }
        return tickets.size(ticket) != size || !tickets.isFor(ticket, wanted) ? MatchmakingCode.BAD_REQUEST :
            0 == tickets.missing(ticket) ? MatchmakingCode.PARTY_FULL : MatchmakingCode.NULL_VAL;
    }

    private void enter(final int seat, final long party, final int size, final int rating, final Labels wanted)
    {
        int ticket = 1 == size ? Tickets.NONE : tickets.ofParty(party);
        if (Tickets.NONE == ticket)
        {
            ticket = seat;
            tickets.open(seat, party, size, rating, wanted, room.nowNs());
        }
        else
        {
            tickets.join(ticket, seat, rating, room.nowNs());
        }
        final int missing = tickets.missing(ticket);
        for (int member = ticket; Tickets.NONE != member; member = tickets.nextMember(member))
        {
            if (member == seat || 0 == missing)
            {
                proxy.queued(member, missing, tickets.ratingOfSeat(member));
            }
        }
    }

    private void onGone(final int seat)
    {
        if (ratings.isOpen(seat))
        {
            ratings.cancel(seat);
        }
        if (Tickets.NONE != tickets.ofSeat(seat))
        {
            remove(tickets.ofSeat(seat), seat, MatchmakingCode.MEMBER_LEFT);
        }
    }

    /** Remove a ticket, and notify its members but one. */
    private void remove(final int ticket, final int except, final MatchmakingCode code)
    {
        if (Tickets.MATCHED == tickets.state(ticket))
        {
            matches.onTicketGone(ticket);
        }
        for (int seat = ticket; Tickets.NONE != seat; seat = tickets.nextMember(seat))
        {
            if (seat != except)
            {
                proxy.removed(seat, code);
            }
        }
        tickets.remove(ticket);
    }

    private void removeExpired()
    {
        final long expiredNs = room.nowNs() - context.timeoutNs();
        int ticket = tickets.oldest();
        while (Tickets.NONE != ticket && tickets.sinceNs(ticket) <= expiredNs)
        {
            final int newer = tickets.newer(ticket);
            if (Tickets.MATCHED != tickets.state(ticket))
            {
                remove(ticket, Tickets.NONE, MatchmakingCode.TIMED_OUT);
            }
            ticket = newer;
        }
    }

    /** Search from each ticket upwards, at most once around the queue. */
    private void beginMatches()
    {
        final RatedQueue queue = tickets.queue();
        final long lastComparison = search.comparisons() + COMPARISONS_OF_FRAME;
        int position = queue.position(cursor);
        for (int left = queue.size(); left > 0 && search.comparisons() < lastComparison && matches.mayOpen(); left--)
        {
            position = position < queue.size() ? position : 0;
            final int found = 0 == queue.size() ? 0 : search.search(position, room.nowNs());
            if (found > 0)
            {
                // Its tickets leave the queue. Therefore the next ticket has this position.
                matches.open(search, found);
            }
            else
            {
                position++;
            }
        }
        cursor = position < queue.size() ? queue.key(position) : 0;
    }

    /** Find an open room for each ticket that wants a room. The tickets that have waited longest are first. */
    private void findRooms()
    {
        final RatedQueue finds = tickets.finds();
        final long lastComparison = openRooms.comparisons() + COMPARISONS_OF_FRAME;
        while (finds.size() > 0 && openRooms.comparisons() < lastComparison && matches.mayReserve())
        {
            final int ticket = finds.ticket(0);
            final int found = openRooms.find(
                tickets.labels(), tickets.labelsOffset(ticket), tickets.size(ticket), tickets.nextRoom(ticket));
            if (OpenRooms.NONE == found)
            {
                remove(ticket, Tickets.NONE, MatchmakingCode.NO_ROOM);
            }
            else
            {
                // If a seat is refused, the ticket returns and continues after this room.
                tickets.nextRoom(ticket, found + 1);
                matches.reserve(ticket, found);
            }
        }
    }
}
