package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.FreedDecoder;
import io.escapement.arena.codecs.SeatedDecoder;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * The arena in which each account has a seat, as the arenas report it. If an account joins the lobby through another
 * trunk, its seat in the arena is freed. The account cannot enter an arena until its progress is saved, because it
 * would start with the progress from before the fight.
 */
final class ArenaPlaces
{
    private static final class Place
    {
        final long arenaId;
        final long trunkId;

        Place(final long arenaId, final long trunkId)
        {
            this.arenaId = arenaId;
            this.trunkId = trunkId;
        }
    }

    private final Map<Long, Place> placeByPlayerIdMap = new LinkedHashMap<>();
    private final MessageHandlers<Long> signals = new MessageHandlers<Long>(ArenaLayout.RULES)
        .on(new SeatedDecoder(), this::onSeated)
        .on(new FreedDecoder(), this::onFreed);
    private final Room room;
    private final LobbyProxy proxy;

    ArenaPlaces(final Room room, final LobbyProxy proxy)
    {
        this.room = room;
        this.proxy = proxy;
    }

    /** A player has joined the lobby, or returned to it. */
    void onLobbySeat(final Seat seat)
    {
        final Place place = placeByPlayerIdMap.get(seat.playerId());
        if (null != place && place.trunkId != seat.trunkId())
        {
            proxy.moved(place.arenaId, seat.playerId(), seat.trunkId());
        }
    }

    /** Whether a player has a seat other than the one it wants to enter. */
    boolean isElsewhere(final Seat seat, final long arenaId)
    {
        final Place place = placeByPlayerIdMap.get(seat.playerId());
        return null != place && (place.arenaId != arenaId || place.trunkId != seat.trunkId());
    }

    /** False if the signal is malformed. */
    boolean onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        return 0 == signals.onMessage(fromRoomId, buffer, offset, length);
    }

    /** An arena that failed does not report its seats as freed. */
    void onClosed(final long arenaId)
    {
        placeByPlayerIdMap.values().removeIf((place) -> place.arenaId == arenaId);
    }

    void write(final StateWriter writer)
    {
        writer.putInt(placeByPlayerIdMap.size());
        placeByPlayerIdMap.forEach((playerId, place) ->
        {
            writer.putLong(playerId);
            writer.putLong(place.arenaId);
            writer.putLong(place.trunkId);
        });
    }

    void read(final StateReader reader)
    {
        for (int left = reader.getInt(); left > 0; left--)
        {
            placeByPlayerIdMap.put(reader.getLong(), new Place(reader.getLong(), reader.getLong()));
        }
    }

    private void onSeated(final long arenaId, final SeatedDecoder seated)
    {
        final long playerId = seated.playerId();
        final Place place = new Place(arenaId, seated.trunkId());
        final Place before = placeByPlayerIdMap.put(playerId, place);
        if (null != before && before.arenaId != arenaId)
        {
            proxy.moved(before.arenaId, playerId, Seat.NO_TRUNK);
        }
        final Seat seat = room.seatOf(playerId);
        if (null != seat && seat.isPresent() && seat.trunkId() != place.trunkId)
        {
            proxy.moved(arenaId, playerId, seat.trunkId());
        }
    }

    private void onFreed(final long arenaId, final FreedDecoder freed)
    {
        final Place place = placeByPlayerIdMap.get(freed.playerId());
        if (null != place && place.arenaId == arenaId)
        {
            if (0 == freed.isSaved())
            {
                placeByPlayerIdMap.put(freed.playerId(), new Place(arenaId, Seat.NO_TRUNK));
            }
            else
            {
                placeByPlayerIdMap.remove(freed.playerId());
            }
        }
    }
}
