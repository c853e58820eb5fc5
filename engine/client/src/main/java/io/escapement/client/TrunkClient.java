package io.escapement.client;

import io.aeron.logbuffer.Header;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AttachEncoder;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.JoinEncoder;
import io.escapement.codecs.trunk.KeepaliveEncoder;
import io.escapement.codecs.trunk.KeepaliveReplyDecoder;
import io.escapement.codecs.trunk.LeaveEncoder;
import io.escapement.codecs.trunk.LogInEncoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.ProofEncoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.ResumeEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.security.SecureRandom;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * A trunk to an engine. It has no thread: poll it often, from one thread, and everything happens there. Nothing waits;
 * what cannot be sent now is said so. Many trunks may share an Aeron client, so its conductor, if it is to be invoked,
 * is for the caller to invoke, in that thread and once for all of them.
 */
public final class TrunkClient implements AutoCloseable
{
    /** How far the trunk has come. */
    public enum State
    {
        /** The way to the engine is being made. */
        CONNECTING,
        /** Hello was said. */
        GREETED,
        /** The challenge was answered. */
        PROVEN,
        /** Seats can be had. */
        UP,
        /** Over. What its seats were may go on with a new client and this one's ticket. */
        DOWN
    }

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int NO_CODE = 0;
    private static final long HOUSEKEEPING_NS = 200_000;
    private static final long ATTACH_AGAIN_NS = 500_000_000;
    private static final int NOT_CLAIMED = -1;
    private static final int CONTROL = -1;

    private final TrunkContext context;
    private final TrunkListener listener;
    private final NanoClock clock;
    private final ClientSeats seats = new ClientSeats();
    private final Delivery delivery;
    private final LoopStream control;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final AttachEncoder attach = new AttachEncoder();
    private final JoinEncoder join = new JoinEncoder();
    private final LeaveEncoder leave = new LeaveEncoder();
    private final KeepaliveEncoder keepalive = new KeepaliveEncoder();
    private final long nonceHigh;
    private final long nonceLow;
    private final long startedNs;
    private State state = State.CONNECTING;
    private LoopStream[] loops = {};
    private ResumeTicket ticket;
    private long trunkId;
    private long attachToken;
    private long keepaliveNs;
    private long keepaliveSentNs;
    private long housekeptNs;
    private long heardNs;
    private long roundTripNs;
    private long serverOffsetNs;
    private int maxBatchEntries;
    private boolean isTrusted;

    private TrunkClient(final TrunkContext context)
    {
        this.context = context.conclude();
        listener = context.listener();
        clock = context.clock();
        delivery = new Delivery(seats, listener);
        final SecureRandom random = new SecureRandom();
        nonceHigh = random.nextLong();
        nonceLow = random.nextLong();
        startedNs = clock.nanoTime();
        heardNs = startedNs;
        control = new LoopStream(CONTROL, TrunkMessages.CONTROL_STREAM_ID, context, this::onControlFrame);
    }

    /**
     * Begin to make a trunk. Poll it until it is {@link State#UP}.
     *
     * @param context what to connect to, and as whom.
     * @return the client.
     */
    public static TrunkClient connect(final TrunkContext context)
    {
        return new TrunkClient(context);
    }

    /**
     * Take what has come, send what waits, and go on with what is under way.
     *
     * @return how much was done.
     */
    public int poll()
    {
        int work = 0;
        for (final LoopStream loop : loops)
        {
            if (null != loop)
            {
                work += loop.poll();
            }
        }
        final long nowNs = clock.nanoTime();
        if (nowNs - housekeptNs >= HOUSEKEEPING_NS)
        {
            housekeptNs = nowNs;
            if (State.DOWN != state)
            {
                work += control.poll();
            }
            if (State.DOWN != state)
            {
                work += goOn(nowNs);
            }
        }
        if (State.UP == state)
        {
            flush();
        }
        return work;
    }

    /**
     * How far the trunk has come.
     *
     * @return the state.
     */
    public State state()
    {
        return state;
    }

    /**
     * What it takes to go on after a break.
     *
     * @return the ticket, or null before the trunk was up.
     */
    public ResumeTicket ticket()
    {
        return ticket;
    }

    /**
     * The trunk's id at the engine.
     *
     * @return the id, 0 before the trunk was up.
     */
    public long trunkId()
    {
        return trunkId;
    }

    /**
     * Whether players may join without tokens.
     *
     * @return what the engine said.
     */
    public boolean isTrusted()
    {
        return isTrusted;
    }

