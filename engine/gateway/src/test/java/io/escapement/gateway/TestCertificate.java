package io.escapement.gateway;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.agrona.IoUtil;

/**
 * A self-signed certificate for localhost, made by the JDK's keytool.
 *
 * @param chain  the certificate's file.
 * @param key    the file of its private key.
 * @param client that trusts this certificate only.
 */
record TestCertificate(Path chain, Path key, HttpClient client)
{
    static final String FIRST = "first";
    static final String SECOND = "second";

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Map<String, KeyStore> KEYS = new ConcurrentHashMap<>();

    /** Write the files of a certificate, which is the same for a name in all tests of a JVM. */
    static TestCertificate write(final Path directory, final String name) throws IOException, GeneralSecurityException
    {
        final KeyStore keys = KEYS.computeIfAbsent(name, TestCertificate::make);
        final Path chain = directory.resolve(name + ".crt");
        final Path key = directory.resolve(name + ".key");
        pem(chain, "CERTIFICATE", keys.getCertificate("gateway").getEncoded());
        pem(key, "PRIVATE KEY", keys.getKey("gateway", PASSWORD).getEncoded());
        return new TestCertificate(chain, key, client(keys));
    }

    /** A keytool takes a second of a core. */
    private static KeyStore make(final String name)
    {
        try
        {
            final Path directory = Files.createTempDirectory("escapement-test-");
            final Path store = directory.resolve(name + ".p12");
            final Process keytool = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1",
                "-genkeypair", "-alias", "gateway", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2",
                "-dname", "CN=localhost", "-ext", "SAN=DNS:localhost,IP:127.0.0.1", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", new String(PASSWORD)))
                .redirectErrorStream(true).start();
            final byte[] output = keytool.getInputStream().readAllBytes();
            if (0 != keytool.waitFor())
            {
                throw new IllegalStateException(new String(output, StandardCharsets.UTF_8));
            }
            final KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store))
            {
                keys.load(in, PASSWORD);
            }
            IoUtil.delete(directory.toFile(), false);
            return keys;
        }
        catch (final IOException | GeneralSecurityException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void pem(final Path file, final String type, final byte[] bytes) throws IOException
    {
        Tests.writeSecret(file, "-----BEGIN " + type + "-----\n" +
            Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes) + "\n-----END " + type + "-----\n");
    }

    private static HttpClient client(final KeyStore keys) throws GeneralSecurityException, IOException
    {
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("gateway", keys.getCertificate("gateway"));
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
