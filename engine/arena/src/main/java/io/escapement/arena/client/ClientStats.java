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

    /** Pictures taken. */
    public long pictures()
    {
        return pictures;
    }

    /** Deltas taken. */
    public long deltas()
    {
        return deltas;
    }

    /** How often the next delta was not the one that had to come. */
    public long gaps()
    {
        return gaps;
    }

    /** Hits, deaths and the like. */
    public long events()
    {
        return events;
    }

    /** How often the server put the own player elsewhere. */
    public long corrections()
    {
        return corrections;
    }

    /** Messages of this client that the room refused. */
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

    /** Texts heard. */
    public long chats()
    {
        return chats;
    }

    /** The last text heard. */
    public String lastChat()
    {
        return lastChat;
    }

    /** Whether the room said that it closes. */
    public int closing()
    {
        return closing;
    }
}
