package io.escapement.gateway;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The library that serves TLS: with -Pboringssl it is BoringSSL, and all tests of TLS then run with that. */
@Timeout(60)
class CertificatesTest
{
    @TempDir
    Path directory;

    private String engine() throws Exception
    {
        final TestCertificate certificate = TestCertificate.write(directory, "only");
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
}
