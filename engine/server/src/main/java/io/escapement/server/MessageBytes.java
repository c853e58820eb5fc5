package io.escapement.server;

import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.sbe.PrimitiveType;
import uk.co.real_logic.sbe.PrimitiveValue;
import uk.co.real_logic.sbe.ir.Encoding;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;

/**
 * Encodes one message of a game by its schema, from values that a person types. Fields without a value are 0, or null
 * if they are optional. Groups and data are empty.
 */
final class MessageBytes
{
    private static final String BLOCK_LENGTH = "blockLength";

    private final Ir schema;
    private final List<Token> message;
    private final ByteOrder order;
    private final MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    private final int block;
    private int length;

    /**
     * Begin with a message without values.
     *
     * @param schema of the game.
     * @param name   of the message, or its id.
     * @throws IllegalArgumentException if the schema does not have it.
     */
    MessageBytes(final Ir schema, final String name)
    {
        this.schema = schema;
        message = find(name);
        order = schema.byteOrder();
        block = putHeader();
        length = block + root().encodedLength();
        // Allocates the block, which is zero.
        buffer.checkLimit(length);
        for (int i = 1; i < message.size() - 1; i += message.get(i).componentTokenCount())
        {
            putEmpty(i);
        }
    }

    private List<Token> find(final String name)
    {
        final List<String> names = new ArrayList<>();
        for (final List<Token> candidate : schema.messages())
        {
            final Token token = candidate.get(0);
            if (name.equalsIgnoreCase(token.name()) || name.equals(Integer.toString(token.id())))
            {
                return candidate;
            }
            names.add(token.name());
        }
        throw new IllegalArgumentException(name + ": no message of the schema, which has " + String.join(", ", names));
    }

    private Token root()
    {
        return message.get(0);
    }

    private int putHeader()
    {
        int end = 0;
        for (final Token token : schema.headerStructure().tokens())
        {
            if (Signal.ENCODING == token.signal())
            {
                put(token, 0, switch (token.name())
                {
                    case BLOCK_LENGTH -> root().encodedLength();
                    case "templateId" -> root().id();
                    case "schemaId" -> schema.id();
                    case "version" -> schema.version();
                    case "numGroups" -> count(Signal.BEGIN_GROUP);
                    case "numVarDataFields" -> count(Signal.BEGIN_VAR_DATA);
                    default -> 0;
                });
                end = Math.max(end, token.offset() + token.encodedLength());
            }
        }
        return end;
    }

    /** Groups or data of the message, without those within groups. */
    private int count(final Signal signal)
    {
        int count = 0;
        for (int i = 1; i < message.size() - 1; i += message.get(i).componentTokenCount())
        {
            count += signal == message.get(i).signal() ? 1 : 0;
        }
        return count;
    }

    private void putEmpty(final int index)
    {
        final Token token = message.get(index);
        final Token type = message.get(index + 1);
        switch (token.signal())
        {
            case BEGIN_FIELD ->
            {
                if ((token.isOptionalEncoding() || type.isOptionalEncoding()) && 1 == type.arrayLength() &&
                    (Signal.ENCODING == type.signal() || Signal.BEGIN_ENUM == type.signal()))
                {
                    putNull(type);
                }
            }
            case BEGIN_GROUP ->
            {
                buffer.checkLimit(length + type.encodedLength());
                for (int i = index + 2; Signal.END_COMPOSITE != message.get(i).signal(); i++)
                {
                    final Token part = message.get(i);
                    put(part, length, BLOCK_LENGTH.equals(part.name()) ? token.encodedLength() : 0);
                }
                length += type.encodedLength();
            }
            case BEGIN_VAR_DATA ->
            {
                final Token bytes = message.get(index + 3);
                buffer.setMemory(length, bytes.offset(), (byte)0);
                length += bytes.offset();
            }
            default -> throw new IllegalStateException(token.toString());
        }
    }

    private void putNull(final Token type)
    {
        final PrimitiveValue value = type.encoding().applicableNullValue();
        if (isFloat(type))
        {
            put(type, block, value.doubleValue());
        }
        else
        {
            put(type, block, value.longValue());
        }
    }

    /**
     * Set a field of the block.
     *
     * @param field by name.
     * @param value of an integer, a float, characters, or the name of a value of an enum.
     * @throws IllegalArgumentException naming the field, if the message does not have the field or the value does not
     * fit it.
     */
    void set(final String field, final String value)
    {
        for (int i = 1; i < message.size() - 1; i += message.get(i).componentTokenCount())
        {
            if (Signal.BEGIN_FIELD == message.get(i).signal() && field.equalsIgnoreCase(message.get(i).name()))
            {
                set(field, i + 1, value);
                return;
            }
        }
        throw new IllegalArgumentException(field + ": no field of the block of " + root().name());
    }

