package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TrunkEncoder;

/** Encodes the client's messages on the control stream. Each method returns whether its message is in the batch. */
final class TrunkProxy
{
    private final StreamBatch batch;
    private final TrunkEncoder messages = new TrunkEncoder();

    TrunkProxy(final StreamBatch batch)
    {
        this.batch = batch;
    }

    boolean hello(final long nonceHigh, final long nonceLow, final int applicationVersion, final byte[] identity)
    {
        final int at = batch.claim(TrunkEncoder.helloLength(identity.length));
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.hello(
            batch.buffer(), at, nonceHigh, nonceLow, TrunkMessages.PROTOCOL_VERSION, applicationVersion, identity);
    }

    boolean proof(final byte[] credentials)
    {
        final int at = batch.claim(TrunkEncoder.proofLength(credentials.length));
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.proof(batch.buffer(), at, credentials);
    }

    boolean stand(final byte[] credentials)
    {
        final int at = batch.claim(TrunkEncoder.standLength(credentials.length));
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.stand(batch.buffer(), at, credentials);
    }

    boolean resume(final ResumeTicket ticket, final byte[] credentials)
    {
        final int at = batch.claim(TrunkEncoder.resumeLength(credentials.length));
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.resume(
            batch.buffer(), at, ticket.trunkId(), ticket.tokenHigh(), ticket.tokenLow(), credentials);
    }

    boolean logIn(final long requestId, final byte[] credentials)
    {
        final int at = batch.claim(TrunkEncoder.logInLength(credentials.length));
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.logIn(batch.buffer(), at, requestId, credentials);
    }

    boolean keepalive(final long nowNs, final long roundTripNs)
    {
        final int at = batch.claim(TrunkEncoder.keepaliveLength());
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.keepalive(batch.buffer(), at, nowNs, roundTripNs);
    }

    boolean feed(final int feedId, final int loop, final int port, final boolean isOn)
    {
        final int at = batch.claim(TrunkEncoder.feedLength());
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.feed(batch.buffer(), at, feedId, loop, port, isOn);
    }

    boolean goodbye()
    {
        final int at = batch.claim(TrunkEncoder.goodbyeLength());
        return StreamBatch.NOT_CLAIMED != at && 0 < messages.goodbye(batch.buffer(), at, TrunkCode.CLOSED_BY_PEER);
    }
}
