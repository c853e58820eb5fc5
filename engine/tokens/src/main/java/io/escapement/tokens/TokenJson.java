package io.escapement.tokens;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a JSON object from a stranger. If two readers took different members of one name, or repaired text in different
 * ways, they would see different players in one token. Therefore no text is repaired: a second member of a name, bytes
 * that are not UTF-8, half of a surrogate pair and text after the object are refused.
 *
 * <p>An integer is a Long if it fits, any other number a Double.
 */
final class TokenJson
{
    private static final int MAX_NUMBER_LENGTH = 32;
    private static final int ESCAPE_DIGITS = 4;
    private static final int HEXADECIMAL = 16;
    private static final char END = '\0';

    private final String text;
    private final int depthLimit;
    private int at;

    private TokenJson(final String text, final int depthLimit)
    {
        this.text = text;
        this.depthLimit = depthLimit;
    }

    static Map<String, Object> parse(final byte[] bytes, final int depthLimit) throws TokenRefusal
    {
        final String text;
        try
        {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
        catch (final CharacterCodingException ex)
        {
            throw new TokenRefusal(TokenCode.NOT_UTF8);
        }
        final TokenJson json = new TokenJson(text, depthLimit);
        json.skipSpace();
        json.check('{' == json.next());
        final Map<String, Object> members = json.object(1);
        json.skipSpace();
        json.check(json.at == text.length());
        return members;
    }

    private Object value(final int depth) throws TokenRefusal
    {
        return switch (next())
        {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true", Boolean.TRUE);
            case 'f' -> literal("false", Boolean.FALSE);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(final int depth) throws TokenRefusal
    {
        TokenRefusal.check(depth <= depthLimit, TokenCode.NESTED_TOO_DEEP);
        final Map<String, Object> members = new LinkedHashMap<>();
        skip('{');
        while (!isEnd('}', members.isEmpty()))
        {
            check('"' == next());
            final String name = string();
            skipSpace();
            skip(':');
            skipSpace();
            TokenRefusal.check(!members.containsKey(name), TokenCode.DUPLICATE_MEMBER);
            members.put(name, value(depth + 1));
        }
        return members;
    }

    private List<Object> array(final int depth) throws TokenRefusal
    {
        TokenRefusal.check(depth <= depthLimit, TokenCode.NESTED_TOO_DEEP);
        final List<Object> values = new ArrayList<>();
        skip('[');
        while (!isEnd(']', values.isEmpty()))
        {
            values.add(value(depth + 1));
        }
        return values;
    }

    /** Skip to the next element, or past the end. */
    private boolean isEnd(final char end, final boolean isFirst) throws TokenRefusal
    {
        skipSpace();
        if (end == next())
        {
            at++;
            return true;
        }
        if (!isFirst)
        {
            skip(',');
            skipSpace();
        }
        return false;
    }

    private String string() throws TokenRefusal
    {
        final StringBuilder value = new StringBuilder();
        skip('"');
        for (char character = take(); '"' != character; character = take())
        {
            check(character >= ' ');
            value.append('\\' == character ? escaped() : character);
        }
        for (int i = 0; i < value.length(); i++)
        {
            final boolean isPair = Character.isHighSurrogate(value.charAt(i)) && i + 1 < value.length() &&
                Character.isLowSurrogate(value.charAt(i + 1));
            check(isPair || !Character.isSurrogate(value.charAt(i)));
            i += isPair ? 1 : 0;
        }
        return value.toString();
    }

    private char escaped() throws TokenRefusal
    {
        final char character = take();
        return switch (character)
        {
            case '"', '\\', '/' -> character;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw new TokenRefusal(TokenCode.BAD_JSON);
        };
    }

    private char unicode() throws TokenRefusal
    {
        int value = 0;
        for (int i = 0; i < ESCAPE_DIGITS; i++)
        {
            final char digit = take();
            check(digit < 128 && Character.digit(digit, HEXADECIMAL) >= 0);
            value = value * HEXADECIMAL + Character.digit(digit, HEXADECIMAL);
        }
        return (char)value;
    }

    private Object literal(final String name, final Object value) throws TokenRefusal
    {
        check(text.startsWith(name, at));
        at += name.length();
        return value;
    }

    private Object number() throws TokenRefusal
    {
        final int start = at;
        while ("+-.0123456789eE".indexOf(next()) >= 0)
        {
            at++;
        }
        final String number = text.substring(start, at);
        check(number.length() <= MAX_NUMBER_LENGTH &&
            number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?"));
        try
        {
            return Long.valueOf(number);
        }
        catch (final NumberFormatException ex)
        {
            // It has a fraction or an exponent, or is larger.
            return Double.valueOf(number);
        }
    }

    private void skipSpace()
    {
        while (' ' == next() || '\t' == next() || '\n' == next() || '\r' == next())
        {
            at++;
        }
    }

    private void skip(final char character) throws TokenRefusal
    {
        check(character == take());
    }

    private char take() throws TokenRefusal
    {
        check(at < text.length());
        return text.charAt(at++);
    }

    private char next()
    {
        return at < text.length() ? text.charAt(at) : END;
    }

    private void check(final boolean isValid) throws TokenRefusal
    {
        TokenRefusal.check(isValid, TokenCode.BAD_JSON);
    }
}
