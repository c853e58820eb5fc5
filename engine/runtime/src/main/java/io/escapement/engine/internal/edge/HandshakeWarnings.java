package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * Reports failed handshakes, with the likely mistake and the option to change. Each reason is reported at most once in
 * ten seconds, with the number of unreported failures, because strangers also cause failures.
 */
final class HandshakeWarnings
{
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final Consumer<String> warnings;
    private final NanoClock clock;
    private final Int2ObjectHashMap<Reason> reasonByCodeMap = new Int2ObjectHashMap<>();

    HandshakeWarnings(final Consumer<String> warnings, final NanoClock clock)
    {
        this.warnings = warnings;
        this.clock = clock;
    }

    void failed(final ControlStream control, final TrunkCode code)
    {
        final long nowNs = clock.nanoTime();
        final Reason reason = reasonByCodeMap.computeIfAbsent(code.value(), (key) -> new Reason(nowNs - INTERVAL_NS));
        if (nowNs - reason.warnedNs < INTERVAL_NS)
        {
            reason.unnamed++;
            return;
        }
        reason.warnedNs = nowNs;
        warnings.accept("a handshake of " + client(control) + " failed: " + code + ": " + remedy(control, code) +
            (0 == reason.unnamed ? "" : " (and " + reason.unnamed + " others before)"));
        reason.unnamed = 0;
    }

    private static String client(final ControlStream control)
    {
        return control.source() + (null == control.challenge() ? "" :
            ", identity \"" + printable(control.challenge().identity()) + '"');
    }

    /** A stranger's bytes must not forge lines of a log. */
    private static String printable(final byte[] identity)
    {
        return new String(identity, StandardCharsets.UTF_8).replaceAll("[^\\p{L}\\p{N}\\p{Punct} ]", "?");
    }

    private static String remedy(final ControlStream control, final TrunkCode code)
    {
        return switch (code)
        {
            case BAD_CREDENTIALS ->
                "give both sides the same secret, or the client an identity that the authenticator accepts";
            case PROTOCOL_VERSION -> "it does not speak version " + TrunkMessages.PROTOCOL_VERSION +
                " of the protocol, or has another version of trunk.xml than " + HelloDecoder.SCHEMA_VERSION +
                ": use the same release of escapement on both sides";
            case TOO_MANY_TRUNKS -> "all are in use, lost ones included: raise trunks.limit";
            case TOO_MANY_HANDSHAKES -> "too many are open, or too many of this host: raise trunks.limit, or let " +
                "clients connect again at random delays";
            case OUT_OF_ORDER -> "it sent more than a handshake takes";
            case HANDSHAKE_TIMEOUT -> late(control);
            default -> "see the protocol";
        };
    }

    private static String late(final ControlStream control)
    {
        if (ControlStream.State.NEW == control.state())
        {
            return "it sent no Hello";
        }
        if (ControlStream.State.VERIFYING == control.state())
        {
            return "the authenticator did not return";
        }
        return control.isAnswerable() ? "it did not answer the challenge" :
            "its response channel did not connect: its endpoint for responses must be the response endpoint of " +
                "trunks.udp, and no firewall may drop UDP from there";
    }

    private static final class Reason
    {
        private long warnedNs;
        private long unnamed;

        Reason(final long warnedNs)
        {
            this.warnedNs = warnedNs;
        }
    }
}
