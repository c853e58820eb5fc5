package io.escapement.perf.crowd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/** A client's TLS over a non-blocking socket. Reading and writing advance the handshake. */
final class TlsChannel implements ByteChannel
{
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer in;
    private final ByteBuffer out;

    TlsChannel(final SocketChannel channel, final SSLEngine engine) throws IOException
    {
        this.channel = channel;
        this.engine = engine;
        engine.setUseClientMode(true);
        in = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.beginHandshake();
    }

    /** Whether encrypted bytes wait for the socket. */
    boolean isUnsent()
    {
        return 0 != out.position();
    }

    boolean isHandshaking()
    {
        final HandshakeStatus status = engine.getHandshakeStatus();
        return HandshakeStatus.NOT_HANDSHAKING != status && HandshakeStatus.FINISHED != status;
    }

    @Override
    public int read(final ByteBuffer target) throws IOException
    {
        final int before = target.position();
        final int received = channel.read(in);
        int left = -1;
        while (0 != in.position() && left != in.position())
        {
            left = in.position();
            in.flip();
            unwrap(target);
            in.compact();
            advance();
        }
        return received < 0 && before == target.position() ? -1 : target.position() - before;
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        advance();
        final int before = source.position();
        while (!isHandshaking() && source.hasRemaining() && 0 == out.position())
        {
            engine.wrap(source, out);
            flush();
        }
        flush();
        return source.position() - before;
    }

    @Override
    public boolean isOpen()
    {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }

    /** Unwrap all whole records. */
    private void unwrap(final ByteBuffer target) throws IOException
    {
        SSLEngineResult result = engine.unwrap(in, target);
        runTasks();
        while (SSLEngineResult.Status.OK == result.getStatus() && 0 != result.bytesConsumed() && in.hasRemaining() &&
            HandshakeStatus.NEED_WRAP != engine.getHandshakeStatus())
        {
            result = engine.unwrap(in, target);
            runTasks();
        }
    }

    /** Send what the handshake has to send. */
    private void advance() throws IOException
    {
        runTasks();
        while (HandshakeStatus.NEED_WRAP == engine.getHandshakeStatus() && 0 == out.position())
        {
            engine.wrap(NOTHING, out);
            runTasks();
            flush();
        }
    }

    private void runTasks()
    {
        while (HandshakeStatus.NEED_TASK == engine.getHandshakeStatus())
        {
            engine.getDelegatedTask().run();
        }
    }

    private void flush() throws IOException
    {
        if (0 != out.position())
        {
            out.flip();
            channel.write(out);
            out.compact();
        }
    }
}
