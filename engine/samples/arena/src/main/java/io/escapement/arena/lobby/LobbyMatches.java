package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CancelMatchDecoder;
import io.escapement.arena.codecs.QuickMatchDecoder;
import io.escapement.arena.common.CharacterRequests;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.matchmaking.codecs.MatchedDecoder;
import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.matchmaking.codecs.MessageHeaderDecoder;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * Waiting for a match. The lobby asks the matchmaker for the number of players, which opens an arena and reserves all
 * seats of the match. Then each player enters it as any other arena, with its character as it is by then.
 */
final class LobbyMatches
{
    private static final long NO_ROOM = 0;
    /** The matchmaker's own limit is reached first, unless it is reserving the seats at that time. */
    private static final long TIMEOUT_NS = MatchTypes.TIMEOUT_NS + TimeUnit.SECONDS.toNanos(10);

    private final LobbyArenas arenas;
    private final ArenaPlaces places;
    private final LobbyRequests requests;
    private final CharacterRequests characters;
    private final LobbyProxy proxy;
    /** The open matchmakers, by the index of their size. */
    private final long[] matchmakerIds = new long[MatchTypes.SIZES.size()];
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MatchedDecoder matched = new MatchedDecoder();

    LobbyMatches(
        final LobbyArenas arenas,
        final ArenaPlaces places,
        final LobbyRequests requests,
        final CharacterRequests characters,
        final LobbyProxy proxy)
    {
        this.arenas = arenas;
        this.places = places;
        this.requests = requests;
        this.characters = characters;
        this.proxy = proxy;
    }

    void onDirectory(final DirectoryEntry entry)
    {
        final int index = MatchTypes.indexOfType(entry.typeId());
        if (DirectoryChange.RESET == entry.change())
        {
            Arrays.fill(matchmakerIds, NO_ROOM);
        }
        else if (DirectoryChange.CLOSED == entry.change())
        {
            for (int i = 0; i < matchmakerIds.length; i++)
            {
                matchmakerIds[i] = matchmakerIds[i] == entry.roomId() ? NO_ROOM : matchmakerIds[i];
            }
        }
        else if (index >= 0 && NO_ROOM == matchmakerIds[index])
        {
            matchmakerIds[index] = entry.roomId();
        }
    }

    void onQuickMatch(final Seat from, final QuickMatchDecoder match)
    {
        final LobbyRequest request =
            new LobbyRequest(LobbyRequest.MATCH_AS, from, match.requestId(), QuickMatchDecoder.TEMPLATE_ID)
            .character(match.characterId());
        request.seats = match.players();
        final ArenaCode code = !MatchTypes.SIZES.contains(request.seats) ? ArenaCode.BAD_SEAT_COUNT :
            NO_ROOM == matchmakerOf(request) ? ArenaCode.NO_MATCHMAKER :
            null != requests.matchOf(request.playerId) ? ArenaCode.MATCH_AWAITED :
            places.isElsewhere(from, NO_ROOM) ? ArenaCode.SEATED_ELSEWHERE : null;
        if (null != code)
        {
            proxy.refused(from, request.requestId, code, request.templateId);
        }
        else if (requests.admitOrRefuse(from, request))
        {
            requests.add(from, request, characters.list(from.playerId()));
        }
    }

    void onCancel(final Seat from, final CancelMatchDecoder cancel)
    {
        if (!cancel(from.playerId()))
        {
            proxy.refused(from, cancel.requestId(), ArenaCode.NO_MATCH_AWAITED, CancelMatchDecoder.TEMPLATE_ID);
        }
    }

    /** A player has left or lost its connection. */
    void onGone(final Seat seat)
    {
        cancel(seat.playerId());
    }

    /** The service has answered with the player's characters. */
    void onCharacters(final Seat seat, final LobbyRequest request)
    {
        final int index = characters.answer().indexOf(request.characterId);
        final ArenaCode code = LobbyRequest.MATCH_CANCELLED == request.kind ? ArenaCode.MATCH_CANCELLED :
            index < 0 ? ArenaCode.UNKNOWN_CHARACTER :
            NO_ROOM == matchmakerOf(request) ? ArenaCode.NO_MATCHMAKER : null;
        if (null != code)
        {
            proxy.refused(seat, request.requestId, code, request.templateId);
        }
        else if (requests.admitOrRefuse(seat, request))
        {
            request.kind = LobbyRequest.MATCH;
            request.roomId = matchmakerOf(request);
            final int rating =
                MatchTypes.rating(characters.answer().kills(index), characters.answer().deaths(index));
            requests.add(seat, request, proxy.match(request.roomId, request.playerId, rating, TIMEOUT_NS));
        }
    }

    /** The matchmaker has answered. A player that left loses its reservation with time. */
    void onMatched(
        final Seat seat, final LobbyRequest request, final int status, final DirectBuffer buffer, final int offset)
    {
        if (0 != status)
        {
            proxy.refused(seat, request.requestId, codeOf(status), request.templateId);
            return;
        }
        request.roomId = matched.wrapAndApplyHeader(buffer, offset, header).roomId();
        arenas.onMatch(request.roomId, request.seats);
        if (places.isElsewhere(seat, request.roomId))
        {
            // It had a reservation from before it started to wait.
            proxy.refused(seat, request.requestId, ArenaCode.SEATED_ELSEWHERE, request.templateId);
        }
        else if (requests.admitOrRefuse(seat, request))
        {
            request.kind = LobbyRequest.ENTER_AS;
            requests.add(seat, request, characters.list(request.playerId));
        }
    }

    void write(final StateWriter writer)
    {
        for (final long matchmakerId : matchmakerIds)
        {
            writer.putLong(matchmakerId);
        }
    }

    void read(final StateReader reader)
    {
        for (int i = 0; i < matchmakerIds.length; i++)
        {
            matchmakerIds[i] = reader.getLong();
        }
    }

    private boolean cancel(final long playerId)
    {
        final LobbyRequest request = requests.matchOf(playerId);
        if (null == request)
        {
            return false;
        }
        if (LobbyRequest.MATCH_AS == request.kind)
        {
            request.kind = LobbyRequest.MATCH_CANCELLED;
        }
        else
        {
            proxy.cancelMatch(request.roomId, playerId);
        }
        return true;
    }

    private long matchmakerOf(final LobbyRequest request)
    {
        return matchmakerIds[MatchTypes.SIZES.indexOf(request.seats)];
    }

    private static ArenaCode codeOf(final int status)
    {
        return MatchmakingCode.TIMED_OUT.value() == status || RefusalCode.TIMED_OUT.value() == status ?
            ArenaCode.MATCH_TIMED_OUT :
            MatchmakingCode.CANCELLED.value() == status ? ArenaCode.MATCH_CANCELLED :
            MatchmakingCode.ALREADY_QUEUED.value() == status ? ArenaCode.MATCH_AWAITED :
            MatchmakingCode.QUEUE_FULL.value() == status || RefusalCode.QUEUE_FULL.value() == status ?
            ArenaCode.TOO_MANY_REQUESTS : ArenaCode.NO_MATCHMAKER;
    }
}
