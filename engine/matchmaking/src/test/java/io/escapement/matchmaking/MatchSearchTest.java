package io.escapement.matchmaking;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the search with a naive one that tries all sets of tickets. */
class MatchSearchTest
{
    private static final int QUEUES = 4_000;
    private static final int MOST_TICKETS = 11;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private int matches;
    private int failures;

    @Test
    void shouldFindAMatchIfThereIsOne()
    {
        for (long seed = 1; seed <= QUEUES; seed++)
        {
            compare(seed);
        }
        // Without these the test would compare nothing.
        assertTrue(matches > QUEUES, matches + " matches");
        assertTrue(failures > QUEUES, failures + " searches without a match");
    }

    private void compare(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final int players = random.nextInt(2, 9);
        final MatchmakerContext context = new MatchmakerContext(1, players)
            .initialRange(random.nextInt(20)).rangePerSecond(random.nextInt(10)).maxRange(60);
        final Tickets tickets = new Tickets(256);
        final MatchSearch search = new MatchSearch(tickets, context);
        final int count = random.nextInt(1, MOST_TICKETS);
        int seat = 0;
        for (int i = 0; i < count; i++)
        {
            final int size = random.nextInt(1, 1 + Math.max(1, random.nextInt(players)));
            final int ticket = seat;
            final int rating = random.nextInt(100);
            tickets.open(seat++, 1 + i, size, rating, null, random.nextLong(10) * SECOND_NS);
            for (int member = 1; member < size; member++)
            {
                tickets.join(ticket, seat++, rating, tickets.sinceNs(ticket));
            }
        }
        final long nowNs = 10 * SECOND_NS;
        for (int position = 0; position < tickets.queue().size(); position++)
        {
            final int found = search.search(position, nowNs);
            final String when = "seed " + seed + ", position " + position;
            assertEquals(exists(tickets, context, position, nowNs), found > 0, when);
            if (found > 0)
            {
                final List<Integer> group = new ArrayList<>();
                for (int i = 0; i < found; i++)
                {
                    group.add(search.found(i));
                }
                assertEquals(found, new HashSet<>(group).size(), when);
                assertTrue(group.contains(tickets.queue().ticket(position)), when);
                assertTrue(isMatch(tickets, context, group, nowNs), when);
                matches++;
            }
            else
            {
                failures++;
            }
        }
    }

    /** Whether some tickets from a position on make a match with the one there. */
    private static boolean exists(
        final Tickets tickets, final MatchmakerContext context, final int lowest, final long nowNs)
    {
        final int others = tickets.queue().size() - lowest - 1;
        for (int set = 0; set < 1 << others; set++)
        {
            final List<Integer> group = new ArrayList<>(List.of(tickets.queue().ticket(lowest)));
            for (int i = 0; i < others; i++)
            {
                if (0 != (set & 1 << i))
                {
                    group.add(tickets.queue().ticket(lowest + 1 + i));
                }
            }
            if (isMatch(tickets, context, group, nowNs))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isMatch(
        final Tickets tickets, final MatchmakerContext context, final List<Integer> group, final long nowNs)
    {
        int players = 0;
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        double narrowest = Double.MAX_VALUE;
        for (final int ticket : group)
        {
            players += tickets.size(ticket);
            lowest = Math.min(lowest, tickets.meanRating(ticket));
            highest = Math.max(highest, tickets.meanRating(ticket));
            final long seconds = (nowNs - tickets.sinceNs(ticket)) / SECOND_NS;
            narrowest = Math.min(narrowest,
                Math.min(context.maxRange(), context.initialRange() + seconds * context.rangePerSecond()));
        }
        return players == context.players() && highest - lowest <= narrowest;
    }
}
