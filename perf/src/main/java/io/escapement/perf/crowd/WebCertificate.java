package io.escapement.perf.crowd;

import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A self-signed certificate of a run, made by the JDK's keytool.
 *
 * @param chain the certificate's file.
 * @param key   the file of its private key.
 */
record WebCertificate(Path chain, Path key)
{
    private static final String ALIAS = "gateway";
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final int LINE = 64;

    /** Of a client that asks for no certificate in particular: this is a load, and its server is the run's own. */
    private static final class Trusting implements X509TrustManager
    {
        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String authType)
        {
            // There is no client certificate.
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String authType)
        {
            // The server is on this host, and was started by this run.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers()
        {
            return new X509Certificate[0];
        }
    }

    /** Make one in a directory. */
    static WebCertificate write(final Path directory)
    {
        try
        {
            final Path store = directory.resolve("store.p12");
            final Process keytool = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2",
                "-dname", "CN=localhost", "-storetype", "PKCS12", "-keystore", store.toString(),
                "-storepass", new String(PASSWORD))).redirectErrorStream(true).start();
            final byte[] output = keytool.getInputStream().readAllBytes();
            if (0 != keytool.waitFor())
            {
                throw new IllegalStateException("keytool: " + new String(output, StandardCharsets.UTF_8));
            }
            final KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store))
            {
                keys.load(in, PASSWORD);
            }
            return new WebCertificate(
                pem(directory, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
                pem(directory, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD).getEncoded()));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("no certificate: " + ex.getMessage(), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", ex);
        }
    }

    /** TLS for clients of the run's own gateway. */
    static SSLContext client()
    {
        try
        {
            final SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(null, new TrustManager[]{new Trusting()}, new SecureRandom());
            return context;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("no TLS: " + ex.getMessage(), ex);
        }
    }

    private static Path pem(final Path directory, final String type, final byte[] bytes) throws IOException
    {
        final Path file = directory.resolve(type.replace(' ', '-') + ".pem");
        final String text = "-----BEGIN " + type + "-----\n" +
            Base64.getMimeEncoder(LINE, new byte[]{'\n'}).encodeToString(bytes) + "\n-----END " + type + "-----\n";
        // A gateway refuses a key that others may read.
        try (FileChannel channel = PrivateFiles.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
        return file;
    }
}
