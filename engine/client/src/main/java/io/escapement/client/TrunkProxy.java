package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.KeepaliveEncoder;
import io.escapement.codecs.trunk.LogInEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.ProofEncoder;
import io.escapement.codecs.trunk.ResumeEncoder;
import io.escapement.codecs.trunk.StandEncoder;
import io.escapement.codecs.trunk.TrunkCode;

/** Encodes the client's messages on the control stream. Each method returns whether its message is in the batch. */
final class TrunkProxy
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final StreamBatch batch;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final KeepaliveEncoder keepalive = new KeepaliveEncoder();

    TrunkProxy(final StreamBatch batch)
    {
        this.batch = batch;
    }

    boolean hello(final long nonceHigh, final long nonceLow, final int applicationVersion, final byte[] identity)
    {
        final int at = claim(HelloEncoder.BLOCK_LENGTH + HelloEncoder.identityHeaderLength() + identity.length);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        final HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(batch.buffer(), at, header);
        hello.nonce().high(nonceHigh).low(nonceLow);
        hello.protocolVersion(TrunkMessages.PROTOCOL_VERSION).applicationVersion(applicationVersion)
            .putIdentity(identity, 0, identity.length);
        return true;
    }

    boolean proof(final byte[] credentials)
    {
        final int at = claim(ProofEncoder.BLOCK_LENGTH + ProofEncoder.credentialsHeaderLength() + credentials.length);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        new ProofEncoder().wrapAndApplyHeader(batch.buffer(), at, header)
            .putCredentials(credentials, 0, credentials.length);
        return true;
    }

    boolean stand(final byte[] credentials)
    {
        final int at = claim(StandEncoder.BLOCK_LENGTH + StandEncoder.credentialsHeaderLength() + credentials.length);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        new StandEncoder().wrapAndApplyHeader(batch.buffer(), at, header)
            .putCredentials(credentials, 0, credentials.length);
        return true;
    }

    boolean resume(final ResumeTicket ticket, final byte[] credentials)
    {
        final int at =
            claim(ResumeEncoder.BLOCK_LENGTH + ResumeEncoder.credentialsHeaderLength() + credentials.length);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        final ResumeEncoder resume = new ResumeEncoder().wrapAndApplyHeader(batch.buffer(), at, header);
        resume.trunkId(ticket.trunkId()).resumeToken().high(ticket.tokenHigh()).low(ticket.tokenLow());
        resume.putCredentials(credentials, 0, credentials.length);
        return true;
    }

    boolean logIn(final long requestId, final byte[] credentials)
    {
        final int at = claim(LogInEncoder.BLOCK_LENGTH + LogInEncoder.credentialsHeaderLength() + credentials.length);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        new LogInEncoder().wrapAndApplyHeader(batch.buffer(), at, header)
            .requestId(requestId).putCredentials(credentials, 0, credentials.length);
        return true;
    }

    boolean keepalive(final long nowNs, final long roundTripNs)
    {
        final int at = claim(KeepaliveEncoder.BLOCK_LENGTH);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        keepalive.wrapAndApplyHeader(batch.buffer(), at, header).clientTimeNs(nowNs).roundTripNs(roundTripNs);
        return true;
    }

    boolean goodbye()
    {
        final int at = claim(GoodbyeEncoder.BLOCK_LENGTH);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return false;
        }
        new GoodbyeEncoder().wrapAndApplyHeader(batch.buffer(), at, header).code(TrunkCode.CLOSED_BY_PEER);
        return true;
    }

    private int claim(final int bodyLength)
    {
        return batch.claim(HEADER_LENGTH + bodyLength);
    }
}
