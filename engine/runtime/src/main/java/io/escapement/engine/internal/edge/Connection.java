package io.escapement.engine.internal.edge;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.escapement.engine.internal.loop.ByteFifo;
import io.escapement.engine.spi.Authenticator;

/** A connection on the control stream, and how far its handshake has come. */
final class Connection
{
    enum State
    {
        /** Nothing was said yet. */
        NEW,
        /** Hello was heard; the way back is being made, or the challenge is on it. */
        CHALLENGED,
        /** The trunk is up. */
        WELCOMED,
        /** Over: what is left to say is said, then it is closed. */
        ENDING
    }

    static final long NO_REGISTRATION = -1;

    /** Answers that wait for a connection that does not take them; more are dropped and counted. */
    private static final int OUT_LENGTH = 16 * 1_024;

    final Image image;
    final TrunkChannels.Port port;
    final long sinceNs;
    final ByteFifo out = new ByteFifo(OUT_LENGTH);
    State state = State.NEW;
    long endingNs;
    long registrationId = NO_REGISTRATION;
    ExclusivePublication publication;
    Authenticator.Challenge challenge;
    Trunk trunk;

    Connection(final Image image, final TrunkChannels.Port port, final long sinceNs)
    {
        this.image = image;
        this.port = port;
        this.sinceNs = sinceNs;
    }
}
