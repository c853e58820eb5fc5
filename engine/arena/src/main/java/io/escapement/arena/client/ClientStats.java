package io.escapement.arena.client;

/** What a client has heard, counted from its start. */
public final class ClientStats
{
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
     * @return the value of an {@link io.escapement.arena.codecs.ArenaCode}, or 0.
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
}
