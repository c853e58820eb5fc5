package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.EngineAwayEncoder;
import io.escapement.codecs.player.EngineBackEncoder;
import io.escapement.codecs.player.EventEncoder;
import io.escapement.codecs.player.GoAwayEncoder;
import io.escapement.codecs.player.JoinedEncoder;
import io.escapement.codecs.player.LeftEncoder;
import io.escapement.codecs.player.LoggedInEncoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.PongEncoder;
import io.escapement.codecs.player.RefusedEncoder;
import io.escapement.codecs.player.SeatAwayEncoder;
import io.escapement.codecs.player.StateEncoder;
import io.escapement.codecs.player.WelcomeEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the gateway's messages to players. One for a worker: it reuses its buffer. */
final class PlayerProxy
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int DATA_HEADER_LENGTH = EventEncoder.payloadHeaderLength();
    /** Event and State have the same layout. */
    private static final int ROOM_PREFIX_LENGTH = HEADER_LENGTH + EventEncoder.BLOCK_LENGTH + DATA_HEADER_LENGTH;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[PlayerMessages.MAX_REQUEST_LENGTH]);
    private final UnsafeBuffer prefix = new UnsafeBuffer(new byte[ROOM_PREFIX_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final WelcomeEncoder welcome = new WelcomeEncoder();
    private final LoggedInEncoder loggedIn = new LoggedInEncoder();
    private final JoinedEncoder joined = new JoinedEncoder();
    private final SeatAwayEncoder seatAway = new SeatAwayEncoder();
    private final LeftEncoder left = new LeftEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();
    private final PongEncoder pong = new PongEncoder();
    private final EngineAwayEncoder engineAway = new EngineAwayEncoder();
    private final EngineBackEncoder engineBack = new EngineBackEncoder();
    private final GoAwayEncoder goAway = new GoAwayEncoder();
    private final EventEncoder event = new EventEncoder();
    private final StateEncoder state = new StateEncoder();
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
        to.send(buffer, HEADER_LENGTH + welcome.wrapAndApplyHeader(buffer, 0, header)
            .putResumeToken(token, 0, token.length).graceMs(graceMs).pingMs(pingMs).serverTimeNs(serverTimeNs)
            .maxPayloadLength(PlayerMessages.MAX_PAYLOAD_LENGTH).isResumed((short)(isResumed ? 1 : 0))
            .encodedLength());
    }

    void loggedIn(
        final PlayerConnection to,
        final long requestId,
        final int status,
        final long playerId,
        final byte[] sessionToken)
    {
        to.send(buffer, HEADER_LENGTH + loggedIn.wrapAndApplyHeader(buffer, 0, header)
            .requestId(requestId).status(status).playerId(playerId)
            .putSessionToken(sessionToken, 0, sessionToken.length).encodedLength());
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
        joined.wrapAndApplyHeader(buffer, 0, header)
            .requestId(requestId).roomId(roomId).playerId(playerId).seatIndex(seatIndex)
            .isReturn((short)(isReturn ? 1 : 0)).isSpectator((short)(isSpectator ? 1 : 0))
            .putAnswer(answer, offset, length);
        to.send(buffer, HEADER_LENGTH + joined.encodedLength());
    }

    void seatAway(final PlayerConnection to, final long roomId, final int reason)
    {
        to.send(buffer, HEADER_LENGTH + seatAway.wrapAndApplyHeader(buffer, 0, header)
            .roomId(roomId).reason((short)reason).encodedLength());
    }

    void left(final PlayerConnection to, final long roomId, final int reason, final int code)
    {
        left.wrapAndApplyHeader(buffer, 0, header).roomId(roomId).reason((short)reason).code(code);
        to.send(buffer, HEADER_LENGTH + left.encodedLength());
    }

    void refused(
        final PlayerConnection to, final long roomId, final long reference, final int templateId, final int code)
    {
        to.send(buffer, HEADER_LENGTH + refused.wrapAndApplyHeader(buffer, 0, header)
            .roomId(roomId).reference(reference).templateId(templateId).code(code).encodedLength());
    }

    void pong(final PlayerConnection to, final long clientTimeNs, final long serverTimeNs)
    {
        to.send(buffer, HEADER_LENGTH + pong.wrapAndApplyHeader(buffer, 0, header)
            .clientTimeNs(clientTimeNs).serverTimeNs(serverTimeNs).encodedLength());
    }

    void engineAway(final PlayerConnection to, final int graceMs)
    {
        to.send(buffer, HEADER_LENGTH +
            engineAway.wrapAndApplyHeader(buffer, 0, header).graceMs(graceMs).encodedLength());
    }

    void engineBack(final PlayerConnection to)
    {
        to.send(buffer, HEADER_LENGTH + engineBack.wrapAndApplyHeader(buffer, 0, header).encodedLength());
    }

    void goAway(final PlayerConnection to, final CloseCode code, final int withinMs)
    {
        to.send(buffer, HEADER_LENGTH + goAway.wrapAndApplyHeader(buffer, 0, header)
            .code(code).withinMs(withinMs).encodedLength());
    }

    /** Encode an Event or a State once for all its receivers. */
    void roomMessage(
        final SharedMessage shared,
        final boolean isState,
        final long roomId,
        final DirectBuffer payload,
        final int offset,
        final int length)
    {
        if (isState)
        {
            state.wrapAndApplyHeader(prefix, 0, header).roomId(roomId);
        }
        else
        {
            event.wrapAndApplyHeader(prefix, 0, header).roomId(roomId);
        }
        prefix.putShort(ROOM_PREFIX_LENGTH - DATA_HEADER_LENGTH, (short)length, ByteOrder.LITTLE_ENDIAN);
        shared.encode(prefix, ROOM_PREFIX_LENGTH, payload, offset, length);
    }
}
