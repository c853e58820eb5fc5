package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.loop.BatchSender;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.spi.Authenticator;

/** A client's control stream, and the state of its handshake. */
final class ControlStream
{
    /**
     * Transitions:
     * <pre>
     *   NEW         Hello                                 CHALLENGED, takes a handshake permit
     *   NEW         Hello, no permit                      ENDING
     *   CHALLENGED  Proof or Resume                       VERIFYING
     *   VERIFYING   accepted                              WELCOMED
     *   VERIFYING   Stand was accepted                    STANDBY
     *   VERIFYING   refused                               ENDING
     *   STANDBY     Proof or Resume                       VERIFYING, takes a permit
     *   VERIFYING   of a client that stood by: this node  STANDBY
     *               does not lead, or the trunk is gone
     *   STANDBY     Goodbye, keepalive late, engine stops ENDING
     *   before WELCOMED   handshake timeout, Goodbye,     ENDING
     *                     or over HANDSHAKE_BYTES
     *   WELCOMED    Goodbye, trunk ended or replaced      ENDING
     *   any         image gone                            CLOSED
     * </pre>
     * A stream that is CHALLENGED or VERIFYING holds the permit.
     */
    enum State
    {
        /** No message has arrived. */
        NEW,
        /** Hello arrived. The response publication is being made, or carries the challenge. */
        CHALLENGED,
        /** The authenticator has its credentials. */
        VERIFYING,
        /** Authenticated, without a trunk: it waits for this node to lead. */
        STANDBY,
        /** Authenticated and bound to a trunk. */
        WELCOMED,
        /** Its image is not read. It flushes its last replies, then closes its publication. */
        ENDING,
        /** The image is gone. The stream holds no resources. */
        CLOSED
    }

    /** How long last replies may take to leave. */
    private static final long ENDING_NS = 1_000_000_000;

    /** Replies queued for a client that does not poll. More are dropped and counted. */
    private static final int REPLIES_LENGTH = 16 * 1_024;
    /** Of them for replies that a client is bound to: Welcome, Reject, Goodbye, and Attached of every loop. */
    private static final int RESERVE_LENGTH = 2 * 1_024;
    /** Taken of a stream before its Welcome: twice the longest message. */
    private static final int HANDSHAKE_BYTES = 4 * 1_024;
    /** Interval at which an abandoned image is skipped. */
    private static final long SKIP_NS = 1_000_000_000;

    private final EdgeImage image;
    private final String source;
    private final Permits handshakes;
    private final ByteFifo replies = new ByteFifo(REPLIES_LENGTH);
    private State state = State.NEW;
    private long endingNs;
    private long skippedNs;
    private int handshakeBytes;
    /** Start of the handshake, or of its last part. */
    private long handshakeNs;
    /** Of the last message while it is on standby. */
    private long activityNs;
    /** Binds its loop streams while it is on standby. 0 before. */
    private long standbyToken;
    private StreamPublication response;
    private Authenticator.Challenge challenge;
    private Trunk trunk;

    ControlStream(final EdgeImage image, final long createdNs, final Permits handshakes)
    {
        this.image = image;
        source = image.source();
        handshakeNs = createdNs;
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

    /** Count bytes of a stream that has neither Welcome nor Standby. False when they are too many. */
    boolean mayTake(final int length)
    {
        if (State.WELCOMED != state && State.STANDBY != state)
        {
            handshakeBytes += length;
        }
        return handshakeBytes <= HANDSHAKE_BYTES;
    }

    /** Claim space for a reply. Without the reserve, replies that the client can re-request leave some space free. */
    int claim(final int length, final boolean isFromReserve)
    {
        return isFromReserve || replies.size() + length <= REPLIES_LENGTH - RESERVE_LENGTH ?
            BatchSender.claim(replies, length) : ByteFifo.NO_ROOM;
    }

    /** NEW to CHALLENGED. False when too many handshakes are under way. */
    boolean tryChallenge(final Authenticator.Challenge newChallenge)
    {
        if (!handshakes.tryAcquire())
        {
            return false;
        }
        moveTo(State.CHALLENGED);
        challenge = newChallenge;
        // A rejection also needs it.
        response = image.addResponse(TrunkMessages.CONTROL_STREAM_ID);
        return true;
    }

    /** CHALLENGED or STANDBY to VERIFYING. False when too many handshakes are under way. */
    boolean tryVerify(final long nowNs)
    {
        if (State.STANDBY == state)
        {
            if (!handshakes.tryAcquire())
            {
                return false;
            }
            handshakeNs = nowNs;
        }
        moveTo(State.VERIFYING);
        return true;
    }

    /** VERIFYING to STANDBY. */
    void standBy(final long token, final long nowNs)
    {
        moveTo(State.STANDBY);
        standbyToken = token;
        activityNs = nowNs;
    }

    /** Its token for loop streams, 0 if it was never on standby. */
    long standbyToken()
    {
        return standbyToken;
    }

    /** Whether it was authenticated before it asked for a trunk. It keeps its streams then. */
    boolean hasStoodBy()
    {
        return 0 != standbyToken;
    }

    /** Whether it has a trunk or waits for one. */
    boolean isAdmitted()
    {
        return State.WELCOMED == state || State.STANDBY == state;
    }

    void onActivity(final long nowNs)
    {
        activityNs = nowNs;
    }

    boolean isSilent(final long nowNs, final long timeoutNs)
    {
        return State.STANDBY == state && nowNs - activityNs > timeoutNs;
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
        return (State.NEW == state || isInHandshake()) && nowNs - handshakeNs > timeoutNs;
    }

    /** Advance the response publication and send queued replies. Close it after the last reply of ENDING was sent. */
    void advance(final long nowNs)
    {
        if (null != response && StreamPublication.State.CLOSED == response.poll())
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
