package io.escapement.driver.guard;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.LongHashSet;

/**
 * A destination that the application added to a publication. A feed asks it for proof. Confined to the sender thread.
 */
final class Destination
{
    /** Receivers send a status message several times per second, and a few of them may be lost. */
    static final long PROVEN_NS = TimeUnit.SECONDS.toNanos(5);

    private final String endpoint;
    private final InetSocketAddress address;
    private final long registrationId;
    /** The publications for which it has asked for a SETUP since the last SETUP, by stream and session. */
    private final LongHashSet askedSetups = new LongHashSet();
    private boolean hasProof;
    private long proofNs;
    private long missed;

    Destination(final String endpoint, final InetSocketAddress address, final long registrationId)
    {
        this.endpoint = endpoint;
        this.address = address;
        this.registrationId = registrationId;
    }

    /** As the application named it. */
    String endpoint()
    {
        return endpoint;
    }

    InetSocketAddress address()
    {
        return address;
    }

    long registrationId()
    {
        return registrationId;
    }

    /** A status message of a subscriber has arrived from its address. */
    void onProof(final long nowNs)
    {
        hasProof = true;
        proofNs = nowNs;
    }

    /** Whether it listens. */
    boolean isProven(final long nowNs)
    {
        return hasProof && nowNs - proofNs < PROVEN_NS;
    }

    void onSetupAsked(final long key)
    {
        askedSetups.add(key);
    }

    boolean hasAskedSetup(final long key)
    {
        return askedSetups.contains(key);
    }

    /** It has been sent, or its publication is gone. */
    void clearAskedSetup(final long key)
    {
        askedSetups.remove(key);
    }

    void onMissed(final int datagrams)
    {
        missed += datagrams;
    }

    /** Datagrams that were not sent to it, because the socket was full or an error occurred. */
    long missed()
    {
        return missed;
    }
}
