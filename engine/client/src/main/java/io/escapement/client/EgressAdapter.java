package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.FeedBeginsDecoder;
import io.escapement.codecs.trunk.FeedPacket;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StateLostDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TrunkDispatcher;
import io.escapement.codecs.trunk.TurnDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/** Decodes the batches of loop streams, keeps the seats, and delivers a room's message to the seats of its audience. */
final class EgressAdapter extends TrunkDispatcher
{
    private static final int NONE = RefusalCode.NONE.value();
    /**
     * Send has a seat's index in an unsigned short: a seat with a higher index could not send. It also bounds the
     * table.
     */
    private static final int MAX_SEAT_INDEX = SendDecoder.MessagesDecoder.seatIndexMaxValue();
    /** Ordinal of the engine's {@code AwayReason.LINK_DOWN}. */
    private static final int LINK_DOWN = 0;
    /** Ordinal of the engine's {@code AwayReason.MOVED}. */
    private static final int MOVED = 1;

    /** Reports the loss of a state to the engine. */
    private final Predicate<ClientSeat> losses;
    private final ClientSeats seats;
    private final TrunkListener listener;
    /** Null if the trunk does not reconnect. */
    private final Rejoin rejoin;
    /** Null if messages are not resent. */
    private final Resends resends;
    private final NanoClock clock;
    private final RoomMessage message = new RoomMessage();
    private final List<ClientSeat> receivers = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final TurnDecoder feedTurn = new TurnDecoder();
    private LoopFeed[] feeds = {};
    private long[] turns = {};
    private int loop;
    private long turn;
    private long feedGaps;
    private long feedsLeft;
    private long malformed;
    /** Not read: without it the reads could be optimised away. */
    private int prefetched;

    EgressAdapter(
        final ClientSeats seats,
        final TrunkListener listener,
        final Rejoin rejoin,
        final Resends resends,
        final Predicate<ClientSeat> losses,
        final NanoClock clock)
    {
        this.losses = losses;
        this.seats = seats;
        this.listener = listener;
        this.rejoin = rejoin;
        this.resends = resends;
        this.clock = clock;
    }

    /** Messages that were dropped as malformed, each with the rest of its batch, or as unexpected. */
    long malformed()
    {
        return malformed;
    }

    /** Whether the engine must report the accepted messages. */
    boolean isAcceptedWanted()
    {
        return null != resends;
    }

    void onMalformed()
    {
        malformed++;
    }

    /** Number of the turn of the message that is being delivered; 0 if it is not known. */
    long turn()
    {
        return turn;
    }

    /** The feed of a loop, or null if it is over. */
    void feed(final int ofLoop, final LoopFeed feed)
    {
        if (ofLoop >= feeds.length)
        {
            feeds = Arrays.copyOf(feeds, ofLoop + 1);
            turns = Arrays.copyOf(turns, ofLoop + 1);
        }
        feeds[ofLoop] = feed;
        onFeedLeft(ofLoop, false);
    }

    void onFeedGap()
    {
        feedGaps++;
    }

    /** Gaps in the numbers of packets of feeds. */
    long feedGaps()
    {
        return feedGaps;
    }

    /** How often a feed that had arrived fell silent. */
    long feedsLeft()
    {
        return feedsLeft;
    }

    /** The states of a loop arrive on the trunk from now on. */
    void onFeedLeft(final int ofLoop, final boolean hasArrived)
    {
        feedsLeft += hasArrived ? 1 : 0;
        turns[ofLoop] = 0;
        for (final RoomSeats room : seats.rooms())
        {
            if (room.at(0).loop() == ofLoop)
            {
                room.onFeedLeft();
            }
        }
    }

    /**
     * Report the rooms of a loop that lost a state, or may have lost a state in one of the gaps. Returns whether some
     * are left that may miss a state.
     */
    boolean reportLost(final int ofLoop, final int gaps, final int allGaps)
    {
        boolean isLeft = false;
        for (final RoomSeats room : seats.rooms())
        {
            if (room.at(0).loop() == ofLoop)
            {
                if (room.mayMissState(gaps) && hasReported(room))
                {
                    room.onReported(allGaps);
                }
                isLeft |= room.mayMissState(allGaps);
            }
        }
        return isLeft;
    }

