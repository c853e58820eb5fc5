package io.escapement.generator;

import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Kind;
import uk.co.real_logic.sbe.PrimitiveType;

/** JavaScript expressions that read and write one field. */
final class Access
{
    private static final String UTF_8 = "UTF-8";

    private Access()
    {
    }

    static boolean isUtf8(final String encoding)
    {
        return null == encoding || UTF_8.equalsIgnoreCase(encoding);
    }

    /** An expression for the value of a field at a place. */
    static String read(final Field field, final String at)
    {
        return 1 == field.arrayLength() ? readOne(field, at) : readArray(field, at);
    }

    /** A statement that writes a value, which is an expression, at a place. */
    static String write(final Field field, final String at, final String value)
    {
        return 1 == field.arrayLength() ?
            writeOne(field, at, value, "'" + field.name() + "'") : writeArray(field, at, value);
    }

    /** The least number of leading bits that a type's numbers fit: {@code least, most}. */
    static String range(final PrimitiveType type)
    {
        return switch (type)
        {
            case INT8 -> "-128, 127";
            case INT16 -> "-32768, 32767";
            case INT32 -> "-2147483648, 2147483647";
            case UINT8 -> "0, 255";
            case UINT16 -> "0, 65535";
            case UINT32 -> "0, 4294967295";
            default -> throw new IllegalArgumentException(type + " has no range of JavaScript numbers");
        };
    }

    private static String readOne(final Field field, final String at)
    {
        final PrimitiveType type = field.type();
        final boolean isBig = field.isBig();
        if (field.isBoolean())
        {
            return "view.getUint8(" + at + ") === 1";
        }
        return switch (type)
        {
            case CHAR -> "String.fromCharCode(view.getUint8(" + at + "))";
            case INT8 -> "view.getInt8(" + at + ")";
            case UINT8 -> "view.getUint8(" + at + ")";
            case INT64 -> isBig ? get("BigInt64", at) : "int64(view, " + at + ")";
            case UINT64 -> isBig ? get("BigUint64", at) : "uint64(view, " + at + ")";
            default -> get(suffix(type), at);
        };
    }

    private static String get(final String suffix, final String at)
    {
        return "view.get" + suffix + "(" + at + ", true)";
    }

    private static String readArray(final Field field, final String at)
    {
        final int length = field.arrayLength();
        return switch (field.type())
        {
            case CHAR -> (isUtf8(field.encoding()) ? "utf8" : "latin1") +
                "(view, " + at + ", charsLength(view, " + at + ", " + length + "))";
            case UINT8 -> "bytesOf(view, " + at + ", " + length + ")";
            default -> "list(" + length + ", (i) => " +
                readOne(field, at + " + " + field.type().size() + " * i") + ")";
        };
    }

    private static String writeOne(final Field field, final String at, final String value, final String name)
    {
        final PrimitiveType type = field.type();
        if (field.isBoolean())
        {
            return "view.setUint8(" + at + ", flag(" + value + ", " + name + "));";
        }
        final String checked = Kind.SET == field.kind() && type.size() < 8 ? "(" + value + ") >>> 0" : value;
        return switch (type)
        {
            case CHAR -> "view.setUint8(" + at + ", char(" + value + ", " + name + "));";
            case FLOAT, DOUBLE ->
                "view.set" + suffix(type) + "(" + at + ", real(" + value + ", " + name + "), true);";
            case INT64 -> "putInt64(view, " + at + ", " + value + ", " + name + ");";
            case UINT64 -> "putUint64(view, " + at + ", " + value + ", " + name + ");";
            default -> "view.set" + suffix(type) + "(" + at + ", whole(" + checked + ", " + range(type) + ", " + name +
                (1 == type.size() ? "));" : "), true);");
        };
    }

    private static String writeArray(final Field field, final String at, final String value)
    {
        final int length = field.arrayLength();
        final String name = "'" + field.name() + "'";
        if (PrimitiveType.CHAR == field.type())
        {
            return "putChars(view, " + at + ", " + length + ", " + value + ", " + isUtf8(field.encoding()) + ", " +
                name + ");";
        }
        final String put = writeOne(field, at + " + " + field.type().size() + " * i", "element", name);
        return "putList(" + length + ", " + value + ", " + name + ", (element, i) => " +
            put.substring(0, put.length() - 1) + ");";
    }

    private static String suffix(final PrimitiveType type)
    {
        return switch (type)
        {
            case INT8 -> "Int8";
            case INT16 -> "Int16";
            case INT32 -> "Int32";
            case UINT8 -> "Uint8";
            case UINT16 -> "Uint16";
            case UINT32 -> "Uint32";
            case FLOAT -> "Float32";
            case DOUBLE -> "Float64";
            default -> throw new IllegalArgumentException(type + " has no accessor");
        };
    }
}
