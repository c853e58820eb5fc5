package io.escapement.engine;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.TrunkProof;
import io.escapement.codecs.trunk.AttachEncoder;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.JoinEncoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.KeepaliveEncoder;
import io.escapement.codecs.trunk.LeaveEncoder;
import io.escapement.codecs.trunk.LogInEncoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.ProofEncoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.ResumeEncoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client that sends valid and invalid messages, written from codecs/protocol/trunk.md without the client library. It
 * has a private driver and is polled by the test.
 */
final class RawTrunk implements AutoCloseable
{
    static final long NONCE_HIGH = 11;
    static final long NONCE_LOW = 12;
    static final byte[] IDENTITY = "raw".getBytes(StandardCharsets.US_ASCII);

    /** Received messages as text: the name, and the code or number that tests compare. */
    final List<String> received = new ArrayList<>();
    final List<byte[]> tokens = new ArrayList<>();
    /** The same messages as bytes, with their headers. */
    final List<byte[]> messages = new ArrayList<>();
    long trunkId;
    long attachToken;
    long resumeHigh;
    long resumeLow;
    private long serverHigh;
    private long serverLow;
    private final TestEngine engine;
    /** Whether Attach asks for Accepted. */
    boolean isAcceptedWanted;
    private final TestHost host;
    private final TreeMap<Integer, Stream> streamByIdMap = new TreeMap<>();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[16 * 1_024]);
    private final FragmentHandler handler = (buffer, offset, length, aeronHeader) -> onFrame(buffer, offset, length);
    private int frameLength;

    private record Stream(Subscription subscription, ExclusivePublication publication)
    {
    }

    RawTrunk(final TestEngine engine)
    {
        this.engine = engine;
        host = new TestHost(engine.driverContext());
    }

    /** A client with a trunk that is attached to a loop. */
    static RawTrunk attached(final TestEngine engine, final int loop)
    {
        final RawTrunk trunk = welcome(engine);
        trunk.open(TrunkMessages.loopStreamId(loop));
        trunk.attach(loop, trunk.trunkId, trunk.attachToken);
        trunk.awaitReceived("Attached " + loop);
        return trunk;
    }

    static RawTrunk welcome(final TestEngine engine)
    {
        final RawTrunk trunk = new RawTrunk(engine);
        trunk.open(TrunkMessages.CONTROL_STREAM_ID);
        trunk.hello(TrunkMessages.PROTOCOL_VERSION);
        trunk.awaitReceived("Challenge");
        trunk.proof(trunk.rightProof());
        trunk.awaitReceived("Welcome false");
        return trunk;
    }

    /** Open a stream as trunk.md prescribes, and wait until it is connected. */
    void open(final int streamId)
    {
        final Subscription subscription = host.aeron().addSubscription(
            "aeron:udp?control-mode=response|rejoin=false|control=" + engine.response(), streamId);
        final long registrationId = host.aeron().asyncAddExclusivePublication("aeron:udp?term-length=64k|endpoint=" +
            engine.ingress() + "|response-correlation-id=" + subscription.registrationId(), streamId);
        final ExclusivePublication[] made = new ExclusivePublication[1];
        engine.await("stream " + streamId, this::poll, () ->
        {
            made[0] = null == made[0] ? host.aeron().getExclusivePublication(registrationId) : made[0];
            return null != made[0] && made[0].isConnected();
        });
        streamByIdMap.put(streamId, new Stream(subscription, made[0]));
    }

    /** Close a stream without Goodbye. */
    void drop(final int streamId)
    {
        final Stream stream = streamByIdMap.remove(streamId);
        CloseHelper.closeAll(stream.publication(), stream.subscription());
    }

    int poll()
    {
        int work = host.poll();
        for (final Stream stream : streamByIdMap.values())
        {
            work += stream.subscription().poll(handler, 16);
        }
        return work;
    }

    void await(final String what, final BooleanSupplier condition)
    {
        engine.await(what, this::poll, condition);
    }

    void awaitReceived(final String what)
    {
        engine.await("'" + what + "' in " + received, this::poll, () -> received.contains(what));
    }

    long count(final String what)
    {
        return received.stream().filter(what::equals).count();
    }

    byte[] rightProof()
    {
        return new TrunkProof(TestTrunk.SECRET).of(NONCE_HIGH, NONCE_LOW, serverHigh, serverLow, IDENTITY);
    }

    // Batches of one message

    void hello(final int protocolVersion)
    {
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(frame, 2, header).protocolVersion(protocolVersion).applicationVersion(1)
            .putIdentity(IDENTITY, 0, IDENTITY.length);
        hello.nonce().high(NONCE_HIGH).low(NONCE_LOW);
        send(TrunkMessages.CONTROL_STREAM_ID, one(hello.encodedLength()));
    }

    void proof(final byte[] credentials)
    {
        final ProofEncoder proof = new ProofEncoder();
        proof.wrapAndApplyHeader(frame, 2, header).putCredentials(credentials, 0, credentials.length);
        send(TrunkMessages.CONTROL_STREAM_ID, one(proof.encodedLength()));
    }

    void resume(final long id, final long high, final long low)
    {
        final ResumeEncoder resume = new ResumeEncoder();
        final byte[] proof = rightProof();
        resume.wrapAndApplyHeader(frame, 2, header).trunkId(id);
        resume.resumeToken().high(high).low(low);
        resume.putCredentials(proof, 0, proof.length);
        send(TrunkMessages.CONTROL_STREAM_ID, one(resume.encodedLength()));
    }

    void keepalive()
    {
        final KeepaliveEncoder keepalive = new KeepaliveEncoder();
        keepalive.wrapAndApplyHeader(frame, 2, header).clientTimeNs(1).roundTripNs(1);
        send(TrunkMessages.CONTROL_STREAM_ID, one(keepalive.encodedLength()));
    }

    void goodbye(final TrunkCode code)
    {
        final GoodbyeEncoder goodbye = new GoodbyeEncoder();
        goodbye.wrapAndApplyHeader(frame, 2, header).code(code);
        send(TrunkMessages.CONTROL_STREAM_ID, one(goodbye.encodedLength()));
    }

    void logIn(final long requestId, final byte[] credentials)
    {
        final LogInEncoder logIn = new LogInEncoder();
        logIn.wrapAndApplyHeader(frame, 2, header).requestId(requestId)
            .putCredentials(credentials, 0, credentials.length);
        send(TrunkMessages.CONTROL_STREAM_ID, one(logIn.encodedLength()));
    }

    void attach(final int loop, final long id, final long token)
    {
        final AttachEncoder attach = new AttachEncoder();
        attach.wrapAndApplyHeader(frame, 2, header).trunkId(id).attachToken(token)
            .isAcceptedWanted((short)(isAcceptedWanted ? 1 : 0));
        send(TrunkMessages.loopStreamId(loop), one(attach.encodedLength()));
    }

    void join(final int loop, final long requestId, final long roomId, final long playerId, final byte[] token)
    {
        final JoinEncoder join = new JoinEncoder();
        join.wrapAndApplyHeader(frame, 2, header).requestId(requestId).roomId(roomId).playerId(playerId)
            .isSpectator((short)0).putToken(token, 0, token.length).putArgs(token, 0, 0);
        send(TrunkMessages.loopStreamId(loop), one(join.encodedLength()));
    }

    void leave(final int loop, final long roomId, final int seatIndex, final int generation)
    {
        final LeaveEncoder leave = new LeaveEncoder();
        leave.wrapAndApplyHeader(frame, 2, header).roomId(roomId).seatIndex(seatIndex).generation(generation);
        send(TrunkMessages.loopStreamId(loop), one(leave.encodedLength()));
    }

    void sendMessage(
        final int loop,
        final long roomId,
        final int seatIndex,
        final int generation,
        final long sequence,
        final byte[] payload)
    {
        begin();
        add(roomId, seatIndex, generation, sequence, payload);
        end(loop);
    }

    // A batch of many

    void begin()
    {
        frameLength = 0;
    }

    void add(
        final long roomId, final int seatIndex, final int generation, final long sequence, final byte[] payload)
    {
        addAll(roomId, seatIndex, generation, payload, sequence);
    }

    /** One Send, with a message for each of the sequences. */
    void addAll(
        final long roomId, final int seatIndex, final int generation, final byte[] payload, final long... sequences)
    {
        final SendEncoder send = new SendEncoder();
        send.wrapAndApplyHeader(frame, frameLength + 2, header).roomId(roomId);
        final SendEncoder.MessagesEncoder messages = send.messagesCount(sequences.length);
        for (final long sequence : sequences)
        {
            messages.next().sequence(sequence).seatIndex(seatIndex).generation(generation)
                .putPayload(payload, 0, payload.length);
        }
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + send.encodedLength();
        frame.putShort(frameLength, (short)length, ByteOrder.LITTLE_ENDIAN);
        frameLength += 2 + length;
    }

    void end(final int loop)
    {
        send(TrunkMessages.loopStreamId(loop), frameLength);
    }

    byte[] frame()
    {
        final byte[] bytes = new byte[frameLength];
        frame.getBytes(0, bytes);
        return bytes;
    }

    void sendBytes(final int streamId, final byte[] bytes)
    {
        frame.putBytes(0, bytes);
        send(streamId, bytes.length);
    }

    /** Whether the engine still reads the stream. */
    boolean isConnected(final int streamId)
    {
        return streamByIdMap.get(streamId).publication().isConnected();
    }

    boolean trySendBytes(final int streamId, final byte[] bytes)
    {
        frame.putBytes(0, bytes);
        return streamByIdMap.get(streamId).publication().offer(frame, 0, bytes.length) > 0;
    }

    @Override
    public void close()
    {
        host.close();
    }

    private int one(final int bodyLength)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
        frame.putShort(0, (short)length, ByteOrder.LITTLE_ENDIAN);
        return 2 + length;
    }

    private void send(final int streamId, final int length)
    {
        final ExclusivePublication publication = streamByIdMap.get(streamId).publication();
        engine.await("room to send", this::poll, () -> publication.offer(frame, 0, length) > 0);
    }

    private void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        int at = offset;
        while (at < offset + length && !TrunkMessages.isPadding(buffer, at, offset + length))
        {
            final byte[] message = new byte[RoomMessage.entrySize(buffer, at) - 2];
            buffer.getBytes(at + 2, message);
            messages.add(message);
            if (RoomMessage.isAt(buffer, at, offset + length))
            {
                received.add("Event");
            }
            else
            {
                onMessage(buffer, at + 2);
            }
            at += 2 + message.length;
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset)
    {
        headerDecoder.wrap(buffer, offset);
        received.add(switch (headerDecoder.templateId())
        {
            case ChallengeDecoder.TEMPLATE_ID ->
            {
                final ChallengeDecoder challenge = new ChallengeDecoder();
                challenge.wrapAndApplyHeader(buffer, offset, headerDecoder);
                serverHigh = challenge.nonce().high();
                serverLow = challenge.nonce().low();
                yield "Challenge";
            }
            case WelcomeDecoder.TEMPLATE_ID ->
            {
                final WelcomeDecoder welcome = new WelcomeDecoder();
                welcome.wrapAndApplyHeader(buffer, offset, headerDecoder);
                trunkId = welcome.trunkId();
                attachToken = welcome.attachToken();
                resumeHigh = welcome.resumeToken().high();
                resumeLow = welcome.resumeToken().low();
                yield "Welcome " + (0 != welcome.isResumed());
            }
            case LogInReplyDecoder.TEMPLATE_ID ->
            {
                final LogInReplyDecoder reply = new LogInReplyDecoder();
                reply.wrapAndApplyHeader(buffer, offset, headerDecoder);
                final int status = reply.status();
                final byte[] token = new byte[reply.tokenLength()];
                reply.getToken(token, 0, token.length);
                tokens.add(token);
                yield "LogInReply " + status;
            }
            case RejectDecoder.TEMPLATE_ID -> "Reject " +
                new RejectDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).code();
            case AttachedDecoder.TEMPLATE_ID -> "Attached " +
                new AttachedDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).loop();
            case EntryRefusedDecoder.TEMPLATE_ID -> "EntryRefused " +
                new EntryRefusedDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).code();
            case RefusedDecoder.TEMPLATE_ID -> "Refused " +
                new RefusedDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).code();
            case GoodbyeDecoder.TEMPLATE_ID -> "Goodbye " +
                new GoodbyeDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).code();
            case JoinedDecoder.TEMPLATE_ID ->
            {
                final JoinedDecoder joined = new JoinedDecoder();
                joined.wrapAndApplyHeader(buffer, offset, headerDecoder);
                yield "Joined " + joined.seatIndex() + "." + joined.generation() + " at " + joined.sequence();
            }
            default -> "template " + headerDecoder.templateId();
        });
    }
}