    /** Whether each present seat was reported. Otherwise the next inspection retries. */
    private boolean hasReported(final RoomSeats room)
    {
        boolean isAll = true;
        for (int i = 0; i < room.size() && isAll; i++)
        {
            isAll = !room.at(i).isPresent() || losses.test(room.at(i));
        }
        return isAll;
    }

    /** Handle the batch of a packet of a feed. */
    void onFeed(
        final LoopFeed feed,
        final int ofLoop,
        final long firstTurn,
        final DirectBuffer buffer,
        final int offset,
        final int end)
    {
        turn = firstTurn;
        prefetched += prefetch(ofLoop, buffer, offset, end);
        int at = offset;
        while (at < end && !TrunkMessages.isPadding(buffer, at, end))
        {
            final int size = RoomMessage.isAt(buffer, at, end) ?
                onFeedState(feed, ofLoop, buffer, at, end) : onFeedTurn(buffer, at, end);
            if (size < 0)
            {
                malformed++;
                return;
            }
            at += size;
        }
    }

    private int onFeedState(
        final LoopFeed feed, final int ofLoop, final DirectBuffer buffer, final int at, final int end)
    {
        final int size = message.wrap(buffer, at, end);
        if (size < 0 || !message.isState() || !isForAll(message.audience()) ||
            message.payloadLength() < FeedPacket.NUMBER_LENGTH)
        {
            return -1;
        }
        final long roomId = TrunkMessages.roomId(ofLoop, message.number());
        final RoomSeats room = feed.has(turn) ? seats.of(roomId) : null;
        if (null != room)
        {
            final int payload = message.payloadOffset();
            feed.onState(room, FeedPacket.roomNumber(buffer, payload));
            onRoomMessage(room, roomId, true, message.audience(), message.selector(), buffer,
                payload + FeedPacket.NUMBER_LENGTH, message.payloadLength() - FeedPacket.NUMBER_LENGTH);
        }
        return size;
    }

