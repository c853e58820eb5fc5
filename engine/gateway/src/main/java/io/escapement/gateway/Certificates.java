package io.escapement.gateway;

import io.escapement.config.internal.PrivateFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * The certificate of a gateway. Its files are looked at every ten seconds, and read when one has changed; a pair that
 * does not fit is reported, and the last one stays.
 */
final class Certificates
{
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    /** Nothing is selected for a client that names only others: BoringSSL's binding can refuse no handshake. */
    private static final ApplicationProtocolConfig PROTOCOLS = new ApplicationProtocolConfig(Protocol.ALPN,
        SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
        ApplicationProtocolNames.HTTP_1_1);

    private final Path chain;
    private final Path key;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private SslContext ssl;
    private long chainTime;
    private long keyTime;
    private long dueNs;

    /**
     * Read the files. Throws {@link IllegalStateException} if they are no certificate and its key.
     *
     * @param context with both files.
     */
    Certificates(final GatewayContext context)
    {
        chain = context.certificate();
        key = context.key();
        clock = context.clock();
        errorHandler = context.errorHandler();
        try
        {
            read();
        }
        catch (final IOException | RuntimeException ex)
        {
            throw new IllegalStateException(
                "certificate: cannot use " + chain + " with " + key + ": " + ex.getMessage());
        }
        dueNs = clock.nanoTime() + INTERVAL_NS;
    }

    /** A handler for a new connection. Called by every worker. */
    synchronized SslHandler handler(final ByteBufAllocator allocator)
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - dueNs >= 0)
        {
            dueNs = nowNs + INTERVAL_NS;
            readChanged();
        }
        final SslHandler handler = ssl.newHandler(allocator);
        handler.setHandshakeTimeout(5, TimeUnit.SECONDS);
        return handler;
    }

    private void readChanged()
    {
        try
        {
            if (chainTime != time(chain) || keyTime != time(key))
            {
                read();
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            errorHandler.onError(new IllegalStateException(
                "the changed certificate " + chain + " cannot be used, the last one stays: " + ex.getMessage(), ex));
        }
    }

    private void read() throws IOException
    {
        PrivateFiles.requirePrivate("certificate", key);
        final long newChainTime = time(chain);
        final long newKeyTime = time(key);
        ssl = SslContextBuilder.forServer(chain.toFile(), key.toFile()).protocols("TLSv1.3", "TLSv1.2")
            .applicationProtocolConfig(PROTOCOLS).build();
        chainTime = newChainTime;
        keyTime = newKeyTime;
    }

    private static long time(final Path file) throws IOException
    {
        return Files.getLastModifiedTime(file).toMillis();
    }
}
