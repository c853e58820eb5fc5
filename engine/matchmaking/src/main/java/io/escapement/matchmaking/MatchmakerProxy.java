package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.AbandonMatchEncoder;
import io.escapement.matchmaking.codecs.MatchedEncoder;
import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.matchmaking.codecs.MessageHeaderEncoder;
import io.escapement.matchmaking.codecs.OpenMatchEncoder;
import io.escapement.matchmaking.codecs.QueuedEncoder;
import io.escapement.matchmaking.codecs.ReadRatingEncoder;
import io.escapement.matchmaking.codecs.RemovedEncoder;
import io.escapement.rooms.Room;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the messages of a matchmaker: events to its players, and requests to rooms and to the service. */
final class MatchmakerProxy
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int REQUEST_LENGTH = 1_024;

    private final Room room;
    private final MatchmakerContext context;
    private final AskedPlayers asked;
    /** The arguments of the matchmaker, for the rooms of matches. */
    private final byte[] settings;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final QueuedEncoder queued = new QueuedEncoder();
    private final MatchedEncoder matched = new MatchedEncoder();
    private final RemovedEncoder removed = new RemovedEncoder();
    private final OpenMatchEncoder openMatch = new OpenMatchEncoder();
    private final AbandonMatchEncoder abandonMatch = new AbandonMatchEncoder();
    private final ReadRatingEncoder readRating = new ReadRatingEncoder();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[REQUEST_LENGTH]);
    private OpenMatchEncoder.PlayersEncoder matchPlayers;

    MatchmakerProxy(
        final Room room, final MatchmakerContext context, final AskedPlayers asked, final byte[] settings)
    {
        this.room = room;
        this.context = context;
        this.asked = asked;
        this.settings = settings;
    }

    /** An asked player's question remains open. */
    void queued(final int seat, final int missing, final int rating)
    {
        if (asked.isAsked(seat))
        {
            return;
        }
        queued.wrapAndApplyHeader(room.claimEvent(room.seat(seat), HEADER + QueuedEncoder.BLOCK_LENGTH), 0, header)
            .missing((short)missing).rating(rating);
        room.commit(HEADER + QueuedEncoder.BLOCK_LENGTH);
    }

    void matched(final int seat, final long roomId)
    {
        if (asked.isAsked(seat))
        {
            matched.wrapAndApplyHeader(request, 0, header)
                .roomId(roomId).reservedMs(TimeUnit.NANOSECONDS.toMillis(context.reservationNs()));
            room.answer(asked.remove(seat), 0, request, 0, HEADER + MatchedEncoder.BLOCK_LENGTH);
            return;
        }
        matched.wrapAndApplyHeader(room.claimEvent(room.seat(seat), HEADER + MatchedEncoder.BLOCK_LENGTH), 0, header)
            .roomId(roomId).reservedMs(TimeUnit.NANOSECONDS.toMillis(context.reservationNs()));
        room.commit(HEADER + MatchedEncoder.BLOCK_LENGTH);
    }

    void removed(final int seat, final MatchmakingCode code)
    {
        if (asked.isAsked(seat))
        {
            refuseQuestion(asked.remove(seat), code);
            return;
        }
        removed.wrapAndApplyHeader(room.claimEvent(room.seat(seat), HEADER + RemovedEncoder.BLOCK_LENGTH), 0, header)
            .code(code);
        room.commit(HEADER + RemovedEncoder.BLOCK_LENGTH);
    }

    void refuse(final int seat, final MatchmakingCode code)
    {
        room.refuse(room.seat(seat), code.value());
    }

    void refuseQuestion(final long askId, final MatchmakingCode code)
    {
        room.answer(askId, code.value(), request, 0, 0);
    }

    /** Begin the request for the room of a match; its players follow. */
    void beginMatch()
    {
        matchPlayers = openMatch.wrapAndApplyHeader(request, 0, header).playersCount(context.players());
    }

    void matchPlayer(final long playerId, final int rating, final int party)
    {
        matchPlayers.next().playerId(playerId).rating(rating).party((short)party);
    }

    /** Open the room; returns the correlation id. */
    long openMatch()
    {
        openMatch.putSettings(settings, 0, settings.length);
        return room.openRoom(context.roomTypeId(), request, 0, HEADER + openMatch.encodedLength());
    }

    void abandonMatch(final long roomId)
    {
        abandonMatch.wrapAndApplyHeader(request, 0, header);
        room.signal(roomId, request, 0, HEADER + AbandonMatchEncoder.BLOCK_LENGTH);
    }

    /** Ask the service for a player's rating; returns the correlation id. */
    long readRating(final long playerId)
    {
        readRating.wrapAndApplyHeader(request, 0, header).playerId(playerId);
        return room.async(context.ratingService(), playerId, request, 0, HEADER + ReadRatingEncoder.BLOCK_LENGTH);
    }
}
