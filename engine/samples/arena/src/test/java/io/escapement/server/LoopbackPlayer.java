package io.escapement.server;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.HelloEncoder;
import io.escapement.codecs.player.LogInEncoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** A player's client on a socket from any address of the loopback network, which has 16 million. It can log in. */
final class LoopbackPlayer implements AutoCloseable
{
    private static final int BINARY = 0x82;
    private static final int MASKED = 0x80;
    private static final int LONG_LENGTH = 126;
    private static final int ANSWER_MS = 15_000;
    private static final byte[] NO_MASK = new byte[4];

    private final Socket socket;
    private final DataInputStream in;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[PlayerMessages.MAX_REQUEST_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private byte[] sessionToken = {};

    LoopbackPlayer(final URI gateway, final String address) throws IOException
    {
        socket = new Socket(
            InetAddress.getByName(gateway.getHost()), gateway.getPort(), InetAddress.getByName(address), 0);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(ANSWER_MS);
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write(String.join("\r\n", "GET / HTTP/1.1",
            "Host: " + gateway.getHost() + ':' + gateway.getPort(), "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Protocol: " + PlayerMessages.SUBPROTOCOL, "", "").getBytes(StandardCharsets.US_ASCII));
        final ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n"))
        {
            head.write(in.readUnsignedByte());
        }
        if (!head.toString(StandardCharsets.US_ASCII).startsWith("HTTP/1.1 101"))
        {
            throw new IOException(head.toString(StandardCharsets.US_ASCII));
        }
        send(new HelloEncoder().wrapAndApplyHeader(out, 0, header).protocolVersion(1).applicationVersion(0)
            .flushMs((short)0).putResumeToken(new byte[PlayerMessages.RESUME_TOKEN_LENGTH], 0,
            PlayerMessages.RESUME_TOKEN_LENGTH).encodedLength());
    }

    void logIn(final byte[] credentials) throws IOException
    {
        send(new LogInEncoder().wrapAndApplyHeader(out, 0, header).requestId(1)
            .putCredentials(credentials, 0, credentials.length).encodedLength());
    }

    /** Wait for the answer to the log-in. */
    int status() throws IOException
    {
        while (true)
        {
            final UnsafeBuffer message = new UnsafeBuffer(frame());
            if (message.capacity() > 0 && LoggedInDecoder.TEMPLATE_ID == SchemaRules.templateId(message, 0))
            {
                final LoggedInDecoder answer =
                    new LoggedInDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                final int status = answer.status();
                sessionToken = new byte[answer.sessionTokenLength()];
                answer.getSessionToken(sessionToken, 0, sessionToken.length);
                return status;
            }
        }
    }

    /** Credentials of the next log-in. */
    byte[] sessionToken()
    {
        return sessionToken.clone();
    }

    /** The payload of a binary message, or nothing for a ping. */
    private byte[] frame() throws IOException
    {
        final int kind = in.readUnsignedByte();
        final int length = in.readUnsignedByte();
        final byte[] payload = new byte[LONG_LENGTH == length ? in.readUnsignedShort() : length];
        in.readFully(payload);
        return BINARY == kind ? payload : new byte[0];
    }

    private void send(final int encodedLength) throws IOException
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + encodedLength;
        final ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(BINARY);
        frame.write(MASKED | (length < LONG_LENGTH ? length : LONG_LENGTH));
        if (length >= LONG_LENGTH)
        {
            frame.write(length >> 8);
            frame.write(length);
        }
        frame.write(NO_MASK);
        frame.write(out.byteArray(), 0, length);
        socket.getOutputStream().write(frame.toByteArray());
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
