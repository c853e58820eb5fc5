package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AttachEncoder;
import io.escapement.codecs.trunk.AwayEncoder;
import io.escapement.codecs.trunk.CancelJoinEncoder;
import io.escapement.codecs.trunk.FeedEncoder;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.JoinEncoder;
import io.escapement.codecs.trunk.KeepaliveEncoder;
import io.escapement.codecs.trunk.LeaveEncoder;
import io.escapement.codecs.trunk.LogInEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.ProofEncoder;
import io.escapement.codecs.trunk.ResumeEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.StandEncoder;
import io.escapement.codecs.trunk.StateLostEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** The messages of a client, each a batch of one. */
final class ClientMessages
{
    private static final int LENGTH = 8 * 1_024;

    private ClientMessages()
    {
    }

    static byte[] hello(final int protocolVersion, final String identity)
    {
        final UnsafeBuffer buffer = buffer();
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).protocolVersion(protocolVersion)
            .applicationVersion(1).putIdentity(bytes(identity), 0, identity.length()).nonce().high(11).low(12);
        return batch(buffer, hello.encodedLength());
    }

    static byte[] proof(final String credentials)
    {
        final UnsafeBuffer buffer = buffer();
        final ProofEncoder proof = new ProofEncoder();
        proof.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder())
            .putCredentials(bytes(credentials), 0, credentials.length());
        return batch(buffer, proof.encodedLength());
    }

    static byte[] resume(final long trunkId, final long high, final long low, final String credentials)
    {
        final UnsafeBuffer buffer = buffer();
        final ResumeEncoder resume = new ResumeEncoder();
        resume.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).trunkId(trunkId);
        resume.resumeToken().high(high).low(low);
        resume.putCredentials(bytes(credentials), 0, credentials.length());
        return batch(buffer, resume.encodedLength());
    }

    static byte[] stand(final String credentials)
    {
        final UnsafeBuffer buffer = buffer();
        final StandEncoder stand = new StandEncoder();
        stand.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder())
            .putCredentials(bytes(credentials), 0, credentials.length());
        return batch(buffer, stand.encodedLength());
    }

    static byte[] logIn(final long requestId)
    {
        final UnsafeBuffer buffer = buffer();
        final LogInEncoder logIn = new LogInEncoder();
        logIn.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).requestId(requestId)
            .putCredentials(new byte[4], 0, 4);
        return batch(buffer, logIn.encodedLength());
    }

    static byte[] keepalive()
    {
        return keepalive(0);
    }

    static byte[] keepalive(final long roundTripNs)
    {
        final UnsafeBuffer buffer = buffer();
        final KeepaliveEncoder keepalive = new KeepaliveEncoder();
        keepalive.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).clientTimeNs(1)
            .roundTripNs(roundTripNs);
        return batch(buffer, keepalive.encodedLength());
    }

    static byte[] feed(final int feedId, final int loop, final int port, final boolean isOn)
    {
        final UnsafeBuffer buffer = buffer();
        final FeedEncoder feed = new FeedEncoder();
        feed.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).feedId(feedId).loop(loop).port(port)
            .isOn((short)(isOn ? 1 : 0));
        return batch(buffer, feed.encodedLength());
    }

    static byte[] goodbye()
    {
        final UnsafeBuffer buffer = buffer();
        final GoodbyeEncoder goodbye = new GoodbyeEncoder();
        goodbye.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).code(TrunkCode.CLOSED_BY_PEER);
        return batch(buffer, goodbye.encodedLength());
    }

    static byte[] attach(final long trunkId, final long attachToken)
    {
        final UnsafeBuffer buffer = buffer();
        final AttachEncoder attach = new AttachEncoder();
        attach.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).trunkId(trunkId).attachToken(attachToken);
        return batch(buffer, attach.encodedLength());
    }

    static byte[] join(final long roomId, final long playerId, final byte[] token)
    {
        final UnsafeBuffer buffer = buffer();
        final JoinEncoder join = new JoinEncoder();
        join.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).requestId(1).roomId(roomId).playerId(playerId)
            .isSpectator((short)0).putToken(token, 0, token.length).putArgs(token, 0, 0);
        return batch(buffer, join.encodedLength());
    }

    static byte[] leave(final long roomId)
    {
        final UnsafeBuffer buffer = buffer();
        final LeaveEncoder leave = new LeaveEncoder();
        leave.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).roomId(roomId).seatIndex(0).generation(1);
        return batch(buffer, leave.encodedLength());
    }

    static byte[] away(final long roomId)
    {
        final UnsafeBuffer buffer = buffer();
        final AwayEncoder away = new AwayEncoder();
        away.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).roomId(roomId).seatIndex(2).generation(3);
        return batch(buffer, away.encodedLength());
    }

    static byte[] cancelJoin(final long roomId, final long requestId, final long playerId)
    {
        final UnsafeBuffer buffer = buffer();
        final CancelJoinEncoder cancel = new CancelJoinEncoder();
        cancel.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder())
            .requestId(requestId).roomId(roomId).playerId(playerId);
        return batch(buffer, cancel.encodedLength());
    }

    static byte[] stateLost(final long roomId, final int seatIndex)
    {
        final UnsafeBuffer buffer = buffer();
        final StateLostEncoder lost = new StateLostEncoder();
        lost.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder())
            .roomId(roomId).seatIndex(seatIndex).generation(3);
        return batch(buffer, lost.encodedLength());
    }

    static byte[] send(final long roomId, final int seatIndex, final long... sequences)
    {
        final UnsafeBuffer buffer = buffer();
        final SendEncoder send = new SendEncoder();
        send.wrapAndApplyHeader(buffer, 2, new MessageHeaderEncoder()).roomId(roomId);
        final SendEncoder.MessagesEncoder messages = send.messagesCount(sequences.length);
        for (final long sequence : sequences)
        {
            messages.next().sequence(sequence).seatIndex(seatIndex).generation(1).putPayload(new byte[8], 0, 8);
        }
        return batch(buffer, send.encodedLength());
    }

    /** One batch of the entries of several. */
    static byte[] joined(final byte[]... batches)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (final byte[] batch : batches)
        {
            bytes.writeBytes(batch);
        }
        return bytes.toByteArray();
    }

    /** A Hello of a later version of the schema. */
    static byte[] helloOfVersion(final int schemaVersion)
    {
        final byte[] batch = hello(TrunkMessages.PROTOCOL_VERSION, "later");
        new MessageHeaderEncoder()
            .wrap(new UnsafeBuffer(batch), TrunkMessages.ENTRY_HEADER_LENGTH).version(schemaVersion);
        return batch;
    }

    /** A message that the schema's rules refuse. */
    static byte[] malformed()
    {
        final byte[] batch = keepalive();
        batch[TrunkMessages.ENTRY_HEADER_LENGTH] = 1;
        return batch;
    }

    private static UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(new byte[LENGTH]);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] batch(final UnsafeBuffer buffer, final int bodyLength)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
        buffer.putShort(0, (short)length, ByteOrder.LITTLE_ENDIAN);
        final byte[] batch = new byte[TrunkMessages.ENTRY_HEADER_LENGTH + length];
        buffer.getBytes(0, batch);
        return batch;
    }
}
