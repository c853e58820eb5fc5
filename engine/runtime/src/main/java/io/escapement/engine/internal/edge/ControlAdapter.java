package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.FeedDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.LogInDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.StandDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TrunkDispatcher;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/** Decodes control streams and dispatches their messages. Every message is validated before it is decoded. */
final class ControlAdapter extends TrunkDispatcher implements FragmentHandler
{
    private static final int NONE = RefusalCode.NONE.value();
    private static final int FRAGMENT_LIMIT = 4;

    private final Handshakes handshakes;
    private final Trunks trunks;
    private final LogIns logIns;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final EdgeCounters counters;
    private ControlStream control;

    ControlAdapter(
        final Handshakes handshakes,
        final Trunks trunks,
        final LogIns logIns,
        final ControlProxy proxy,
        final NanoClock clock,
        final EdgeCounters counters)
    {
        this.handshakes = handshakes;
        this.trunks = trunks;
        this.logIns = logIns;
        this.proxy = proxy;
        this.clock = clock;
        this.counters = counters;
    }

    int poll(final ControlStream from)
    {
        control = from;
        return from.poll(this, FRAGMENT_LIMIT);
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header fragment)
    {
        if (ControlStream.State.ENDING == control.state())
        {
            return;
        }
        if (!control.mayTake(length))
        {
            handshakes.onTooManyBytes(control);
            return;
        }
        if (FrameDescriptor.UNFRAGMENTED != (fragment.flags() & FrameDescriptor.UNFRAGMENTED))
        {
            counters.refused(TrunkCode.NOT_UNFRAGMENTED.value());
            return;
        }
        final int end = offset + length;
        int at = offset;
        while (at < end)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, end);
            if (entryLength < 0)
            {
                counters.refused(~entryLength);
                if (RefusalCode.UNKNOWN_VERSION.value() == ~entryLength)
                {
                    handshakes.onOtherVersion(control);
                }
                return;
            }
            onMessage(buffer, at + TrunkMessages.ENTRY_HEADER_LENGTH);
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset)
    {
        if (ControlStream.State.ENDING == control.state())
        {
            return;
        }
        control.onActivity(clock.nanoTime());
        trunks.onActivity(control);
        dispatch(buffer, offset);
    }

    @Override
    protected int refused(final int templateId)
    {
        counters.refused(TrunkCode.WRONG_STREAM.value());
        return NONE;
    }

    @Override
    protected int onProof(final ProofDecoder proof)
    {
        final byte[] credentials = new byte[proof.credentialsLength()];
        proof.getCredentials(credentials, 0, credentials.length);
        handshakes.onProof(control, credentials);
        return NONE;
    }

    @Override
    protected int onStand(final StandDecoder stand)
    {
        final byte[] credentials = new byte[stand.credentialsLength()];
        stand.getCredentials(credentials, 0, credentials.length);
        handshakes.onStand(control, credentials);
        return NONE;
    }

    @Override
    protected int onLogIn(final LogInDecoder logIn)
    {
        final long requestId = logIn.requestId();
        final byte[] credentials = new byte[logIn.credentialsLength()];
        logIn.getCredentials(credentials, 0, credentials.length);
        logIns.onLogIn(control, requestId, credentials);
        return NONE;
    }

    @Override
    protected int onGoodbye(final GoodbyeDecoder goodbye)
    {
        trunks.onGoodbye(control);
        return NONE;
    }

    @Override
    protected int onHello(final HelloDecoder hello)
    {
        final long high = hello.nonce().high();
        final long low = hello.nonce().low();
        final int protocolVersion = hello.protocolVersion();
        final int applicationVersion = hello.applicationVersion();
        final byte[] identity = new byte[hello.identityLength()];
        hello.getIdentity(identity, 0, identity.length);
        handshakes.onHello(control, protocolVersion, applicationVersion, high, low, identity);
        return NONE;
    }

    @Override
    protected int onFeed(final FeedDecoder feed)
    {
        if (null == control.trunk())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return NONE;
        }
        trunks.onFeed(control.trunk(), feed.loop(), feed.feedId(), feed.port(), 0 != feed.isOn());
        return NONE;
    }

    @Override
    protected int onKeepalive(final KeepaliveDecoder keepalive)
    {
        if (null != control.trunk())
        {
            control.trunk().onRoundTrip(keepalive.roundTripNs());
        }
        if (control.isAdmitted())
        {
            counters.countIfDropped(proxy.keepaliveReply(control, keepalive.clientTimeNs(), clock.nanoTime()));
        }
        return NONE;
    }

    @Override
    protected int onResume(final ResumeDecoder resume)
    {
        final long trunkId = resume.trunkId();
        final long high = resume.resumeToken().high();
        final long low = resume.resumeToken().low();
        final byte[] credentials = new byte[resume.credentialsLength()];
        resume.getCredentials(credentials, 0, credentials.length);
        handshakes.onResume(control, trunkId, high, low, credentials);
        return NONE;
    }
}
