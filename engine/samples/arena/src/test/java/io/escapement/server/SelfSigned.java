package io.escapement.server;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A certificate for localhost that nobody trusts, made by the JDK's keytool. */
final class SelfSigned
{
    private static final String PASSWORD = "changeit";

    private SelfSigned()
    {
    }

    /** Write the chain and the private key in PEM form. Returns their files in this order. */
    static Path[] write(final Path directory) throws IOException, GeneralSecurityException, InterruptedException
    {
        final Path store = directory.resolve("keys.p12");
        final Process keytool = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "self",
            "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2", "-dname", "CN=localhost",
            "-ext", "SAN=DNS:localhost,IP:127.0.0.1", "-storetype", "PKCS12", "-keystore", store.toString(),
            "-storepass", PASSWORD)).redirectErrorStream(true).start();
        final String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), output);
        final KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store))
        {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new Path[]{
            pem(directory.resolve("chain.pem"), "CERTIFICATE", keys.getCertificate("self").getEncoded()),
            pem(directory.resolve("key.pem"), "PRIVATE KEY",
                keys.getKey("self", PASSWORD.toCharArray()).getEncoded())};
    }

    private static Path pem(final Path file, final String type, final byte[] bytes) throws IOException
    {
        return Tests.writeSecret(file, "-----BEGIN " + type + "-----\n" +
            Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes) + "\n-----END " + type + "-----\n");
    }
}
