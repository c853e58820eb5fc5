package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.matchmaking.codecs.MatchmakingEncoder;
import io.escapement.matchmaking.codecs.MessageHeaderEncoder;
import io.escapement.matchmaking.codecs.OpenMatchEncoder;
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
    private final MatchmakingEncoder messages = new MatchmakingEncoder();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[REQUEST_LENGTH]);
    private OpenMatchEncoder openMatch;
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
        final int length = MatchmakingEncoder.queuedLength();
        messages.queued(room.claimEvent(room.seat(seat), length), 0, missing, rating);
        room.commit(length);
    }

    void matched(final int seat, final long roomId)
    {
        final long reservedMs = TimeUnit.NANOSECONDS.toMillis(context.reservationNs());
        if (asked.isAsked(seat))
        {
            room.answer(asked.remove(seat), 0, request, 0, messages.matched(request, 0, roomId, reservedMs));
            return;
        }
        final int length = MatchmakingEncoder.matchedLength();
        messages.matched(room.claimEvent(room.seat(seat), length), 0, roomId, reservedMs);
        room.commit(length);
    }

    void removed(final int seat, final MatchmakingCode code)
    {
        if (asked.isAsked(seat))
        {
            refuseQuestion(asked.remove(seat), code);
            return;
        }
        final int length = MatchmakingEncoder.removedLength();
        messages.removed(room.claimEvent(room.seat(seat), length), 0, code);
        room.commit(length);
    }

    void refuse(final int seat, final MatchmakingCode code)
    {
        room.refuse(room.seat(seat), code.value());
    }

    void refuseQuestion(final long askId, final MatchmakingCode code)
    {
        room.answer(askId, code.value(), request, 0, 0);
    }

    /** Start the request for the room of a match. Its players follow. */
    void beginMatch()
    {
        openMatch = messages.openMatch(request, 0);
        matchPlayers = openMatch.playersCount(context.players());
    }

    void matchPlayer(final long playerId, final int rating, final int party)
    {
        matchPlayers.next().playerId(playerId).rating(rating).party((short)party);
    }

    /** Open the room. Returns the correlation id. */
    long openMatch()
    {
        openMatch.putSettings(settings, 0, settings.length);
        return room.openRoom(context.roomTypeId(), request, 0, HEADER + openMatch.encodedLength());
    }

    void abandonMatch(final long roomId)
    {
        room.signal(roomId, request, 0, messages.abandonMatch(request, 0));
    }

    /** Ask the service for a player's rating. Returns the correlation id. */
    long readRating(final long playerId)
    {
        return room.async(context.ratingService(), playerId, request, 0, messages.readRating(request, 0, playerId));
    }
}