    private int onFeedTurn(final DirectBuffer buffer, final int at, final int end)
    {
        final int length = TrunkMessages.entryLength(buffer, at, end);
        final int from = at + TrunkMessages.ENTRY_HEADER_LENGTH;
        if (length < 0 || TurnDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, from))
        {
            return -1;
        }
        turn = feedTurn.wrapAndApplyHeader(buffer, from, header).number();
        return TrunkMessages.ENTRY_HEADER_LENGTH + length;
    }

    /** The engine refused an entry, on any of the streams. */
    void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        if (null != resends && SendDecoder.TEMPLATE_ID == templateId && hasRun(roomId, seatIndex, reference, code))
        {
            return;
        }
        if (StateLostDecoder.TEMPLATE_ID == templateId && isOfFeed(roomId, code))
        {
            return;
        }
        if (null == rejoin || JoinDecoder.TEMPLATE_ID != templateId ||
            !rejoin.onRefused(reference, code, clock.nanoTime()))
        {
            listener.onRefused(templateId, roomId, seatIndex, reference, code);
        }
    }

    private boolean hasRun(final long roomId, final int seatIndex, final long sequence, final int code)
    {
        final RoomSeats members = seats.of(roomId);
        final ClientSeat seat = null == members ? null : members.find(seatIndex);
        return null != seat && resends.onRefused(seat, sequence, code);
    }

    /** Whether the loop of a refused report has a feed with reports that the application has not sent. */
    private boolean isOfFeed(final long roomId, final int code)
    {
        final int ofLoop = TrunkMessages.loopOf(roomId);
        if (ofLoop >= feeds.length || null == feeds[ofLoop])
        {
            return false;
        }
        final RoomSeats room = seats.of(roomId);
        if (null != room && TrunkCode.RATE_LIMITED.value() == code)
        {
            feeds[ofLoop].onReportRefused(room);
        }
        return true;
    }

    /** The stream of a loop is gone, and with it the presence of the seats there. */
    void onLoopLost(final int loop)
    {
        for (final ClientSeat seat : seats.all())
        {
            if (seat.loop() == loop && seat.isPresent())
            {
                away(seat);
                listener.onSeatAway(seat, LINK_DOWN);
            }
        }
    }

    /** Handle the messages from the stream of a loop. */
    void onBatch(final int ofLoop, final DirectBuffer buffer, final int offset, final int length)
    {
        loop = ofLoop;
        turn = loop < turns.length ? turns[loop] : 0;
        final int end = offset + length;
        prefetched += prefetch(loop, buffer, offset, end);
        int at = offset;
        while (at < end && !TrunkMessages.isPadding(buffer, at, end))
        {
            final int size = RoomMessage.isAt(buffer, at, end) ?
                onRoomMessage(loop, buffer, at, end) : onMessage(buffer, at, end);
            if (size < 0)
            {
                malformed++;
                return;
            }
            at += size;
        }
    }

    /** Returns the length of the entry, or the complement of a refusal code. */
    private int onMessage(final DirectBuffer buffer, final int at, final int end)
    {
        final int length = TrunkMessages.entryLength(buffer, at, end);
        if (length >= 0)
        {
            dispatch(buffer, at + TrunkMessages.ENTRY_HEADER_LENGTH);
        }
        return length < 0 ? length : TrunkMessages.ENTRY_HEADER_LENGTH + length;
    }

    private int onRoomMessage(final int loop, final DirectBuffer buffer, final int at, final int end)
    {
        final int size = message.wrap(buffer, at, end);
        if (size >= 0)
        {
            onTrunkMessage(TrunkMessages.roomId(loop, message.number()), buffer);
        }
        return size;
    }

    private void onTrunkMessage(final long roomId, final DirectBuffer buffer)
    {
        final RoomSeats room = seats.of(roomId);
        final LoopFeed feed = loop < feeds.length ? feeds[loop] : null;
        if (null != feed && null != room && message.isState() && isForAll(message.audience()))
        {
            feed.onTrunkState(room);
        }
        onRoomMessage(room, roomId, message.isState(), message.audience(), message.selector(), buffer,
            message.payloadOffset(), message.payloadLength());
    }

    private static boolean isForAll(final int audience)
    {
        return RoomMessage.ALL == audience || RoomMessage.ALL_EXCEPT == audience;
    }

    /**
     * Read the seats of all rooms of a batch, to overlap their cache misses. A trunk may have seats in thousands of
     * rooms, and a batch is for other rooms than the last.
     */
    private int prefetch(final int loop, final DirectBuffer buffer, final int offset, final int end)
    {
        int read = 0;
        int at = offset;
        while (end - at >= RoomMessage.MIN_HEADER_LENGTH && !TrunkMessages.isPadding(buffer, at, end))
        {
            if (RoomMessage.isAt(buffer, at, end))
            {
                read += seats.prefetch(TrunkMessages.roomId(loop, RoomMessage.numberAt(buffer, at)));
            }
            at += RoomMessage.entrySize(buffer, at);
        }
        return read;
    }

    /** A message that does not belong on this stream. */
    @Override
    protected int refused(final int templateId)
    {
        malformed++;
        return NONE;
    }

    @Override
    protected int onRefused(final RefusedDecoder refused)
    {
        onRefused(refused.templateId(), refused.roomId(), refused.seatIndex(), refused.reference(), refused.code());
        return NONE;
    }

    @Override
    protected int onTurn(final TurnDecoder turnDecoder)
    {
        beginTurn(turnDecoder.number());
        return NONE;
    }

    @Override
    protected int onFeedBegins(final FeedBeginsDecoder feedBegins)
    {
        beginTurn(feedBegins.turn());
        if (loop < feeds.length && null != feeds[loop])
        {
            feeds[loop].onBegin(feedBegins.turn(), feedBegins.packet());
        }
        return NONE;
    }

    private void beginTurn(final long number)
    {
        turn = number;
        if (loop < turns.length && null != feeds[loop])
        {
            turns[loop] = turn;
        }
    }

    @Override
    protected int onAccepted(final AcceptedDecoder accepted)
    {
        final ClientSeat seat = seats.find(accepted.roomId(), accepted.seatIndex(), accepted.generation());
        if (null != seat && null != resends && seat.accepted(accepted.sequence()))
        {
            resends.onAccepted(seat);
            listener.onAccepted(seat);
        }
        return NONE;
    }

    /** The connection of a seat to its room is gone. */
    void away(final ClientSeat seat)
    {
        seat.away();
        if (null != resends)
        {
            resends.onAway(seat);
        }
    }

    private void present(final ClientSeat seat, final long sequence)
    {
        if (seat.loop() < feeds.length && null != feeds[seat.loop()])
        {
            feeds[seat.loop()].onPresent(seats.of(seat.roomId()), turn);
        }
        final long before = seat.acceptedSequence();
        seat.present(sequence);
        if (null != resends)
        {
            resends.onPresent(seat, before);
        }
    }

    private void onRoomMessage(
        final RoomSeats members,
        final long roomId,
        final boolean isState,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        receivers.clear();
        if (RoomMessage.ONE == audience)
        {
            final ClientSeat seat = null == members ? null : members.find((int)selector);
            if (null != seat && (seat.generation() & RoomMessage.GENERATION_MASK) == selector >>> Integer.SIZE)
            {
                receivers.add(seat);
            }
        }
        else
        {
            for (int i = 0; null != members && i < members.size(); i++)
            {
                final ClientSeat seat = members.at(i);
                if (seat.isPresent() && (isState || !seat.isSpectator()) && isFor(audience, selector, seat.index()))
                {
                    receivers.add(seat);
                }
            }
        }
        if (!receivers.isEmpty() && listener.onRoomMessage(roomId, isState, receivers, buffer, offset, length))
        {
            for (int i = 0; i < receivers.size(); i++)
            {
                deliver(receivers.get(i), isState, buffer, offset, length);
            }
        }
    }

    private static boolean isFor(final int audience, final long selector, final int index)
    {
        return switch (audience)
        {
            case RoomMessage.ALL -> true;
            case RoomMessage.ALL_EXCEPT -> index != selector;
            case RoomMessage.MASK -> index < Long.SIZE && 0 != (selector & (1L << index));
            default -> false;
        };
    }

    private void deliver(
        final ClientSeat seat, final boolean isState, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isState)
        {
            listener.onState(seat, buffer, offset, length);
        }
        else
        {
            listener.onEvent(seat, buffer, offset, length);
        }
    }

    @Override
    protected int onJoined(final JoinedDecoder joined)
    {
        if (isOutOfRange(joined.seatIndex()))
        {
            malformed++;
            return NONE;
        }
        final long roomId = joined.roomId();
        final ClientSeat seat = seats.findOrAdd(
            roomId, TrunkMessages.loopOf(roomId), joined.seatIndex(), joined.generation(), joined.playerId(),
            0 != joined.isSpectator());
        present(seat, joined.sequence());
        if (null != rejoin)
        {
            rejoin.onJoined(joined.requestId(), seat);
        }
        final int answerLength = joined.answerLength();
        listener.onJoined(joined.requestId(), seat, joined.buffer(),
            joined.limit() + (0 == answerLength ? 0 : JoinedDecoder.answerHeaderLength()), answerLength);
        return NONE;
    }

    @Override
    protected int onSeatResumed(final SeatResumedDecoder seatResumed)
    {
        if (isOutOfRange(seatResumed.seatIndex()))
        {
            malformed++;
            return NONE;
        }
        final long roomId = seatResumed.roomId();
        final ClientSeat seat = seats.findOrAdd(roomId, TrunkMessages.loopOf(roomId), seatResumed.seatIndex(),
            seatResumed.generation(), seatResumed.playerId(), 0 != seatResumed.isSpectator());
        present(seat, seatResumed.sequence());
        listener.onSeatResumed(seat);
        return NONE;
    }

    private static boolean isOutOfRange(final int seatIndex)
    {
        return seatIndex < 0 || seatIndex > MAX_SEAT_INDEX;
    }

    @Override
    protected int onSeatAway(final SeatAwayDecoder seatAway)
    {
        final ClientSeat seat = seats.find(seatAway.roomId(), seatAway.seatIndex(), seatAway.generation());
        if (null != seat)
        {
            away(seat);
            if (null != resends && MOVED == seatAway.reason())
            {
                // The player continues elsewhere, with numbers above these.
                resends.onGone(seat);
            }
            listener.onSeatAway(seat, seatAway.reason());
        }
        return NONE;
    }

    @Override
    protected int onLeft(final LeftDecoder left)
    {
        final ClientSeat seat = seats.find(left.roomId(), left.seatIndex(), left.generation());
        if (null != seat)
        {
            seat.away();
            seats.remove(seat);
            listener.onLeft(seat, left.reason(), left.code());
        }
        return NONE;
    }
}
