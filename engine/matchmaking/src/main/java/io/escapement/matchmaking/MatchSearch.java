package io.escapement.matchmaking;

/**
 * Searches the queue for tickets that make a match. Their players add up to its number, and their ratings are no
 * further apart than each of the tickets accepts. The range of a ticket grows with the time that it waits.
 *
 * <p>The search starts at the ticket with the lowest rating of the match and looks at the tickets above. For each
 * number of players it keeps how the tickets so far add up to it. It finds every match among the {@value #WINDOW}
 * tickets that it looks at, even if parties of several sizes must fit together.
 */
final class MatchSearch
{
    /** Most tickets that one search looks at. */
    static final int WINDOW = 64;

    /** Most players of a match: a number of players is a bit of a long. */
    static final int MAX_PLAYERS = Long.SIZE - 2;

    private static final long NS_PER_S = 1_000_000_000L;

    private final Tickets tickets;
    private final RatedQueue queue;
    private final int players;
    private final long initialRange;
    private final long rangePerSecond;
    private final long maxRange;
    /** Tickets that could be in the match, from the lowest rating up, with their sizes and ranges. */
    private final int[] candidates = new int[WINDOW];
    private final long[] ranges = new long[WINDOW];
    private int candidateCount;
    private long narrowestRange;
    /** Numbers of players that candidates with the first candidate add up to, and the last candidate of each. */
    private long sums;
    private final int[] lastOfSum = new int[MAX_PLAYERS + 1];
    private final int[] found = new int[MAX_PLAYERS];
    private long comparisons;

    MatchSearch(final Tickets tickets, final MatchmakerContext context)
    {
        this.tickets = tickets;
        queue = tickets.queue();
        players = context.players();
        initialRange = context.initialRange();
        rangePerSecond = context.rangePerSecond();
        maxRange = context.maxRange();
    }

    /** Tickets that all searches so far have looked at: their work. */
    long comparisons()
    {
        return comparisons;
    }

    /** A ticket that was found. */
    int found(final int index)
    {
        return found[index];
    }

    /**
     * Search for a match in which the ticket at a position of the queue has the lowest rating.
     *
     * @return the number of tickets that were found, or 0.
     */
    int search(final int lowest, final long nowNs)
    {
        final int lowestRating = Tickets.ratingOf(queue.key(lowest));
        final int end = Math.min(queue.size(), lowest + WINDOW);
        candidateCount = 0;
        sums = 1;
        narrowestRange = Long.MAX_VALUE;
        for (int position = lowest; position < end; position++)
        {
            comparisons++;
            final long spread = Tickets.ratingOf(queue.key(position)) - lowestRating;
            if (candidateCount > 0 && spread > ranges[0])
            {
                return 0;
            }
            if (spread > narrowestRange)
            {
                dropNarrowerThan(spread);
            }
            final int ticket = queue.ticket(position);
            final long range = range(ticket, nowNs);
            if (spread <= range && add(ticket, range))
            {
                return collect();
            }
        }
        return 0;
    }

    private long range(final int ticket, final long nowNs)
    {
        final long waitedNs = nowNs - tickets.sinceNs(ticket);
        return Math.min(maxRange, initialRange + rangePerSecond * waitedNs / NS_PER_S);
    }

    /** Add a candidate. Whether it completes a match. */
    private boolean add(final int ticket, final long range)
    {
        final int candidate = candidateCount++;
        candidates[candidate] = ticket;
        ranges[candidate] = range;
        narrowestRange = Math.min(narrowestRange, range);
        // Every sum has the first candidate.
        final long known = 0 == candidate ? 0 : sums;
        final long possible = (2L << players) - 1;
        long added = sums << tickets.size(ticket) & possible & ~known;
        sums = known | added;
        while (0 != added)
        {
            lastOfSum[Long.numberOfTrailingZeros(added)] = candidate;
            added &= added - 1;
        }
        return 0 != (sums & 1L << players);
    }

    /** The ratings differ by more than some candidates accept: continue without them. */
    private void dropNarrowerThan(final long spread)
    {
        final int count = candidateCount;
        candidateCount = 0;
        sums = 1;
        narrowestRange = Long.MAX_VALUE;
        for (int i = 0; i < count; i++)
        {
            comparisons++;
            if (ranges[i] >= spread)
            {
                add(candidates[i], ranges[i]);
            }
        }
    }

    /** The last candidate of a sum follows the candidates that make up the rest of it. */
    private int collect()
    {
        int count = 0;
        for (int rest = players; rest > 0; rest -= tickets.size(found[count++]))
        {
            found[count] = candidates[lastOfSum[rest]];
        }
        return count;
    }
}
