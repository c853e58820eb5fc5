package io.escapement.matchmaking;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.matchmaking.codecs.AbandonMatchDecoder;
import io.escapement.matchmaking.codecs.CancelEncoder;
import io.escapement.matchmaking.codecs.CancelPlayerEncoder;
import io.escapement.matchmaking.codecs.EnqueueEncoder;
import io.escapement.matchmaking.codecs.EnqueuePlayerDecoder;
import io.escapement.matchmaking.codecs.EnqueuePlayerEncoder;
import io.escapement.matchmaking.codecs.FindEncoder;
import io.escapement.matchmaking.codecs.LabelEncoder;
import io.escapement.matchmaking.codecs.MatchedDecoder;
import io.escapement.matchmaking.codecs.MessageHeaderDecoder;
import io.escapement.matchmaking.codecs.MessageHeaderEncoder;
import io.escapement.matchmaking.codecs.OpenMatchDecoder;
import io.escapement.matchmaking.codecs.QueuedDecoder;
import io.escapement.matchmaking.codecs.RatingEncoder;
import io.escapement.matchmaking.codecs.ReadRatingDecoder;
import io.escapement.matchmaking.codecs.RemovedDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A matchmaker on a bench, with its players and the rooms of its matches. */
final class MatchRig
{
    static final int MATCHMAKER = 1;
    static final int MATCH = 2;
    static final int HALL = 3;
    static final int ASKER = 4;
    static final int SERVICE = 5;

    /** Fewer than by default, so that a test opens many matchmakers in no time. */
    private static final int SEATS = 256;
    static final int HALL_SEATS = 3;
    /** Has the answers to what is no question for a player. */
    static final long NO_PLAYER = -1;

    final List<Matchmaker> matchmakers = new ArrayList<>();
    final RoomType[] types;
    final RoomBench bench;
    /** Arguments of the rooms that were opened, by room id: "player:rating:party" of each player. */
    final Map<Long, List<String>> openedMap = new TreeMap<>();
    final List<Long> abandoned = new ArrayList<>();
    /** Settings that the rooms were opened with. */
    final List<String> settings = new ArrayList<>();
    /** Answers to the questions of a room, by player: the room of the match, or a code below 0. */
    final Map<Long, Long> answerByPlayerMap = new TreeMap<>();
    private long askerId;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EnqueueEncoder enqueue = new EnqueueEncoder();

    MatchRig(final MatchmakerContext context, final int matchSeats)
    {
        this(context, matchSeats, SEATS, Matchmaker.REQUESTS);
    }

    MatchRig(final MatchmakerContext context, final int matchSeats, final int seats, final int requests)
    {
        types = new RoomType[]{
            Matchmaker.type(MATCHMAKER, context, () ->
            {
                matchmakers.add(new Matchmaker(context));
                return matchmakers.get(matchmakers.size() - 1);
            }).seats(seats).requests(requests),
            RoomType.of(HALL, "hall", 1, Hall::new).seats(HALL_SEATS).timers(0).outputLimit(1_024),
            RoomType.of(MATCH, "match", 1, MatchRoom::new).seats(matchSeats).timers(0).outputLimit(1_024)
                .admission(RoomType.Admission.BY_RESERVATION),
            RoomType.of(ASKER, "asker", 1, Asker::new).seats(1).timers(0).outputLimit(1_024).requests(128)};
        bench = RoomBench.of(types);
    }

    Player join(final long playerId)
    {
        return new Player(bench.join(playerId));
    }

    /** Open a hall that has labels, each as "key=value". */
    long openHall(final String... labels)
    {
        final byte[] args = String.join(",", labels).getBytes(StandardCharsets.US_ASCII);
        return bench.open(types[1], new UnsafeBuffer(args), 0, args.length);
    }

