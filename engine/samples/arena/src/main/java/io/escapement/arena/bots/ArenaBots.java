package io.escapement.arena.bots;

import io.escapement.arena.client.ClientCommons;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.lobby.MatchTypes;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.client.TrunkClient;
import io.escapement.server.BotOptions;
import io.escapement.server.BotProvider;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/** The arena's bots: they sign up, create characters, enter rooms, fight, chat and leave, and check their view. */
public final class ArenaBots implements BotProvider
{
    private static final double THOUSANDTHS = 1_000;

    private final Map<BotProvider.Host, ClientCommons> commonsByHostMap = new HashMap<>();
    /** Ids of the bots that have logged in, in every thread of the crowd. */
    private final Set<Long> playerIds = ConcurrentHashMap.newKeySet();
    private BotPlayer.Group[] groups;

    /** For one crowd. */
    public ArenaBots()
    {
    }

    @Override
    public void check(final BotOptions options)
    {
        final int seats = options.seats();
        refuse(seats < ArenaRoom.LEAST_SEATS || seats > ArenaRoom.MOST_SEATS,
            "--seats: " + seats + ": " + ArenaRoom.LEAST_SEATS + " to " + ArenaRoom.MOST_SEATS);
        refuse(seats + options.spare() > ArenaRoom.MOST_SEATS,
            "--spare: " + options.spare() + ": at most " + ArenaRoom.MOST_SEATS + " with --seats");
        refuse(options.isMatched() && !MatchTypes.sizes().contains(seats),
            "--seats: " + seats + ": one of " + MatchTypes.sizes() + " with --quick-match");
        refuse(options.isMatched() && 0 != options.spare(),
            "--spare: " + options.spare() + ": 0 with --quick-match: a match has no other seats");
    }

    @Override
    public Bot newBot(final int number, final BotOptions options, final Host host, final TrunkClient trunk)
    {
        if (null == groups)
        {
            groups = BotPlayer.Group.of(options.rooms());
        }
        return new BotPlayer(number, groups[number / options.seats()], options,
            commonsByHostMap.computeIfAbsent(host, (ignored) -> new ClientCommons(new ArenaMaps())), playerIds, host,
            trunk);
    }

    @Override
    public String summary()
    {
        final Histogram errors = new Histogram(new ClientCommons(new ArenaMaps()).othersError());
        commonsByHostMap.values().forEach((commons) -> errors.add(commons.othersError()));
        return String.format(Locale.ROOT, "other players are drawn within %.3f units of their position on the server " +
            "(p50; p99 %.3f)", errors.getValueAtPercentile(50) / THOUSANDTHS,
            errors.getValueAtPercentile(99) / THOUSANDTHS);
    }

    private static void refuse(final boolean isWrong, final String text)
    {
        if (isWrong)
        {
            throw new IllegalArgumentException(text);
        }
    }
}
