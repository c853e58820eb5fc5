package io.escapement.gateway;

import io.escapement.config.ConfigException;
import io.escapement.testsupport.Tests;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The library that serves TLS: with -Pboringssl it is BoringSSL, and all tests of TLS then run with that. The protocol
 * that it selects.
 */
class CertificatesTest
{
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
    /** With which a client of HTTP/2 begins, in any case. */
    private static final String HTTP_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    @TempDir
    Path directory;

    private String engine() throws Exception
    {
        final TestCertificate certificate = TestCertificate.write(directory, TestCertificate.FIRST);
        final GatewayContext context = new GatewayContext().certificate(certificate.chain(), certificate.key());
        final SslHandler handler = new Certificates(context).handler(PooledByteBufAllocator.DEFAULT);
        try
        {
            final List<String> protocols = List.of(handler.engine().getEnabledProtocols());
            assertTrue(protocols.containsAll(List.of("TLSv1.3", "TLSv1.2")), protocols::toString);
            assertFalse(protocols.contains("TLSv1.1"), protocols::toString);
            assertFalse(handler.engine().getUseClientMode());
            return handler.engine().getClass().getSimpleName();
        }
        finally
        {
            ReferenceCountUtil.release(handler.engine());
        }
    }

    @Test
    void shouldRefuseTheKeyOfAnotherCertificate() throws Exception
    {
        final TestCertificate first = TestCertificate.write(directory, TestCertificate.FIRST);
        final TestCertificate second =
            TestCertificate.write(Files.createDirectory(directory.resolve("other")), TestCertificate.SECOND);
        final String refusal = assertThrows(ConfigException.class, () -> new Certificates(
            new GatewayContext().certificate(first.chain(), second.key()))).getMessage();
        assertTrue(refusal.startsWith("certificate: " + first.chain() + " with " + second.key() + ": "), refusal);
        assertTrue(OpenSsl.isAvailable() || refusal.endsWith("the key is of another certificate"), refusal);
    }

    @Test
    void shouldServeTlsByBoringSslWhereItsJarIs() throws Exception
    {
        Assumptions.assumeTrue(OpenSsl.isAvailable(), "no netty-tcnative-boringssl-static: -Pboringssl");
        assertTrue(engine().contains("OpenSsl"));
        assertTrue(OpenSsl.versionString().contains("BoringSSL"), OpenSsl::versionString);
    }

    @Test
    void shouldServeTlsByTheJdkElsewhere() throws Exception
    {
        Assumptions.assumeFalse(OpenSsl.isAvailable());
        assertFalse(engine().contains("OpenSsl"));
    }

    /** The protocol that a gateway selects for a client that offers these, and the first line of its answer. */
    private List<String> select(final String request, final String... protocols) throws Exception
    {
        final TestCertificate certificate = TestCertificate.write(directory, TestCertificate.FIRST);
        try (ListenerBench bench = new ListenerBench(
            new GatewayContext().certificate(certificate.chain(), certificate.key()),
            CertificatesTest.class.getClassLoader(), "test/page.html"))
        {
            final CompletableFuture<List<String>> answer = CompletableFuture.supplyAsync(() ->
            {
                try (SSLSocket socket = (SSLSocket)certificate.client().sslContext().getSocketFactory()
                    .createSocket("localhost", bench.port))
                {
                    final SSLParameters parameters = socket.getSSLParameters();
                    parameters.setApplicationProtocols(protocols);
                    socket.setSSLParameters(parameters);
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                    final String line = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
                    return List.of(socket.getApplicationProtocol(), line);
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
            });
            Tests.await(() ->
            {
                bench.turn();
                return answer.isDone();
            }, "an answer");
            return answer.get();
        }
    }

    @Test
    void shouldSelectHttp11AndNothingElse() throws Exception
    {
        assertEquals(List.of("http/1.1", "HTTP/1.1 200 OK"), select(HEALTH, "h2", "http/1.1"));
        assertEquals(List.of("", "HTTP/1.1 200 OK"), select(HEALTH), "a client without ALPN");
        assertEquals(List.of("", "HTTP/1.1 200 OK"), select(HEALTH, "h2"), "the handshake names no protocol");
        assertEquals(List.of("", "HTTP/1.1 405 Method Not Allowed"), select(HTTP_2, "h2"));
    }
}
