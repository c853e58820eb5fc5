package io.escapement.gateway;

import io.escapement.config.ConfigException;
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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * The certificate of a gateway. Its files are looked at every ten seconds, and read when a file has changed. A pair
 * that does not fit is reported, and the last pair stays.
 */
final class Certificates
{
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    /** If a client names only other protocols, no protocol is selected: BoringSSL's binding can refuse no handshake. */
    private static final ApplicationProtocolConfig PROTOCOLS = new ApplicationProtocolConfig(Protocol.ALPN,
        SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
        ApplicationProtocolNames.HTTP_1_1);

    private static final Map<String, String> ALGORITHM_BY_KEY_MAP =
        Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
    private static final Pattern KEY = Pattern.compile("-+BEGIN PRIVATE KEY-+([A-Za-z0-9+/=\\s]+)-+END");

    private final Path chain;
    private final Path key;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private SslContext ssl;
    private long chainTime;
    private long keyTime;
    private long dueNs;

    /**
     * Read the files. Throws {@link ConfigException} if they are no certificate and its key.
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
        catch (final ConfigException ex)
        {
            throw ex;
        }
        catch (final IOException | GeneralSecurityException | RuntimeException ex)
        {
            throw new ConfigException("certificate", chain + " with " + key, "cannot be used: " + ex.getMessage(), ex);
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
        catch (final IOException | GeneralSecurityException | RuntimeException ex)
        {
            errorHandler.onError(new IllegalStateException(
                "the changed certificate " + chain + " cannot be used, the last one stays: " + ex.getMessage(), ex));
        }
    }

    private void read() throws IOException, GeneralSecurityException
    {
        ConfigException.check(Files.isReadable(chain), "certificate.chain", chain, "cannot be read: name a PEM file");
        PrivateFiles.requirePrivate("certificate.key", key);
        final long newChainTime = time(chain);
        final long newKeyTime = time(key);
        final SslContext read = SslContextBuilder.forServer(chain.toFile(), key.toFile())
            .protocols("TLSv1.3", "TLSv1.2").applicationProtocolConfig(PROTOCOLS).build();
        checkPair();
        ssl = read;
        chainTime = newChainTime;
        keyTime = newKeyTime;
    }

    /** The JDK's TLS takes a key of another certificate, and then fails each handshake. */
    private void checkPair() throws IOException, GeneralSecurityException
    {
        final PublicKey shown;
        try (InputStream in = Files.newInputStream(chain))
        {
            shown = CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey();
        }
        final String algorithm = ALGORITHM_BY_KEY_MAP.get(shown.getAlgorithm());
        final Matcher pem = KEY.matcher(Files.readString(key, StandardCharsets.US_ASCII));
        if (null == algorithm || !pem.find())
        {
            return;
        }
        final Signature signature = Signature.getInstance(algorithm);
        boolean isPair;
        try
        {
            signature.initSign(KeyFactory.getInstance(shown.getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)))));
            final byte[] signed = signature.sign();
            signature.initVerify(shown);
            isPair = signature.verify(signed);
        }
        catch (final InvalidKeySpecException | SignatureException ex)
        {
            // A key of another kind, or of another length.
            isPair = false;
        }
        ConfigException.check(isPair, "certificate", chain + " with " + key, "the key is of another certificate");
    }

    private static long time(final Path file) throws IOException
    {
        return Files.getLastModifiedTime(file).toMillis();
    }
}
