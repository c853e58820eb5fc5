package io.escapement.accounts;

import java.util.Locale;

/**
 * Valid names of accounts and characters: a letter, then letters, digits, {@code _}, {@code -} and {@code .}, 3 to 24
 * characters in total. ASCII only, because other alphabets have letters that look alike.
 */
final class Names
{
    static final int MIN_LENGTH = 3;
    static final int MAX_LENGTH = 24;

    private Names()
    {
    }

    static boolean isValid(final String name)
    {
        if (name.length() < MIN_LENGTH || name.length() > MAX_LENGTH || !isLetter(name.charAt(0)))
        {
            return false;
        }
        for (int i = 1; i < name.length(); i++)
        {
            final char c = name.charAt(i);
            if (!isLetter(c) && (c < '0' || c > '9') && '_' != c && '-' != c && '.' != c)
            {
                return false;
            }
        }
        return true;
    }

    /** Equal for names that differ only in case. */
    static String key(final String name)
    {
        return name.toLowerCase(Locale.ROOT);
    }

    private static boolean isLetter(final char c)
    {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
