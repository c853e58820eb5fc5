package io.escapement.tokens;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An identity provider: keys of each algorithm, their set, and tokens that it signs. Independent of Nimbus. */
final class Issuer
{
    static final String NAME = "https://login.example.com/";
    static final String AUDIENCE = "my-game";
    static final List<String> ALGORITHMS = List.of("HS256", "RS256", "ES256", "EdDSA");

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int COORDINATE = 32;

    final KeyPair rsa = pair("RSA", "");
    final KeyPair curve = pair("EC", "secp256r1");
    final KeyPair edwards = pair("Ed25519", "");
    final byte[] secret = "a secret of thirty-two bytes, or more".getBytes(StandardCharsets.US_ASCII);

    /** The set of all keys. The kid of each is its algorithm. */
    String keys()
    {
        return set(jwk("HS256", ""), jwk("RS256", ""), jwk("ES256", ""), jwk("EdDSA", ""));
    }

    static String set(final String... keys)
    {
        return "{\"keys\":[" + String.join(",", keys) + "]}";
    }

    /** A public key, or the secret, with more members, such as {@code ,"use":"enc"}. */
    String jwk(final String algorithm, final String more)
    {
        return jwk(algorithm, algorithm, more);
    }

    String jwk(final String id, final String algorithm, final String more)
    {
        final String members = switch (algorithm)
        {
            case "HS256" -> "\"kty\":\"oct\",\"k\":\"" + base64(secret) + '"';
            case "RS256" -> "\"kty\":\"RSA\",\"n\":\"" + base64(((RSAPublicKey)rsa.getPublic()).getModulus(), 256) +
                "\",\"e\":\"AQAB\"";
            case "ES256" -> "\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"" +
                base64(((ECPublicKey)curve.getPublic()).getW().getAffineX(), COORDINATE) + "\",\"y\":\"" +
                base64(((ECPublicKey)curve.getPublic()).getW().getAffineY(), COORDINATE) + '"';
            default -> "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + base64(encoded()) + '"';
        };
        return "{\"kid\":\"" + id + "\"," + members + more + '}';
    }

    /** A token with the usual header. */
    byte[] token(final String algorithm, final String claims)
    {
        return token(algorithm, header(algorithm, ""), claims.getBytes(StandardCharsets.UTF_8));
    }

    static String header(final String algorithm, final String more)
    {
        return "{\"alg\":\"" + algorithm + "\",\"kid\":\"" + algorithm + "\",\"typ\":\"JWT\"" + more + '}';
    }

    /** A token with any header, signed by the key of an algorithm. */
    byte[] token(final String algorithm, final String header, final byte[] claims)
    {
        final String input = base64(header.getBytes(StandardCharsets.UTF_8)) + '.' + base64(claims);
        return (input + '.' + base64(sign(algorithm, ascii(input)))).getBytes(StandardCharsets.US_ASCII);
    }

    byte[] sign(final String algorithm, final byte[] input)
    {
        try
        {
            return switch (algorithm)
            {
                case "HS256" -> mac(secret, input);
                case "RS256" -> sign("SHA256withRSA", rsa, input);
                case "ES256" -> sign("SHA256withECDSAinP1363Format", curve, input);
                default -> sign("Ed25519", edwards, input);
            };
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    static byte[] mac(final byte[] key, final byte[] input)
    {
        try
        {
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(input);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static String base64(final byte[] bytes)
    {
        return BASE64.encodeToString(bytes);
    }

    private static String base64(final BigInteger number, final int length)
    {
        final byte[] bytes = number.toByteArray();
        final byte[] fixed = new byte[length];
        final int copied = Math.min(length, bytes.length);
        System.arraycopy(bytes, bytes.length - copied, fixed, length - copied, copied);
        return base64(fixed);
    }

    /** The public key as RFC 8032 encodes it: the end of its X.509 form. */
    private byte[] encoded()
    {
        final byte[] form = ((EdECPublicKey)edwards.getPublic()).getEncoded();
        return Arrays.copyOfRange(form, form.length - COORDINATE, form.length);
    }

    private static byte[] sign(final String algorithm, final KeyPair pair, final byte[] input)
        throws GeneralSecurityException
    {
        final Signature signature = Signature.getInstance(algorithm);
        signature.initSign(pair.getPrivate());
        signature.update(input);
        return signature.sign();
    }

    private static KeyPair pair(final String type, final String curve)
    {
        try
        {
            final KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
            if ("RSA".equals(type))
            {
                generator.initialize(2_048);
            }
            else if (!curve.isEmpty())
            {
                generator.initialize(new ECGenParameterSpec(curve));
            }
            return generator.generateKeyPair();
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** The code of a refusal, or the player id. */
    static String outcome(final TokenVerifier verifier, final byte[] token)
    {
        try
        {
            return Long.toString(verifier.verify(token));
        }
        catch (final TokenRefusal ex)
        {
            return ex.code().name();
        }
    }

    static TokenLogInContext options(final String keys) throws IOException
    {
        return new TokenLogInContext().keys(keys).issuer(NAME).audience(AUDIENCE).errorHandler((ex) ->
        {
            throw new AssertionError(ex);
        });
    }
}
