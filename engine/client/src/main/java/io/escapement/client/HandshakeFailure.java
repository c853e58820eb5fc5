package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.Codes;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.charset.StandardCharsets;

/** Describes a failed handshake in one line: where it stopped, the likely mistakes, and what to change. */
final class HandshakeFailure
{
    /**
     * The progress of a handshake.
     *
     * @param state    of the handshake.
     * @param isOpen   whether the media driver made the streams.
     * @param hasImage whether the engine's response channel is connected.
     */
    record Progress(State state, boolean isOpen, boolean hasImage)
    {
    }

    private HandshakeFailure()
    {
    }

    static String text(final int code, final Progress progress, final TrunkContext context, final int member)
    {
        final TrunkCode trunkCode = TrunkCode.get(code);
        final String engine = context.isIpc() ? "the engine in shared memory" :
            "the engine at " + context.endpoint(member).ingress();
        return engine + ": " + Codes.nameOf(code) + ": " + switch (trunkCode)
        {
            case HANDSHAKE_TIMEOUT -> unanswered(progress, context, member);
            case BAD_CREDENTIALS -> "it refused the credentials of identity \"" +
                new String(context.identity(), StandardCharsets.UTF_8) + "\": give both sides the same secret, and " +
                "this client an identity that the engine's authenticator accepts";
            case PROTOCOL_VERSION -> "it does not speak version " + TrunkMessages.PROTOCOL_VERSION +
                " of the protocol, or has another version of trunk.xml than " + HelloEncoder.SCHEMA_VERSION +
                ": use the same release of escapement on both sides";
            case APPLICATION_VERSION -> "it does not accept application version " + context.applicationVersion() +
                ": set applicationVersion";
            case TOO_MANY_TRUNKS -> "all its trunks are in use, lost ones included: raise its trunks.limit, or close " +
                "clients that are gone";
            case UNKNOWN_TRUNK -> "it holds the trunk of this ticket no longer: connect without a ticket";
            case NOT_LEADING -> "it follows another node of its group: give the client all members";
            case ENGINE_STOPPING -> "it is stopping: connect to another, or later";
            default -> "it ended the handshake";
        };
    }

    private static String unanswered(final Progress progress, final TrunkContext context, final int member)
    {
        final boolean isIpc = context.isIpc();
        return switch (progress.state())
        {
            case CONNECTING -> !progress.isOpen() ?
                "the media driver of this client did not make the streams: check that it runs, and that the " +
                    "conductor of the Aeron client is invoked or has a thread" :
                isIpc ? "nobody subscribes: check that an engine with ipc is on this media driver, and that its " +
                    "driver admits terms of " + context.termLength() + " bytes" :
                "no answer: check that it runs, that this is its endpoint for streams, that no firewall drops UDP, " +
                    "and that its driver admits terms of " + context.termLength() +
                    " bytes and the MTU of this client's driver";
            case GREETED -> isIpc || progress.hasImage() ?
                "it took Hello and did not answer: it has too many handshakes open, or another version of the " +
                    "protocol: see its log" :
                "it took Hello, and its response channel did not connect: check that " +
                    context.endpoint(member).response() + " is its endpoint for responses, and that no firewall " +
                    "drops UDP from there; or it has too many handshakes open, or another version of the protocol: " +
                    "see its log";
            default -> "it took the credentials and did not answer: see its log";
        };
    }
}
