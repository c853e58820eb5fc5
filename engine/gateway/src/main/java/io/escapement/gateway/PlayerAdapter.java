package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GoodbyeDecoder;
import io.escapement.codecs.player.HelloDecoder;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.LeaveDecoder;
import io.escapement.codecs.player.LogInDecoder;
import io.escapement.codecs.player.MessageDecoder;
import io.escapement.codecs.player.PingDecoder;
import io.escapement.codecs.player.PlayerDispatcher;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Decodes the valid messages of players. One for a worker. */
final class PlayerAdapter extends PlayerDispatcher
{
    private static final int DONE = 1;
    private static final int NOT_TAKEN = 0;

    private final Sessions sessions;
    private final UnsafeBuffer token = new UnsafeBuffer(new byte[PlayerMessages.RESUME_TOKEN_LENGTH]);
    private PlayerConnection from;

    PlayerAdapter(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    /** Handle a message of a connection. Returns false if the trunk does not take it now. */
    boolean handle(final PlayerConnection connection, final DirectBuffer buffer, final int offset)
    {
        from = connection;
        // Hello is the first message, and sent once.
        final int templateId = SchemaRules.templateId(buffer, offset);
        final boolean isInOrder = (HelloDecoder.TEMPLATE_ID == templateId) == (null == connection.session());
        return DONE == (isInOrder ? dispatch(buffer, offset) : refused(templateId));
    }

    @Override
    protected int onHello(final HelloDecoder hello)
    {
        if (PlayerMessages.PROTOCOL_VERSION != hello.protocolVersion())
        {
            from.close(CloseCode.PROTOCOL_VERSION);
            return DONE;
        }
        hello.getResumeToken(token.byteArray(), 0, PlayerMessages.RESUME_TOKEN_LENGTH);
        from.hello(
            hello.flushMs(), token.getLong(0, ByteOrder.BIG_ENDIAN), token.getLong(Long.BYTES, ByteOrder.BIG_ENDIAN));
        return DONE;
    }

    @Override
    protected int onLogIn(final LogInDecoder logIn)
    {
        final byte[] credentials = new byte[logIn.credentialsLength()];
        logIn.getCredentials(credentials, 0, credentials.length);
        from.logIn(logIn.requestId(), credentials);
        return DONE;
    }

    @Override
    protected int onJoin(final JoinDecoder join)
    {
        final byte[] args = new byte[join.argsLength()];
        join.getArgs(args, 0, args.length);
        sessions.join(
            from.session(), join.requestId(), join.roomId(), 0 != join.isSpectator(), new UnsafeBuffer(args));
        return DONE;
    }

    @Override
    protected int onLeave(final LeaveDecoder leave)
    {
        sessions.leave(from.session(), leave.roomId(), leave.code());
        return DONE;
    }

    @Override
    protected int onMessage(final MessageDecoder message)
    {
        return sessions.message(from.session(), message) ? DONE : NOT_TAKEN;
    }

    @Override
    protected int onPing(final PingDecoder ping)
    {
        sessions.ping(from, ping.clientTimeNs());
        return DONE;
    }

    @Override
    protected int onGoodbye(final GoodbyeDecoder goodbye)
    {
        sessions.goodbye(from.session());
        from.close(CloseCode.NORMAL);
        return DONE;
    }

    /** A message of gateways, or out of order. */
    @Override
    protected int refused(final int templateId)
    {
        from.close(CloseCode.MALFORMED);
        return DONE;
    }
}
