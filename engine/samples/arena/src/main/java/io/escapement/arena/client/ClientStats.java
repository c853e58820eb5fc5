package io.escapement.arena.client;

/** Messages that a client has received since its start. */
public final class ClientStats
{
    int lastRefusal;
    int closing;
    String lastChat = "";
    long fullStates;
    long deltas;
    long gaps;
    long events;
    long corrections;
    long refusals;
    long chats;

    ClientStats()
    {
    }

    /** Full states applied. */
    public long fullStates()
    {
        return fullStates;
    }

    /** Deltas applied. */
    public long deltas()
    {
        return deltas;
    }

    /** Times that a delta was missing. */
    public long gaps()
    {
        return gaps;
    }

    /** Events: hits, deaths and others. */
    public long events()
    {
        return events;
    }

    /** Corrections of the own player's position. */
    public long corrections()
    {
        return corrections;
    }

    /** Messages of this client that the room refused. */
    public long refusals()
    {
        return refusals;
    }

    /** Reason of the last refusal: the value of an {@link io.escapement.arena.codecs.ArenaCode}, or 0. */
    public int lastRefusal()
    {
        return lastRefusal;
    }

    /** Chat messages received. */
    public long chats()
    {
        return chats;
    }

    /** The last chat message. */
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
