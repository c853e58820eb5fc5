package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.EventEncoder;
import io.escapement.codecs.player.PlayerEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the gateway's messages to players. One for a worker: it reuses its buffer. */
final class PlayerProxy
{
    /** More than the header and the block of an Event or a State. */
    private static final int PREFIX_CAPACITY = 64;
    private static final int DATA_HEADER_LENGTH = EventEncoder.payloadHeaderLength();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[PlayerMessages.MAX_REQUEST_LENGTH]);
    private final UnsafeBuffer prefix = new UnsafeBuffer(new byte[PREFIX_CAPACITY]);
    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private final PlayerEncoder messages = new PlayerEncoder();
    private final byte[] token = new byte[PlayerMessages.RESUME_TOKEN_LENGTH];
    private final UnsafeBuffer tokenBuffer = new UnsafeBuffer(token);

    void welcome(
        final PlayerConnection to,
        final PlayerSession session,
        final int graceMs,
        final int pingMs,
        final long serverTimeNs,
        final boolean isResumed)
    {
        tokenBuffer.putLong(0, session.tokenHigh, ByteOrder.BIG_ENDIAN);
        tokenBuffer.putLong(Long.BYTES, session.tokenLow, ByteOrder.BIG_ENDIAN);
        to.send(buffer, messages.welcome(buffer, 0, token, graceMs, pingMs, serverTimeNs,
            PlayerMessages.MAX_PAYLOAD_LENGTH, isResumed));
    }

    void loggedIn(
        final PlayerConnection to,
        final long requestId,
        final int status,
        final long playerId,
        final byte[] sessionToken)
    {
        bytes.wrap(sessionToken);
        to.send(buffer, messages.loggedIn(buffer, 0, requestId, status, playerId, bytes, 0, sessionToken.length));
    }

    void joined(
        final PlayerConnection to,
        final long requestId,
        final long roomId,
        final long playerId,
        final int seatIndex,
        final boolean isReturn,
        final boolean isSpectator,
        final DirectBuffer answer,
        final int offset,
        final int length)
    {
        to.send(buffer, messages.joined(
            buffer, 0, requestId, roomId, playerId, seatIndex, isReturn, isSpectator, answer, offset, length));
    }

    void seatAway(final PlayerConnection to, final long roomId, final int reason)
    {
        to.send(buffer, messages.seatAway(buffer, 0, roomId, reason));
    }

    void left(final PlayerConnection to, final long roomId, final int reason, final int code)
    {
        to.send(buffer, messages.left(buffer, 0, roomId, reason, code));
    }

    void refused(
        final PlayerConnection to, final long roomId, final long reference, final int templateId, final int code)
    {
        to.send(buffer, messages.refused(buffer, 0, roomId, reference, templateId, code));
    }

    void pong(final PlayerConnection to, final long clientTimeNs, final long serverTimeNs)
    {
        to.send(buffer, messages.pong(buffer, 0, clientTimeNs, serverTimeNs));
    }

    void engineAway(final PlayerConnection to, final int graceMs)
    {
        to.send(buffer, messages.engineAway(buffer, 0, graceMs));
    }

    void engineBack(final PlayerConnection to)
    {
        to.send(buffer, messages.engineBack(buffer, 0));
    }

    void goAway(final PlayerConnection to, final CloseCode code, final int withinMs)
    {
        to.send(buffer, messages.goAway(buffer, 0, code, withinMs));
    }

    /** Encode an Event or a State once for all its receivers. */
    void roomMessage(
        final SharedMessage shared,
        final boolean isState,
        final long roomId,
        final long turn,
        final DirectBuffer payload,
        final int offset,
        final int length)
    {
        final int prefixLength = isState ?
            messages.state(prefix, 0, roomId, turn, payload, 0, 0) :
            messages.event(prefix, 0, roomId, turn, payload, 0, 0);
        prefix.putShort(prefixLength - DATA_HEADER_LENGTH, (short)length, ByteOrder.LITTLE_ENDIAN);
        shared.encode(prefix, prefixLength, payload, offset, length);
    }
}
