package io.escapement.server;

import io.aeron.Aeron;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Hostile players and their trunks, and what became of all that they sent. No two of a room come through one trunk,
 * since who sits where on a trunk is for the trunk to say.
 */
@RealTime("a crowd, in real time")
final class HostileCrowd implements AutoCloseable
{
    /** Who asks for a log-in with this number does not want to hear of it. */
    static final long NOBODY = -1;

    private final long seed;
    private final int pauseNs;
    private final List<TrunkClient> trunks = new ArrayList<>();
    private final List<HostilePlayer> players = new ArrayList<>();
    private final Map<String, Long> roomIdByNameMap = new HashMap<>();
    private final TreeMap<String, Integer> refusals = new TreeMap<>();
    private boolean isLoose;
    private boolean isResting;
    private long offered;
    private int downs;

    /** A player more of each room for each trunk. */
    HostileCrowd(final Aeron aeron, final BotOptions options, final long seed, final int pauseNs)
    {
        this.seed = seed;
        this.pauseNs = pauseNs;
        final ArenaMaps maps = new ArenaMaps();
        for (int i = 0; i < options.spare(); i++)
        {
            trunks.add(TrunkClient.connect(new TrunkContext()
                .aeron(aeron)
                .udp(options.ingress(), options.response())
                .identity("hostile-" + i)
                .secret(options.secret())
                .receiveWindow(64 * 1_024)
                .listener(new Listener())));
        }
        for (int i = 0; i < options.rooms() * options.spare(); i++)
        {
            final String home = "Arena " + i / options.spare();
            players.add(new HostilePlayer(i, home, this, trunks.get(i % options.spare()), maps));
        }
    }

    long seed()
    {
        return seed;
    }

    /** The longest time between two acts of a player. */
    int pauseNs()
    {
        return pauseNs;
    }

    /** Until then they only come in. */
    void letLoose()
    {
        isLoose = true;
    }

    boolean isLoose()
    {
        return isLoose;
    }

    void calm()
    {
        players.forEach(HostilePlayer::calm);
    }

    /** From now on they only listen. */
    void rest()
    {
        isResting = true;
    }

    void turn()
    {
        trunks.forEach(TrunkClient::poll);
        final long nowNs = System.nanoTime();
        for (int i = 0; i < players.size() && !isResting; i++)
        {
            players.get(i).act(nowNs);
        }
    }

    List<HostilePlayer> players()
    {
        return players;
    }

    long acts()
    {
        return players.stream().mapToLong(HostilePlayer::acts).sum();
    }

    int downs()
    {
        return downs;
    }

    /** Joins, leaves and messages to rooms that went out. */
    long offered()
    {
        return offered;
    }

    void offered(final SendStatus status)
    {
        offered += SendStatus.SENT == status ? 1 : 0;
    }

    /** Number of refusals received, by name of the code. */
    TreeMap<String, Integer> refusals()
    {
        return refusals;
    }

    void refused(final String code)
    {
        refusals.merge(code, 1, Integer::sum);
    }

    void room(final String name, final long roomId)
    {
        roomIdByNameMap.putIfAbsent(name, roomId);
    }

    Long roomId(final String name)
    {
        return roomIdByNameMap.get(name);
    }

    /** A seat in an arena, of a player on another trunk. */
    ClientSeat seatOfAnother(final TrunkClient trunk, final SplittableRandom random)
    {
        final int at = random.nextInt(players.size());
        return trunk == trunks.get(at % trunks.size()) ? null : players.get(at).arenaSeat();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(trunks);
    }

    /** Hands on what comes for a player. */
    private final class Listener implements TrunkListener
    {
        @Override
        public void onDown(final int code)
        {
            refused("down " + code);
            downs++;
        }

        @Override
        public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
        {
            if (NOBODY != requestId)
            {
                players.get((int)requestId).onLogIn(status, playerId, token);
            }
            else
            {
                refused("log-in " + status);
            }
        }

        @Override
        public void onJoined(final long requestId, final ClientSeat seat)
        {
            players.get((int)requestId).onJoined(seat);
        }

        @Override
        public void onSeatAway(final ClientSeat seat, final int reason)
        {
            onLeft(seat, reason);
        }

        @Override
        public void onLeft(final ClientSeat seat, final int reason)
        {
            if (seat.attachment() instanceof HostilePlayer player)
            {
                player.onSeatLost(seat);
            }
        }

        @Override
        public void onRefused(
            final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
        {
            final RefusalCode ofRoom = RefusalCode.get(code);
            refused(RefusalCode.SBE_UNKNOWN == ofRoom ? TrunkCode.get(code).name() : ofRoom.name());
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            ((HostilePlayer)seat.attachment()).onMessage(seat, buffer, offset, length);
        }

        @Override
        public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            final HostilePlayer player = (HostilePlayer)seat.attachment();
            if (player.isWatching())
            {
                player.onMessage(seat, buffer, offset, length);
            }
        }
    }
}
