package io.escapement.accounts;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A password hash with its cost and salt, stored as a PHC string. */
final class PasswordHash
{
    static final int SALT_LENGTH = 16;
    static final int HASH_LENGTH = 32;
    private static final Pattern FORMAT = Pattern.compile(
        "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})" +
        "\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{16,86})");

    private final PasswordCost cost;
    private final byte[] salt;
    private final byte[] hash;

    PasswordHash(final PasswordCost cost, final byte[] salt, final byte[] hash)
    {
        this.cost = cost;
        this.salt = salt;
        this.hash = hash;
    }

    static PasswordHash parse(final String text)
    {
        final Matcher matcher = FORMAT.matcher(text);
        if (!matcher.matches())
        {
            // The message omits the text, which may be a secret.
            throw new DatabaseException("a stored password hash is no Argon2id PHC string");
        }
        return new PasswordHash(
            new PasswordCost(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))),
            Base64.getDecoder().decode(matcher.group(4)), Base64.getDecoder().decode(matcher.group(5)));
    }

    PasswordCost cost()
    {
        return cost;
    }

    byte[] salt()
    {
        return salt;
    }

    byte[] hash()
    {
        return hash;
    }

    String toPhc()
    {
        final Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + cost.memoryKib() + ",t=" + cost.iterations() + ",p=" + cost.lanes() +
            '$' + base64.encodeToString(salt) + '$' + base64.encodeToString(hash);
    }

    @Override
    public String toString()
    {
        return "hash with " + cost;
    }
}
