package io.escapement.client;

import io.aeron.Aeron;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.TrunkProof;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/** What a trunk connects to, and as whom. */
public final class TrunkContext
{
    /** Answers the engine's challenge. */
    @FunctionalInterface
    public interface Credentials
    {
        /**
         * Answer.
         *
         * @param clientHigh first half of the client's nonce.
         * @param clientLow  second half of the client's nonce.
         * @param serverHigh first half of the engine's nonce.
         * @param serverLow  second half of the engine's nonce.
         * @param identity   of this trunk.
         * @return the credentials.
         */
        byte[] answer(long clientHigh, long clientLow, long serverHigh, long serverLow, byte[] identity);
    }

    private static final int DEFAULT_TERM_LENGTH = 256 * 1_024;
    private static final int DEFAULT_WINDOW = 128 * 1_024;

    private Aeron aeron;
    private String endpoint;
    private String responseEndpoint;
    private boolean isIpc;
    private int termLength = DEFAULT_TERM_LENGTH;
    private int receiveWindow = DEFAULT_WINDOW;
    private byte[] identity = {};
    private int applicationVersion;
    private Credentials credentials;
    private ResumeTicket ticket;
    private TrunkListener listener = new TrunkListener()
    {
    };
    private long connectTimeoutNs = TimeUnit.SECONDS.toNanos(5);
    private NanoClock clock = SystemNanoClock.INSTANCE;

    /**
     * The Aeron client, the caller's own. When its conductor is to be invoked, the caller does it, and as often as it
     * polls: without that no trunk comes up.
     *
     * @param value the client.
     * @return this.
     */
    public TrunkContext aeron(final Aeron value)
    {
        aeron = value;
        return this;
    }

    /**
     * Go over UDP.
     *
     * @param ingress  the engine's endpoint, host:port.
     * @param response where its ways back start, host:port.
     * @return this.
     */
    public TrunkContext udp(final String ingress, final String response)
    {
        endpoint = ingress;
        responseEndpoint = response;
        isIpc = false;
        return this;
    }

    /**
     * Go over shared memory, to an engine that uses the same media driver.
     *
     * @return this.
     */
    public TrunkContext ipc()
    {
        isIpc = true;
        return this;
    }

    /**
     * Length of the terms to the engine, 256 KiB unless set. More lets more wait when the engine is slow.
     *
     * @param bytes a power of two, from 64 KiB.
     * @return this.
     */
    public TrunkContext termLength(final int bytes)
    {
        termLength = bytes;
        return this;
    }

    /**
     * How much the engine may send ahead, 128 KiB unless set. All windows of a socket should fit its buffer.
     *
     * @param bytes of the window.
     * @return this.
     */
    public TrunkContext receiveWindow(final int bytes)
    {
        receiveWindow = bytes;
        return this;
    }

    /**
     * Who this is, for the engine's authenticator.
     *
     * @param value a name.
     * @return this.
     */
    public TrunkContext identity(final String value)
    {
        identity = value.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    /**
     * The application's own version, for the engine's authenticator.
     *
     * @param value any number.
     * @return this.
     */
    public TrunkContext applicationVersion(final int value)
    {
        applicationVersion = value;
        return this;
    }

    /**
     * Prove by a secret that both ends know.
     *
     * @param value at least 16 bytes.
     * @return this.
     */
    public TrunkContext secret(final byte[] value)
    {
        final TrunkProof proof = new TrunkProof(value);
        credentials = proof::of;
        return this;
    }

    /**
     * Prove in a way that the engine's authenticator understands.
     *
     * @param value answers challenges.
     * @return this.
     */
    public TrunkContext credentials(final Credentials value)
    {
        credentials = value;
        return this;
    }

    /**
     * Go on with a trunk that was lost.
     *
     * @param value its ticket, or null for a new trunk.
     * @return this.
     */
    public TrunkContext ticket(final ResumeTicket value)
    {
        ticket = value;
        return this;
    }

    /**
     * Who hears what comes.
     *
     * @param value the listener.
     * @return this.
     */
    public TrunkContext listener(final TrunkListener value)
    {
        listener = value;
        return this;
    }

    /**
     * How long connecting may take, 5 s unless set.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public TrunkContext connectTimeoutNs(final long ns)
    {
        connectTimeoutNs = ns;
        return this;
    }

    /**
     * The clock.
     *
     * @param value to read.
     * @return this.
     */
    public TrunkContext clock(final NanoClock value)
    {
        clock = value;
        return this;
    }

    TrunkContext conclude()
    {
        if (null == aeron)
        {
            throw new IllegalStateException("aeron is not set");
        }
        if (!isIpc && (null == endpoint || null == responseEndpoint))
        {
            throw new IllegalStateException("neither udp nor ipc is set");
        }
        if (null == credentials)
        {
            throw new IllegalStateException("neither secret nor credentials are set");
        }
        if (identity.length > TrunkMessages.MAX_IDENTITY_LENGTH)
        {
            throw new IllegalStateException("identity has more than " + TrunkMessages.MAX_IDENTITY_LENGTH + " bytes");
        }
        return this;
    }

    String responseChannel()
    {
        return isIpc ?
            "aeron:ipc?control-mode=response|rejoin=false" :
            "aeron:udp?control-mode=response|control=" + responseEndpoint + "|rejoin=false|rcv-wnd=" + receiveWindow;
    }

    String ingressChannel(final long responseId)
    {
        return (isIpc ? "aeron:ipc?" : "aeron:udp?endpoint=" + endpoint + "|") +
            "term-length=" + termLength + "|response-correlation-id=" + responseId;
    }

    Aeron aeron()
    {
        return aeron;
    }

    byte[] identity()
    {
        return identity;
    }

    int applicationVersion()
    {
        return applicationVersion;
    }

    Credentials credentials()
    {
        return credentials;
    }

    ResumeTicket ticket()
    {
        return ticket;
    }

    TrunkListener listener()
    {
        return listener;
    }

    long connectTimeoutNs()
    {
        return connectTimeoutNs;
    }

    NanoClock clock()
    {
        return clock;
    }
}
