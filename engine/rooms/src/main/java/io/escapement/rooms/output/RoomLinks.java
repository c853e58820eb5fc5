package io.escapement.rooms.output;

/** The links of a room's present seats. */
public interface RoomLinks
{
    /** Number of the links. */
    int linkCount();

    /**
     * A link.
     *
     * @param position of the link, below {@link #linkCount()}.
     */
    int linkAt(int position);

    /**
     * Whether a message to several seats is for a seat that is present through a link.
     *
     * @param position    of the link.
     * @param outputClass of the message.
     * @param audience    of the message.
     * @param selector    as the audience needs it.
     */
    boolean isReceiving(int position, int outputClass, int audience, long selector);

    /** Whether the states of the room may be sent through a feed, to each trunk that receives it. */
    boolean isFeedAllowed();

    /** Count a state of the room that leaves through a feed. The number is no state of the room. */
    int nextFeedNumber();
}
