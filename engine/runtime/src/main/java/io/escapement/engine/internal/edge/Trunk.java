package io.escapement.engine.internal.edge;

import io.escapement.engine.monitor.TrunkReport;
import io.escapement.engine.spi.Authenticator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The engine's object of one authenticated client. It outlives the client's connections. */
final class Trunk
{
    /**
     * Transitions:
     * <pre>
     *   UP    connection gone, keepalive late, replaced,
     *         slow consumer                               LOST
     *   LOST  Resume                                      UP
     *   UP    Goodbye, engine stops                       ENDED
     *   LOST  grace over, engine stops                    ENDED
     * </pre>
     */
    enum State
    {
        /** Bound to a control stream. */
        UP,
        /** Its seats are held. It can be resumed. */
        LOST,
        /** Cannot be resumed. Its link number is reused when every loop has released its publication. */
        ENDED
    }

    /** Codes with separate counts, for operators. */
    private static final int REFUSED_CODES = 8;

    private final long id;
    private final int link;
    /** Null for a trunk of the last incarnation, until it is resumed: its tokens name it. */
    private byte[] identity;
    private Authenticator.Verdict verdict;
    private final IngressStream[] streams;
    /** Loops to which the trunk was attached before: the next attachment is a resume. */
    private final boolean[] isKnownToLoop;
    private final Permits logIns = new Permits(LogIns.PER_TRUNK);
    private State state = State.LOST;
    private long resumeHigh;
    private long resumeLow;
    private long attachToken;
    private long lastActivityNs;
    /** As the client of the last connection measured it, 0 before. */
    private long roundTripNs;
    private long lostNs;
    private ControlStream control;
    /** Number of the last connection: each has other tokens. */
    private int connections;
    private long entries;
    private long refused;
    private final int[] refusedCodes = new int[REFUSED_CODES];
    private final long[] refusedByCode = new long[REFUSED_CODES];

    Trunk(
        final long id,
        final int link,
        final byte[] identity,
        final Authenticator.Verdict verdict,
        final int loops)
    {
        this.id = id;
        this.link = link;
        this.identity = identity;
        this.verdict = verdict;
        streams = new IngressStream[loops];
        isKnownToLoop = new boolean[loops];
    }

    /** A trunk of the last incarnation: LOST, from the start of this engine. */
    static Trunk inherited(final EdgeContext.HeldTrunk held, final int loops, final long nowNs)
    {
        final Trunk trunk = new Trunk(held.id(), held.link(), null, Authenticator.Verdict.ACCEPTED, loops);
        for (int loop = 0; loop < loops; loop++)
        {
            trunk.isKnownToLoop[loop] = held.loops().get(loop);
        }
        trunk.lostNs = nowNs;
        return trunk;
    }

    /** Whether it is of the last incarnation and was not resumed. */
    boolean isInherited()
    {
        return null == identity;
    }

    /** The client of an inherited trunk has returned. */
    void adopt(final byte[] newIdentity, final Authenticator.Verdict newVerdict, final int lastConnection)
    {
        identity = newIdentity;
        verdict = newVerdict;
        connections = lastConnection;
    }

    long id()
    {
        return id;
    }

    /** The trunk's number in every loop. */
    int link()
    {
        return link;
    }

    boolean isTrusted()
    {
        return verdict.isTrusted();
    }

    /** Whether it may receive feeds. */
    boolean isFed()
    {
        return verdict.isFed();
    }

    int loops()
    {
        return streams.length;
    }

    Permits logIns()
    {
        return logIns;
    }

    State state()
    {
        return state;
    }

    boolean isUp()
    {
        return State.UP == state;
    }

    /** The control stream while UP, otherwise null. */
    ControlStream control()
    {
        return control;
    }

    long resumeHigh()
    {
        return resumeHigh;
    }

    long resumeLow()
    {
        return resumeLow;
    }

    long attachToken()
    {
        return attachToken;
    }

    /** Bind to a control stream, with fresh tokens: the tokens of the last connection are void. */
    void connect(final ControlStream newControl, final TokenKeys keys, final long nowNs)
    {
        final Tokens tokens = keys.ofConnection(id, ++connections, identity);
        state = State.UP;
        control = newControl;
        lastActivityNs = nowNs;
        roundTripNs = 0;
        resumeHigh = tokens.resumeHigh();
        resumeLow = tokens.resumeLow();
        attachToken = tokens.attach();
    }

    void lose(final long nowNs)
    {
        state = State.LOST;
        control = null;
        lostNs = nowNs;
    }

    void end()
    {
        state = State.ENDED;
        control = null;
    }

    void onActivity(final long nowNs)
    {
        lastActivityNs = nowNs;
    }

    /** Any number of a client. */
    void onRoundTrip(final long ns)
    {
        roundTripNs = Math.max(0, ns);
    }

    boolean isSilent(final long nowNs, final long timeoutNs)
    {
        return State.UP == state && nowNs - lastActivityNs > timeoutNs;
    }

    boolean isGraceOver(final long nowNs, final long graceNs)
    {
        return State.LOST == state && nowNs - lostNs > graceNs;
    }

    boolean matches(final TokenKeys keys, final long high, final long low, final byte[] claimedIdentity)
    {
        return isInherited() ? keys.isResumeToken(id, high, low, claimedIdentity) :
            0 == (resumeHigh ^ high | resumeLow ^ low) && Arrays.equals(identity, claimedIdentity);
    }

    /** Whether an attach token belongs to the present connection. */
    boolean isAttachToken(final long token)
    {
        return 0 == (attachToken ^ token);
    }

    /** The stream that is attached to a loop, or being attached. Otherwise null. */
    IngressStream stream(final int loop)
    {
        return streams[loop];
    }

    void bind(final IngressStream stream)
    {
        streams[stream.loop()] = stream;
    }

    void unbind(final IngressStream stream)
    {
        if (streams[stream.loop()] == stream)
        {
            streams[stream.loop()] = null;
        }
    }

    /** Entries have arrived, refused ones included. */
    void onEntries(final int count)
    {
        entries += count;
    }

    void onRefused(final int code)
    {
        refused++;
        for (int i = 0; i < REFUSED_CODES; i++)
        {
            if (0 == refusedByCode[i] || code == refusedCodes[i])
            {
                refusedCodes[i] = code;
                refusedByCode[i]++;
                return;
            }
        }
    }

    private Map<Integer, Long> refusedByCode()
    {
        final Map<Integer, Long> map = new TreeMap<>();
        for (int i = 0; i < REFUSED_CODES && 0 != refusedByCode[i]; i++)
        {
            map.put(refusedCodes[i], refusedByCode[i]);
        }
        return map;
    }

    TrunkReport report(final long nowNs)
    {
        int attached = 0;
        long received = 0;
        for (final IngressStream stream : streams)
        {
            if (null != stream)
            {
                attached++;
                received += stream.image().position();
            }
        }
        // A client may prove an identity of any bytes.
        return new TrunkReport(link, id, null == identity ? "" : new String(identity, StandardCharsets.UTF_8),
            null == control ? "" : control.source(), isUp(), attached, logIns.held(),
            nowNs - (isUp() ? lastActivityNs : lostNs), roundTripNs, received, entries, refused, refusedByCode());
    }

    boolean isKnownToLoop(final int loop)
    {
        return isKnownToLoop[loop];
    }

    void onOffered(final int loop)
    {
        isKnownToLoop[loop] = true;
    }

    /** Secrets of one connection of a trunk. */
    record Tokens(long resumeHigh, long resumeLow, long attach)
    {
    }
}
