package io.escapement.arena.client;

import io.escapement.arena.simulation.Fixed;
import org.HdrHistogram.Histogram;

/** What a client has heard, counted from its start, and how far what it showed was from what the server held. */
public final class ClientStats
{
    /** Errors are measured in thousandths of a unit, up to the size of the largest map. */
    private static final long LARGEST_ERROR = 2_000_000;
    private static final int THOUSANDTHS = 1_000;

    private final Histogram ownError = new Histogram(LARGEST_ERROR, 2);
    private final Histogram othersError = new Histogram(LARGEST_ERROR, 2);
    int lastRefusal;
    int closing;
    String lastChat = "";
    long pictures;
    long deltas;
    long gaps;
    long events;
    long corrections;
    long refusals;
    long chats;

    ClientStats()
    {
    }

    /**
     * How far the own player was shown from where the server held it, in thousandths of a unit, once a state in which
     * everything was told.
     *
     * @return the histogram.
     */
    public Histogram ownError()
    {
        return ownError;
    }

    /**
     * How far watched others were shown from where the server held them, in thousandths of a unit, once a state.
     *
     * @return the histogram.
     */
    public Histogram othersError()
    {
        return othersError;
    }

    /**
     * Pictures taken.
     *
     * @return the number.
     */
    public long pictures()
    {
        return pictures;
    }

    /**
     * Deltas taken.
     *
     * @return the number.
     */
    public long deltas()
    {
        return deltas;
    }

    /**
     * How often the next delta was not the one that had to come.
     *
     * @return the number.
     */
    public long gaps()
    {
        return gaps;
    }

    /**
     * Hits, deaths and the like.
     *
     * @return the number.
     */
    public long events()
    {
        return events;
    }

    /**
     * How often the server put the own player elsewhere.
     *
     * @return the number.
     */
    public long corrections()
    {
        return corrections;
    }

    /**
     * Messages of this client that the room refused.
     *
     * @return the number.
     */
    public long refusals()
    {
        return refusals;
    }

    /**
     * Why the last one was.
     *
     * @return the value of an {@link io.escapement.codecs.arena.ArenaCode}, or 0.
     */
    public int lastRefusal()
    {
        return lastRefusal;
    }

    /**
     * Texts heard.
     *
     * @return the number.
     */
    public long chats()
    {
        return chats;
    }

    /**
     * The last text heard.
     *
     * @return the text.
     */
    public String lastChat()
    {
        return lastChat;
    }

    /**
     * Whether the room said that it closes.
     *
     * @return 0, or why.
     */
    public int closing()
    {
        return closing;
    }

    void ownError(final long error)
    {
        record(ownError, error);
    }

    void othersError(final long error)
    {
        record(othersError, error);
    }

    private static void record(final Histogram histogram, final long error)
    {
        histogram.recordValue(Math.min(LARGEST_ERROR, error * THOUSANDTHS >> Fixed.SHIFT));
    }
}
