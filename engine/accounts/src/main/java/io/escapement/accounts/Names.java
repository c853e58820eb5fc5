package io.escapement.accounts;

import io.escapement.codecs.PlayerNames;
import java.lang.Character.UnicodeScript;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.Locale;

/**
 * Valid names. Of an account: a letter, then letters, digits, {@code _}, {@code -} and {@code .}, 3 to 24 characters in
 * total, ASCII only, because it is typed to log in. Of a character: 2 to 32 bytes of UTF-8 in Unicode's form NFC: a
 * letter of any script, then letters, marks and digits, {@code _}, {@code -}, {@code .} and {@code '}. Each of them is
 * visible. Its letters are of one script, because letters of different scripts look the same. Japanese and Korean mix
 * their scripts with Han. For other names that look the same, see {@link NameKeys}.
 */
final class Names
{
    private static final EnumSet<UnicodeScript> JAPANESE =
        EnumSet.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA);
    private static final EnumSet<UnicodeScript> KOREAN = EnumSet.of(UnicodeScript.HAN, UnicodeScript.HANGUL);

    static final int MIN_LENGTH = 3;
    static final int MAX_LENGTH = 24;

    static final int MIN_CHARACTER_BYTES = 2;
    static final int MAX_CHARACTER_BYTES = 32;

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

    static boolean isValidCharacter(final String name)
    {
        final int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < MIN_CHARACTER_BYTES || length > MAX_CHARACTER_BYTES ||
            !Normalizer.isNormalized(name, Normalizer.Form.NFC) || !NameKeys.of(name).isStorable() ||
            !Character.isLetter(name.codePointAt(0)))
        {
            return false;
        }
        final EnumSet<UnicodeScript> scripts = EnumSet.noneOf(UnicodeScript.class);
        final boolean isAllowed = name.codePoints().allMatch((c) ->
        {
            if (Character.isLetter(c))
            {
                scripts.add(UnicodeScript.of(c));
            }
            return PlayerNames.isVisible(c) && (Character.isLetterOrDigit(c) || isMark(c)) ||
                '_' == c || '-' == c || '.' == c || '\'' == c;
        });
        scripts.removeAll(EnumSet.of(UnicodeScript.COMMON, UnicodeScript.INHERITED));
        return isAllowed && (scripts.size() <= 1 || JAPANESE.containsAll(scripts) || KOREAN.containsAll(scripts));
    }

    private static boolean isMark(final int c)
    {
        final int type = Character.getType(c);
        return Character.NON_SPACING_MARK == type || Character.COMBINING_SPACING_MARK == type;
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