    private void set(final String field, final int index, final String value)
    {
        final Token type = message.get(index);
        final Encoding encoding = type.encoding();
        final boolean isText = Signal.ENCODING == type.signal() &&
            (PrimitiveType.CHAR == encoding.primitiveType() || null != encoding.characterEncoding());
        if (message.get(index - 1).isConstantEncoding() || type.isConstantEncoding())
        {
            throw new IllegalArgumentException(field + ": it is constant");
        }
        if (Signal.BEGIN_ENUM == type.signal())
        {
            put(type, block, enumValue(field, index, value));
        }
        else if (isText)
        {
            setText(field, type, value);
        }
        else if (Signal.ENCODING != type.signal() || 1 != type.arrayLength())
        {
            throw new IllegalArgumentException(
                field + ": neither a number, an enum nor characters (send the message as bytes)");
        }
        else if (isFloat(type))
        {
            put(type, block, floatValue(field, encoding, value));
        }
        else
        {
            put(type, block, integer(field, encoding, value));
        }
    }

    private long enumValue(final String field, final int index, final String value)
    {
        final List<String> names = new ArrayList<>();
        for (int i = index + 1; Signal.VALID_VALUE == message.get(i).signal(); i++)
        {
            final Token valid = message.get(i);
            if (value.equalsIgnoreCase(valid.name()))
            {
                return valid.encoding().constValue().longValue();
            }
            names.add(valid.name());
        }
        throw new IllegalArgumentException(field + "=" + value + ": use " + String.join(", ", names));
    }

    private void setText(final String field, final Token type, final String value)
    {
        final String name = type.encoding().characterEncoding();
        final Charset charset = null == name ? StandardCharsets.US_ASCII : Charset.forName(name);
        final byte[] bytes = value.getBytes(charset);
        if (!charset.newEncoder().canEncode(value) || bytes.length > type.arrayLength())
        {
            throw new IllegalArgumentException(field + "=" + value + ": use at most " + type.arrayLength() +
                " bytes of " + charset);
        }
        buffer.setMemory(block + type.offset(), type.arrayLength(), (byte)0);
        buffer.putBytes(block + type.offset(), bytes);
    }

    private static boolean isFloat(final Token type)
    {
        return PrimitiveType.FLOAT == type.encoding().primitiveType() ||
            PrimitiveType.DOUBLE == type.encoding().primitiveType();
    }

    private static double floatValue(final String field, final Encoding encoding, final String value)
    {
        try
        {
            final double number = Double.parseDouble(value);
            final boolean isInfinite = Double.isInfinite(
                PrimitiveType.FLOAT == encoding.primitiveType() ? (float)number : number);
            final double max = null == encoding.maxValue() ? Double.MAX_VALUE : encoding.maxValue().doubleValue();
            final double min = null == encoding.minValue() ? -Double.MAX_VALUE : encoding.minValue().doubleValue();
            if (isInfinite || number < min || number > max)
            {
                throw new IllegalArgumentException(field + "=" + value + ": out of its range");
            }
            return number;
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException(field + "=" + value + ": no number", ex);
        }
    }

    private static long integer(final String field, final Encoding encoding, final String value)
    {
        final BigInteger min = limit(encoding, encoding.applicableMinValue());
        final BigInteger max = limit(encoding, encoding.applicableMaxValue());
        try
        {
            final BigInteger number = new BigInteger(value);
            if (number.compareTo(min) < 0 || number.compareTo(max) > 0)
            {
                throw new IllegalArgumentException(field + "=" + value + ": use " + min + " to " + max);
            }
            return number.longValue();
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException(field + "=" + value + ": no integer", ex);
        }
    }

    private static BigInteger limit(final Encoding encoding, final PrimitiveValue value)
    {
        return PrimitiveType.UINT64 == encoding.primitiveType() ?
            new BigInteger(Long.toUnsignedString(value.longValue())) : BigInteger.valueOf(value.longValue());
    }

    private void put(final Token token, final int from, final long value)
    {
        final int offset = from + token.offset();
        switch (token.encoding().primitiveType().size())
        {
            case Byte.BYTES -> buffer.putByte(offset, (byte)value);
            case Short.BYTES -> buffer.putShort(offset, (short)value, order);
            case Integer.BYTES -> buffer.putInt(offset, (int)value, order);
            default -> buffer.putLong(offset, value, order);
        }
    }

    private void put(final Token token, final int from, final double value)
    {
        final int offset = from + token.offset();
        if (PrimitiveType.FLOAT == token.encoding().primitiveType())
        {
            buffer.putFloat(offset, (float)value, order);
        }
        else
        {
            buffer.putDouble(offset, value, order);
        }
    }

    /** The message with its header. */
    DirectBuffer bytes()
    {
        return new UnsafeBuffer(buffer, 0, length);
    }
}