    /** Let a hall set labels, lock itself or close. */
    void signal(final long hallId, final String order)
    {
        final byte[] bytes = order.getBytes(StandardCharsets.US_ASCII);
        final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);
        bench.command(command, 0, new RoomEncoder()
            .signal(command, 0, hallId, 0, 0, new UnsafeBuffer(bytes), 0, bytes.length));
    }

    /** Let another room ask the matchmaker for a match of a player. */
    void ask(final long playerId, final int rating)
    {
        new EnqueuePlayerEncoder().wrapAndApplyHeader(buffer, 0, header).playerId(playerId).rating(rating);
        order(MessageHeaderEncoder.ENCODED_LENGTH + EnqueuePlayerEncoder.BLOCK_LENGTH);
    }

    /** Let another room ask the matchmaker something that may be no question. */
    void ask(final byte[] question)
    {
        buffer.putBytes(0, question);
        order(question.length);
    }

    /** Let the other room cancel that. */
    void cancelAsked(final long playerId)
    {
        new CancelPlayerEncoder().wrapAndApplyHeader(buffer, 0, header).playerId(playerId);
        order(MessageHeaderEncoder.ENCODED_LENGTH + CancelPlayerEncoder.BLOCK_LENGTH);
    }

    /** The answer to the question for a player; 0 without one. */
    long answer(final long playerId)
    {
        return answerByPlayerMap.getOrDefault(playerId, 0L);
    }

    private void order(final int length)
    {
        if (0 == askerId)
        {
            askerId = bench.open(types[types.length - 1], buffer, 0, 0);
        }
        final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);
        bench.command(command, 0, new RoomEncoder().signal(command, 0, askerId, 0, 0, buffer, 0, length));
    }

    /** A service with the ratings of some players; it answers the others with nothing. */
    void ratings(final Map<Long, Integer> ratingByPlayerMap)
    {
        bench.service(SERVICE, (orderKey, request) ->
        {
            final long playerId = new ReadRatingDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(request), 0, new MessageHeaderDecoder()).playerId();
            if (!ratingByPlayerMap.containsKey(playerId))
            {
                return new byte[0];
            }
            final byte[] answer = new byte[MessageHeaderEncoder.ENCODED_LENGTH + RatingEncoder.BLOCK_LENGTH];
            new RatingEncoder().wrapAndApplyHeader(new UnsafeBuffer(answer), 0, new MessageHeaderEncoder())
                .rating(ratingByPlayerMap.get(playerId));
            return answer;
        });
    }

    /** A player of the matchmaker; the events it received are texts. */
    final class Player
    {
        final BenchSeat seat;

        Player(final BenchSeat seat)
        {
            this.seat = seat;
        }

        int enqueue(final int rating)
        {
            return enqueue(rating, 0, 1);
        }

        int enqueue(final int rating, final long partyId, final int partySize)
        {
            enqueue.wrapAndApplyHeader(buffer, 0, header).partyId(partyId).partySize((short)partySize).rating(rating);
            return seat.send(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + EnqueueEncoder.BLOCK_LENGTH);
        }

        int cancel()
        {
            new CancelEncoder().wrapAndApplyHeader(buffer, 0, header);
            return seat.send(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + CancelEncoder.BLOCK_LENGTH);
        }

        int find(final long partyId, final int partySize, final String... labels)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
            final FindEncoder find = new FindEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
                .partyId(partyId).partySize((short)partySize);
            label(find.label1(), labels, 0);
            label(find.label2(), labels, 1);
            label(find.label3(), labels, 2);
            label(find.label4(), labels, 3);
            return seat.send(message, 0, MessageHeaderEncoder.ENCODED_LENGTH + FindEncoder.BLOCK_LENGTH);
        }

        private void label(final LabelEncoder label, final String[] labels, final int index)
        {
            if (index >= labels.length)
            {
                label.key(LabelEncoder.keyNullValue());
                return;
            }
            final String value = labels[index].substring(2);
            label.key((short)(labels[index].charAt(0) - '0')).length((short)value.length());
            for (int i = 0; i < value.length(); i++)
            {
                label.value(i, (short)value.charAt(i));
            }
        }

        List<String> events()
        {
            final List<String> events = new ArrayList<>();
            seat.received().forEach((message) -> events.add(text(message)));
            return events;
        }

        String lastEvent()
        {
            final List<byte[]> received = seat.received();
            return received.isEmpty() ? "" : text(received.get(received.size() - 1));
        }

        /** The room of the last event, which is a match. */
        long roomId()
        {
            final List<byte[]> received = seat.received();
            return new MatchedDecoder().wrapAndApplyHeader(
                new UnsafeBuffer(received.get(received.size() - 1)), 0, new MessageHeaderDecoder()).roomId();
        }

        private String text(final byte[] message)
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(message);
            final MessageHeaderDecoder to = new MessageHeaderDecoder().wrap(bytes, 0);
            return switch (to.templateId())
            {
                case QueuedDecoder.TEMPLATE_ID ->
                    "queued " + new QueuedDecoder().wrapAndApplyHeader(bytes, 0, to).missing();
                case MatchedDecoder.TEMPLATE_ID ->
                    "matched " + new MatchedDecoder().wrapAndApplyHeader(bytes, 0, to).roomId();
                case RemovedDecoder.TEMPLATE_ID ->
                    "removed " + new RemovedDecoder().wrapAndApplyHeader(bytes, 0, to).code();
                default -> throw new AssertionError("template " + to.templateId());
            };
        }
    }

    /** An open room with labels. */
    private static final class Hall implements RoomLogic
    {
        private final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            label(args.getStringWithoutLengthAscii(offset, length));
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer message, final int offset, final int length)
        {
            final String order = message.getStringWithoutLengthAscii(offset, length);
            switch (order)
            {
                case "close" -> room.close();
                case "lock" -> room.lock(true);
                default -> label(order);
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("players of a hall send no messages here");
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
        }

        private void label(final String labels)
        {
            for (final String label : labels.split(","))
            {
                room.label(label.charAt(0) - '0', value, 0,
                    value.putStringWithoutLengthAscii(0, label.substring(2)));
            }
        }
    }

    /** A room that asks the matchmaker for players without seats there, as a lobby does. */
    private final class Asker implements RoomLogic
    {
        private final Map<Long, Long> playerByCorrelationMap = new TreeMap<>();
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer message, final int offset, final int length)
        {
            final MessageHeaderDecoder to = new MessageHeaderDecoder().wrap(message, offset);
            final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
            copy.putBytes(0, message, offset, length);
            if (CancelPlayerEncoder.TEMPLATE_ID == to.templateId())
            {
                room.signal(1, copy, 0, length);
                return;
            }
            final long playerId = EnqueuePlayerEncoder.TEMPLATE_ID != to.templateId() ? NO_PLAYER :
                new EnqueuePlayerDecoder().wrapAndApplyHeader(copy, 0, to).playerId();
            playerByCorrelationMap.put(room.ask(1, 1_000_000_000_000L, copy, 0, length), playerId);
        }

        @Override
        public void onReply(
            final long correlationId,
            final int status,
            final DirectBuffer message,
            final int offset,
            final int length)
        {
            final Long playerId = playerByCorrelationMap.remove(correlationId);
            if (null != playerId)
            {
                answerByPlayerMap.put(playerId, 0 != status ? -status : new MatchedDecoder()
                    .wrapAndApplyHeader(message, offset, new MessageHeaderDecoder()).roomId());
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("nobody sits here");
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(playerByCorrelationMap.size());
            playerByCorrelationMap.forEach((correlationId, playerId) ->
            {
                writer.putLong(correlationId);
                writer.putLong(playerId);
            });
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            for (int left = reader.getInt(); left > 0; left--)
            {
                final long correlationId = reader.getLong();
                playerByCorrelationMap.put(correlationId, reader.getLong());
            }
        }
    }

    private final class MatchRoom implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            final List<String> players = new ArrayList<>();
            final OpenMatchDecoder open =
                new OpenMatchDecoder().wrapAndApplyHeader(args, offset, new MessageHeaderDecoder());
            for (final OpenMatchDecoder.PlayersDecoder player : open.players())
            {
                players.add(player.playerId() + ":" + player.rating() + ":" + player.party());
            }
            openedMap.put(room.roomId(), players);
            final byte[] bytes = new byte[open.settingsLength()];
            open.getSettings(bytes, 0, bytes.length);
            settings.add(new String(bytes, StandardCharsets.US_ASCII));
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer message, final int offset, final int length)
        {
            // It stays open, so that a test can see that none of its seats is reserved.
            new AbandonMatchDecoder().wrapAndApplyHeader(message, offset, new MessageHeaderDecoder());
            abandoned.add(room.roomId());
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("players of a match send no messages here");
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(0);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            reader.getInt();
        }
    }
}
