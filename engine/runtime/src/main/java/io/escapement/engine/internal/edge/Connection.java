package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.ChallengeEncoder;
import io.escapement.engine.internal.loop.BatchSender;
import io.escapement.engine.internal.loop.ByteFifo;
import io.escapement.engine.spi.Authenticator;

/** A client's connection on the control stream, and the state of its handshake. */
final class Connection
{
    /**
     * Transitions:
     * <pre>
     *   NEW         Hello                                 CHALLENGED, takes a handshake permit
     *   NEW         Hello, no permit                      ENDING
     *   CHALLENGED  Proof or Resume                       VERIFYING
     *   VERIFYING   accepted                              WELCOMED
     *   VERIFYING   refused                               ENDING
     *   before WELCOMED   handshake timeout, Goodbye,     ENDING
     *                     or over HANDSHAKE_BYTES
     *   WELCOMED    Goodbye, trunk ended or replaced      ENDING
     *   any         image gone                            CLOSED
     * </pre>
     * A connection that is CHALLENGED or VERIFYING holds the permit.
     */
    enum State
    {
        /** No message has arrived. */
        NEW,
        /** Hello arrived; the response publication is being made, or carries the challenge. */
        CHALLENGED,
        /** The authenticator has its credentials. */
        VERIFYING,
        /** Authenticated; bound to a trunk. */
        WELCOMED,
        /** Its image is not read; flushes its last replies, then closes its publication. */
        ENDING,
        /** The image is gone; holds nothing. */
        CLOSED
    }

    /** How long last replies may take to leave. */
    private static final long ENDING_NS = 1_000_000_000;

    /** Replies queued for a client that does not poll. More are dropped and counted. */
    private static final int REPLIES_LENGTH = 16 * 1_024;
    /** Of them for replies that a client is bound to: Welcome, Reject, Goodbye, and Attached of every loop. */
    private static final int RESERVE_LENGTH = 2 * 1_024;
    /** Taken of a connection before its Welcome: twice the longest message. */
    private static final int HANDSHAKE_BYTES = 4 * 1_024;
    /** Interval at which an image that is given up is passed over. */
    private static final long SKIP_NS = 1_000_000_000;

    private final EdgeImage image;
    private final String source;
    private final long createdNs;
    private final Permits handshakes;
    private final ByteFifo replies = new ByteFifo(REPLIES_LENGTH);
    private State state = State.NEW;
    private long endingNs;
    private long skippedNs;
    private int handshakeBytes;
    private int schemaVersion = ChallengeEncoder.SCHEMA_VERSION;
    private ResponsePublication response;
    private Authenticator.Challenge challenge;
    private Trunk trunk;

    Connection(final EdgeImage image, final long createdNs, final Permits handshakes)
    {
        this.image = image;
        source = image.source();
        this.createdNs = createdNs;
        this.handshakes = handshakes;
    }

    State state()
    {
        return state;
    }

    /** The trunk while WELCOMED, otherwise null. */
    Trunk trunk()
    {
        return trunk;
    }

    /** Version of the schema that its client reads: that of Hello. */
    int schemaVersion()
    {
        return schemaVersion;
    }

    Authenticator.Challenge challenge()
    {
        return challenge;
    }

    ByteFifo replies()
    {
        return replies;
    }

    boolean isOf(final EdgeImage other)
    {
        return image == other;
    }

    String source()
    {
        return source;
    }

    int poll(final FragmentHandler handler, final int fragmentLimit)
    {
        return State.ENDING == state ? 0 : image.poll(handler, fragmentLimit);
    }

    /** Count bytes of a connection that has no Welcome. False when they are too many. */
    boolean mayTake(final int length)
    {
        if (State.WELCOMED != state)
        {
            handshakeBytes += length;
        }
        return handshakeBytes <= HANDSHAKE_BYTES;
    }

    /** Claim space for a reply. Without the reserve, replies that the client asks for again leave some free. */
    int claim(final int length, final boolean isFromReserve)
    {
        return isFromReserve || replies.size() + length <= REPLIES_LENGTH - RESERVE_LENGTH ?
            BatchSender.claim(replies, length) : ByteFifo.NO_ROOM;
    }

    /** NEW to CHALLENGED. False when too many handshakes are under way. */
    boolean tryChallenge(final Authenticator.Challenge newChallenge, final int newSchemaVersion)
    {
        if (!handshakes.tryAcquire())
        {
            return false;
        }
        moveTo(State.CHALLENGED);
        challenge = newChallenge;
        schemaVersion = newSchemaVersion;
        // Needed for a rejection too.
        response = image.addResponse(TrunkMessages.CONTROL_STREAM_ID);
        return true;
    }

    /** CHALLENGED to VERIFYING. */
    void verify()
    {
        moveTo(State.VERIFYING);
    }

    /** VERIFYING to WELCOMED. */
    void welcome(final Trunk newTrunk)
    {
        moveTo(State.WELCOMED);
        trunk = newTrunk;
    }

    void end(final long nowNs)
    {
        moveTo(State.ENDING);
        trunk = null;
        endingNs = nowNs;
        skippedNs = nowNs;
    }

    /** The image is gone. */
    void close()
    {
        moveTo(State.CLOSED);
        trunk = null;
        closeResponse();
    }

    /** Whether the client has connected to the response publication. */
    boolean isAnswerable()
    {
        return null != response && response.isConnected();
    }

    /** Whether it has a publication or unsent replies. */
    boolean isHolding()
    {
        return null != response || !replies.isEmpty();
    }

    /** Whether its handshake is under way, so that it has a permit. */
    boolean isInHandshake()
    {
        return isInHandshake(state);
    }

    boolean isHandshakeLate(final long nowNs, final long timeoutNs)
    {
        return (State.NEW == state || isInHandshake()) && nowNs - createdNs > timeoutNs;
    }

    /** Advance the response publication and send queued replies; close it when the last reply of ENDING has left. */
    void advance(final long nowNs)
    {
        if (null != response && ResponsePublication.State.CLOSED == response.poll())
        {
            response = null;
        }
        final int status = flush();
        if (State.ENDING == state)
        {
            if (BatchSender.SENT == status || nowNs - endingNs > ENDING_NS)
            {
                closeResponse();
            }
            if (nowNs - skippedNs > SKIP_NS)
            {
                skippedNs = nowNs;
                image.skip();
            }
        }
    }

    /** Send queued replies. Returns a status of {@link BatchSender}. */
    int flush()
    {
        if (replies.isEmpty())
        {
            return BatchSender.SENT;
        }
        return null == response ? BatchSender.BLOCKED : response.trySend(replies);
    }

    private void closeResponse()
    {
        if (null != response)
        {
            response.close();
            response = null;
        }
        replies.clear();
    }

    private void moveTo(final State next)
    {
        if (isInHandshake(state) && !isInHandshake(next))
        {
            handshakes.release();
        }
        state = next;
    }

    private static boolean isInHandshake(final State state)
    {
        return State.CHALLENGED == state || State.VERIFYING == state;
    }
}