    /**
     * From a keepalive to its answer, the last one.
     *
     * @return nanoseconds, 0 when none was answered yet.
     */
    public long roundTripNs()
    {
        return roundTripNs;
    }

    /**
     * Engine time now, as far as it can be told from here.
     *
     * @return nanoseconds.
     */
    public long serverTimeNs()
    {
        return clock.nanoTime() + serverOffsetNs;
    }

    /**
     * Frames from the engine that could not be read to their end.
     *
     * @return how many.
     */
    public long malformedFrames()
    {
        return delivery.malformed();
    }

    /**
     * The seats that players of this trunk have.
     *
     * @return them, in a new list.
     */
    public Iterable<ClientSeat> seats()
    {
        return seats.all();
    }

    /**
     * Log a player in, over the control stream.
     *
     * @param requestId   echoed in the answer.
     * @param credentials for the engine's log-in service.
     * @return what became of it.
     */
    public SendStatus logIn(final long requestId, final byte[] credentials)
    {
        if (credentials.length > TrunkMessages.MAX_LOG_IN_LENGTH)
        {
            return SendStatus.TOO_LONG;
        }
        if (State.UP != state)
        {
            return SendStatus.NOT_READY;
        }
        final int length = HEADER_LENGTH + LogInEncoder.BLOCK_LENGTH +
            LogInEncoder.credentialsHeaderLength() + credentials.length;
        final int at = control.claim(length, maxBatchEntries);
        if (NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        new LogInEncoder().wrapAndApplyHeader(control.frame(), at, header)
            .requestId(requestId).putCredentials(credentials, 0, credentials.length);
        control.flush();
        return SendStatus.SENT;
    }

    /**
     * Ask for a seat.
     *
     * @param requestId  echoed in the answer.
     * @param roomId     the room.
     * @param playerId   the player.
     * @param token      of the player's log-in; empty on a trusted trunk.
     * @param args       buffer with what the room's logic wants to know.
     * @param argsOffset where it begins.
     * @param argsLength its length.
     * @return what became of it.
     */
    public SendStatus join(
        final long requestId,
        final long roomId,
        final long playerId,
        final byte[] token,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        if (argsLength > TrunkMessages.MAX_PAYLOAD_LENGTH || token.length > TrunkMessages.MAX_TOKEN_LENGTH)
        {
            return SendStatus.TOO_LONG;
        }
        final LoopStream loop = attached(TrunkMessages.loopOf(roomId));
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int length = HEADER_LENGTH + JoinEncoder.BLOCK_LENGTH + JoinEncoder.tokenHeaderLength() + token.length +
            JoinEncoder.argsHeaderLength() + argsLength;
        final int at = loop.claim(length, maxBatchEntries);
        if (NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        join.wrapAndApplyHeader(loop.frame(), at, header).requestId(requestId).roomId(roomId).playerId(playerId)
            .putToken(token, 0, token.length).putArgs(args, argsOffset, argsLength);
        return SendStatus.SENT;
    }

    /**
     * Give a seat back.
     *
     * @param seat to leave.
     * @return what became of it.
     */
    public SendStatus leave(final ClientSeat seat)
    {
        final LoopStream loop = attached(seat.loop);
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.claim(HEADER_LENGTH + LeaveEncoder.BLOCK_LENGTH, maxBatchEntries);
        if (NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        leave.wrapAndApplyHeader(loop.frame(), at, header)
            .roomId(seat.roomId).seatIndex(seat.index).generation(seat.generation);
        return SendStatus.SENT;
    }

    /**
     * Send a player's message to its room. It leaves with the next {@link #flush()} or {@link #poll()}, together with
     * others for the same loop.
     *
     * @param seat   that sends.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     * @return what became of it.
     */
    public SendStatus send(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > TrunkMessages.MAX_PAYLOAD_LENGTH)
        {
            return SendStatus.TOO_LONG;
        }
        final LoopStream loop = attached(seat.loop);
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final SendEncoder.MessagesEncoder message = loop.claimMessage(seat.roomId, length, maxBatchEntries);
        if (null == message)
        {
            return SendStatus.BACK_PRESSURED;
        }
        message.sequence(++seat.sequence).seatIndex(seat.index).generation(seat.generation)
            .putPayload(buffer, offset, length);
        return SendStatus.SENT;
    }

    /**
     * Let the frames go that wait to be filled.
     *
     * @return whether all of them went.
     */
    public boolean flush()
    {
        boolean isAll = true;
        for (final LoopStream loop : loops)
        {
            isAll &= null == loop || !loop.isAttached || loop.flush();
        }
        return isAll;
    }

    /** Say goodbye, if there is someone to hear it, and close everything. */
    @Override
    public void close()
    {
        if (State.UP == state)
        {
            final int at = control.claim(HEADER_LENGTH + GoodbyeEncoder.BLOCK_LENGTH, maxBatchEntries);
            if (NOT_CLAIMED != at)
            {
                new GoodbyeEncoder().wrapAndApplyHeader(control.frame(), at, header)
                    .code(TrunkCode.CLOSED_BY_PEER);
                flush();
                control.flush();
            }
        }
        abandon();
    }

    /** Close everything without a word, as if the connection broke. The trunk can be resumed. */
    public void abandon()
    {
        state = State.DOWN;
        CloseHelper.quietClose(control);
        CloseHelper.quietCloseAll(loops);
    }

    private int goOn(final long nowNs)
    {
        if (State.CONNECTING == state)
        {
            if (control.isConnected())
            {
                greet();
            }
        }
        else if (!control.isHeard() && State.GREETED != state)
        {
            down(NO_CODE);
            return 1;
        }
        if (State.UP != state)
        {
            if (State.CONNECTING != state)
            {
                control.flush();
            }
            if (nowNs - startedNs > context.connectTimeoutNs())
            {
                down(TrunkCode.HANDSHAKE_TIMEOUT.value());
            }
            return 0;
        }
        if (nowNs - heardNs > 3 * keepaliveNs)
        {
            down(TrunkCode.KEEPALIVE_LATE.value());
            return 1;
        }
        if (nowNs - keepaliveSentNs > keepaliveNs / 2)
        {
            keepalive(nowNs);
        }
        for (final LoopStream loop : loops)
        {
            if (null != loop && !loop.isAttached)
            {
                attach(loop, nowNs);
            }
        }
        control.flush();
        return 0;
    }

    /** Say hello, and say it once: what did not go at the first try is still in the frame. */
    private void greet()
    {
        if (control.isEmpty())
        {
            hello();
        }
        if (control.flush())
        {
            state = State.GREETED;
        }
    }

    private void hello()
    {
        final byte[] identity = context.identity();
        final int length = HEADER_LENGTH + HelloEncoder.BLOCK_LENGTH + HelloEncoder.identityHeaderLength() +
            identity.length;
        final HelloEncoder hello =
            new HelloEncoder().wrapAndApplyHeader(control.frame(), control.claim(length, 1), header);
        hello.nonce().high(nonceHigh).low(nonceLow);
        hello.protocolVersion(TrunkMessages.PROTOCOL_VERSION).applicationVersion(context.applicationVersion())
            .putIdentity(identity, 0, identity.length);
    }

    private void onChallenge(final long serverHigh, final long serverLow)
    {
        final byte[] credentials =
            context.credentials().answer(nonceHigh, nonceLow, serverHigh, serverLow, context.identity());
        final ResumeTicket resume = context.ticket();
        if (null == resume)
        {
            final int length = HEADER_LENGTH + ProofEncoder.BLOCK_LENGTH + ProofEncoder.credentialsHeaderLength() +
                credentials.length;
            new ProofEncoder().wrapAndApplyHeader(control.frame(), control.claim(length, 1), header)
                .putCredentials(credentials, 0, credentials.length);
        }
        else
        {
            final int length = HEADER_LENGTH + ResumeEncoder.BLOCK_LENGTH + ResumeEncoder.credentialsHeaderLength() +
                credentials.length;
            final ResumeEncoder encoder =
                new ResumeEncoder().wrapAndApplyHeader(control.frame(), control.claim(length, 1), header);
            encoder.trunkId(resume.trunkId()).resumeToken().high(resume.tokenHigh()).low(resume.tokenLow());
            encoder.putCredentials(credentials, 0, credentials.length);
        }
        control.flush();
        state = State.PROVEN;
    }

    private void onWelcome(final WelcomeDecoder welcome)
    {
        trunkId = welcome.trunkId();
        ticket = new ResumeTicket(trunkId, welcome.resumeToken().high(), welcome.resumeToken().low());
        attachToken = welcome.attachToken();
        keepaliveNs = welcome.keepaliveNs();
        maxBatchEntries = welcome.maxBatchEntries();
        isTrusted = 1 == welcome.isTrusted();
        serverOffsetNs = welcome.serverTimeNs() - clock.nanoTime();
        loops = new LoopStream[welcome.loops()];
        state = State.UP;
        final boolean isResumed = 1 == welcome.isResumed();
        if (isResumed)
        {
            // The seats may be on any of them.
            for (int i = 0; i < loops.length; i++)
            {
                attached(i);
            }
        }
        listener.onUp(isResumed);
    }

    private void keepalive(final long nowNs)
    {
        final int at = control.claim(HEADER_LENGTH + KeepaliveEncoder.BLOCK_LENGTH, maxBatchEntries);
        if (NOT_CLAIMED != at)
        {
            keepalive.wrapAndApplyHeader(control.frame(), at, header).clientTimeNs(nowNs);
            keepaliveSentNs = nowNs;
        }
    }

    /** The stream of a loop when the engine takes entries on it; it is opened when it is first asked for. */
    private LoopStream attached(final int index)
    {
        if (State.UP != state || index >= loops.length)
        {
            return null;
        }
        final LoopStream loop = loops[index];
        if (null == loop)
        {
            loops[index] = new LoopStream(index, TrunkMessages.loopStreamId(index), context, delivery);
            return null;
        }
        return loop.isAttached ? loop : null;
    }

    private void attach(final LoopStream loop, final long nowNs)
    {
        final boolean isDue = 0 == loop.attachSentNs || nowNs - loop.attachSentNs > ATTACH_AGAIN_NS;
        if (isDue && loop.isConnected())
        {
            final int at = loop.claim(HEADER_LENGTH + AttachEncoder.BLOCK_LENGTH, 1);
            if (NOT_CLAIMED != at)
            {
                attach.wrapAndApplyHeader(loop.frame(), at, header).trunkId(trunkId).attachToken(attachToken);
                loop.attachSentNs = loop.flush() ? nowNs : 0;
            }
        }
    }

    private void down(final int code)
    {
        abandon();
        for (final ClientSeat seat : seats.all())
        {
            seat.isPresent = false;
        }
        listener.onDown(code);
    }

    private void onControlFrame(final DirectBuffer buffer, final int offset, final int length, final Header frame)
    {
        heardNs = clock.nanoTime();
        final int end = offset + length;
        int at = offset;
        while (at < end && State.DOWN != state)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, end);
            if (entryLength < 0)
            {
                return;
            }
            onControlMessage(buffer, at + TrunkMessages.ENTRY_HEADER_LENGTH);
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
    }

    private void onControlMessage(final DirectBuffer buffer, final int offset)
    {
        switch (SchemaRules.templateId(buffer, offset))
        {
            case ChallengeDecoder.TEMPLATE_ID ->
            {
                final ChallengeDecoder challenge = new ChallengeDecoder();
                challenge.wrapAndApplyHeader(buffer, offset, headerDecoder);
                onChallenge(challenge.nonce().high(), challenge.nonce().low());
            }
            case WelcomeDecoder.TEMPLATE_ID ->
                onWelcome(new WelcomeDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder));
            case RejectDecoder.TEMPLATE_ID ->
                down(new RejectDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).code());
            case GoodbyeDecoder.TEMPLATE_ID ->
                down(new GoodbyeDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).code().value());
            case AttachedDecoder.TEMPLATE_ID ->
            {
                final int loop = new AttachedDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder).loop();
                if (loop < loops.length && null != loops[loop])
                {
                    loops[loop].isAttached = true;
                }
            }
            case LogInReplyDecoder.TEMPLATE_ID -> onLogInReply(buffer, offset);
            case KeepaliveReplyDecoder.TEMPLATE_ID ->
            {
                final KeepaliveReplyDecoder reply = new KeepaliveReplyDecoder();
                reply.wrapAndApplyHeader(buffer, offset, headerDecoder);
                final long nowNs = clock.nanoTime();
                roundTripNs = nowNs - reply.clientTimeNs();
                serverOffsetNs = reply.serverTimeNs() + roundTripNs / 2 - nowNs;
            }
            case EntryRefusedDecoder.TEMPLATE_ID ->
            {
                final EntryRefusedDecoder refused = new EntryRefusedDecoder();
                refused.wrapAndApplyHeader(buffer, offset, headerDecoder);
                listener.onRefused(refused.templateId(), refused.roomId(), refused.reference(), refused.code());
            }
            default ->
            {
            }
        }
    }

    private void onLogInReply(final DirectBuffer buffer, final int offset)
    {
        final LogInReplyDecoder reply = new LogInReplyDecoder().wrapAndApplyHeader(buffer, offset, headerDecoder);
        final byte[] token = new byte[reply.tokenLength()];
        reply.getToken(token, 0, token.length);
        listener.onLogIn(reply.requestId(), reply.status(), reply.playerId(), token);
    }
}
