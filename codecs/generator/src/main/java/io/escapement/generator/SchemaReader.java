package io.escapement.generator;

import io.escapement.generator.Schema.Block;
import io.escapement.generator.Schema.Composite;
import io.escapement.generator.Schema.Enumeration;
import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Kind;
import io.escapement.generator.Schema.Message;
import io.escapement.generator.Schema.Section;
import io.escapement.generator.Schema.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import uk.co.real_logic.sbe.PrimitiveType;
import uk.co.real_logic.sbe.PrimitiveValue;
import uk.co.real_logic.sbe.ir.Encoding;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;

/** Reads the SBE tool's tokens. */
final class SchemaReader
{
    private static final String ID = "id";
    private static final List<String> HEADER = List.of("blockLength", "templateId", "schemaId", "version");
    /** Methods of every decoder of JavaScript. */
    private static final Set<String> RESERVED = Set.of("wrap", "toObject", "constructor", "next");
    /** Names that the module uses itself. */
    private static final Set<String> RESERVED_CLASSES = Set.of(
        "SbeMessage", "SbeGroup", "Array", "BigInt", "DataView", "Map", "Number", "Object", "RangeError", "String",
        "TextDecoder", "TextEncoder", "TypeError", "Uint8Array");

    /** A length of 32 bits may be greater, a message may not. */
    private static final int MAX_LENGTH = 1 << 30;

    private final Ir ir;
    private final Map<String, Enumeration> enumByNameMap = new LinkedHashMap<>();
    private final Map<String, Enumeration> setByNameMap = new LinkedHashMap<>();
    private final Map<String, Composite> compositeByNameMap = new LinkedHashMap<>();
    private final Set<String> classNames = new HashSet<>();

    SchemaReader(final Ir ir)
    {
        this.ir = ir;
    }

    Schema read()
    {
        final List<Token> header = ir.headerStructure().tokens();
        requireUsual(fieldsOf(header, 1, header.size() - 1));
        final List<Message> messages = new ArrayList<>();
        for (final List<Token> tokens : ir.messages())
        {
            final Token token = tokens.get(0);
            final Block root = block(className(token.name()), tokens, 1, tokens.size() - 1, token.encodedLength());
            messages.add(new Message(token.id(), text(token), root));
        }
        messages.sort(Comparator.comparingInt(Message::templateId));
        return new Schema(ir.id(), ir.version(), null == ir.description() ? "" : ir.description(),
            List.copyOf(enumByNameMap.values()), List.copyOf(setByNameMap.values()),
            List.copyOf(compositeByNameMap.values()), messages);
    }

    private static void requireUsual(final List<Field> header)
    {
        boolean isUsual = HEADER.equals(header.stream().map(Field::name).toList());
        for (int i = 0; isUsual && i < header.size(); i++)
        {
            isUsual = PrimitiveType.UINT16 == header.get(i).type() && i * Short.BYTES == header.get(i).offset();
        }
        if (!isUsual)
        {
            throw new IllegalStateException("messageHeader: expected a uint16 each for " + HEADER);
        }
    }

    /** Fields, groups and data between two tokens. */
    private Block block(
        final String name, final List<Token> tokens, final int from, final int to, final int blockLength)
    {
        final List<Field> fields = new ArrayList<>();
        final List<Section> sections = new ArrayList<>();
        for (int i = from; i < to; i += tokens.get(i).componentTokenCount())
        {
            final Token token = tokens.get(i);
            switch (token.signal())
            {
                case BEGIN_FIELD -> fields.add(field(tokens, i));
                case BEGIN_GROUP -> sections.add(group(name, tokens, i));
                case BEGIN_VAR_DATA -> sections.add(data(tokens, i));
                default -> throw new IllegalStateException("unexpected " + token);
            }
        }
        requireDistinct(name, fields, sections);
        return new Block(name, fields, blockLength, sections);
    }

    private Section group(final String owner, final List<Token> tokens, final int at)
    {
        final Token token = tokens.get(at);
        final Token dimensions = tokens.get(at + 1);
        final int prefixEnd = at + 1 + dimensions.componentTokenCount();
        final String name = className(owner + JavaNames.upperFirst(token.name()));
        final Block entry =
            block(name, tokens, prefixEnd, at + token.componentTokenCount() - 1, token.encodedLength());
        return new Section(property(token.name()), text(token),
            fieldsOf(tokens, at + 2, prefixEnd - 1), dimensions.encodedLength(),
            limit(find(tokens, at + 2, prefixEnd - 1, "numInGroup")), entry, null);
    }

    private Section data(final List<Token> tokens, final int at)
    {
        final Token token = tokens.get(at);
        final Token length = tokens.get(at + 2);
        final Token bytes = tokens.get(at + 3);
        return new Section(property(token.name()), text(token),
            List.of(primitive(length, length.name(), "", length.offset(), null)),
            length.encodedLength(), limit(length), null, bytes.encoding().characterEncoding());
    }

    private static Token find(final List<Token> tokens, final int from, final int to, final String name)
    {
        return tokens.subList(from, to).stream().filter((token) -> name.equals(token.name())).findFirst().orElseThrow();
    }

    /** The greatest value of a leading number: that of its type, or a lower maxValue of the schema. */
    private static int limit(final Token number)
    {
        return (int)Math.min(number.encoding().applicableMaxValue().longValue(), MAX_LENGTH);
    }

    private Field field(final List<Token> tokens, final int at)
    {
        final Token token = tokens.get(at);
        return member(tokens, at + 1, token.name(), text(token), token.encoding());
    }

    private List<Field> fieldsOf(final List<Token> tokens, final int from, final int to)
    {
        final List<Field> fields = new ArrayList<>();
        for (int i = from; i < to; i += tokens.get(i).componentTokenCount())
        {
            final Token token = tokens.get(i);
            fields.add(member(tokens, i, token.name(), text(token), token.encoding()));
        }
        return fields;
    }

    private Field member(
        final List<Token> tokens,
        final int at,
        final String name,
        final String description,
        final Encoding declared)
    {
        final Token type = tokens.get(at);
        final String typeName = JavaNames.upperFirst(type.applicableTypeName());
        return switch (type.signal())
        {
            case ENCODING -> primitive(type, property(name), description, type.offset(), declared);
            case BEGIN_ENUM ->
            {
                final Enumeration enumeration = enumeration(tokens, at);
                final boolean isConstant = type.isConstantEncoding() ||
                    Encoding.Presence.CONSTANT == declared.presence();
                yield new Field(property(name), description, isConstant ? Kind.CONSTANT : Kind.ENUM,
                    type.encoding().primitiveType(), typeName, type.offset(), 1,
                    isConstant ? 0 : type.encodedLength(), true,
                    literal(type.encoding().applicableNullValue(), type.encoding().primitiveType(), false),
                    isConstant ? constant(enumeration, type, declared) : null, false,
                    meaning(type.encoding(), declared), null);
            }
            case BEGIN_SET ->
            {
                set(tokens, at);
                yield new Field(property(name), description, Kind.SET, type.encoding().primitiveType(), typeName,
                    type.offset(), 1, type.encodedLength(), false, null, null, false, null, null);
            }
            case BEGIN_COMPOSITE ->
            {
                composite(tokens, at);
                yield new Field(property(name), description, Kind.COMPOSITE, null, typeName, type.offset(), 1,
                    type.encodedLength(), false, null, null, false, meaning(type.encoding(), declared), null);
            }
            default -> throw new IllegalStateException("unexpected " + type);
        };
    }

    private static Field primitive(
        final Token token,
        final String name,
        final String description,
        final int offset,
        final Encoding declared)
    {
        final Encoding encoding = token.encoding();
        final PrimitiveType type = encoding.primitiveType();
        final boolean isId = 8 == type.size() && PrimitiveType.DOUBLE != type &&
            ID.equals(meaning(encoding, declared));
        if (token.isConstantEncoding())
        {
            return new Field(name, description, Kind.CONSTANT, type, null, offset, 1, 0, false, null,
                constant(encoding, isId), isId, null, encoding.characterEncoding());
        }
        final boolean isOptional = token.isOptionalEncoding() && 1 == token.arrayLength();
        return new Field(name, description, Kind.PRIMITIVE, type, null, offset, token.arrayLength(),
            token.encodedLength(), isOptional,
            1 == token.arrayLength() ? literal(encoding.applicableNullValue(), type, isId) : null, null, isId,
            meaning(encoding, declared), PrimitiveType.CHAR == type ? encoding.characterEncoding() : null);
    }

    /** The semantic type of a field, or of its type. */
    private static String meaning(final Encoding encoding, final Encoding declared)
    {
        return null == declared || null == declared.semanticType() ? encoding.semanticType() : declared.semanticType();
    }

    private static String constant(final Encoding encoding, final boolean isId)
    {
        final PrimitiveValue value = encoding.constValue();
        return PrimitiveType.CHAR == encoding.primitiveType() ?
            quoted(value.toString()) : literal(value, encoding.primitiveType(), isId);
    }

    private static String constant(final Enumeration enumeration, final Token type, final Encoding declared)
    {
        final PrimitiveValue held =
            null == declared.constValue() ? type.encoding().constValue() : declared.constValue();
        final String reference = held.toString();
        final String name = reference.substring(reference.indexOf('.') + 1);
        for (final Value value : enumeration.values())
        {
            if (value.name().equals(name))
            {
                return value.literal();
            }
        }
        throw new IllegalStateException(reference + " is not a value of " + enumeration.name());
    }

    private Enumeration enumeration(final List<Token> tokens, final int at)
    {
        final Token token = tokens.get(at);
        final PrimitiveType type = token.encoding().primitiveType();
        return enumByNameMap.computeIfAbsent(token.applicableTypeName(), (name) ->
        {
            final List<Value> values = new ArrayList<>();
            for (int i = at + 1; Signal.END_ENUM != tokens.get(i).signal(); i++)
            {
                final Token value = tokens.get(i);
                values.add(new Value(value.name(), text(value), literal(value.encoding().constValue(), type, false)));
            }
            return new Enumeration(className(name), text(token), type, values);
        });
    }

    private void set(final List<Token> tokens, final int at)
    {
        final Token token = tokens.get(at);
        final PrimitiveType type = token.encoding().primitiveType();
        setByNameMap.computeIfAbsent(token.applicableTypeName(), (name) ->
        {
            final List<Value> values = new ArrayList<>();
            for (int i = at + 1; Signal.END_SET != tokens.get(i).signal(); i++)
            {
                final Token choice = tokens.get(i);
                final BigInteger bit = BigInteger.ONE.shiftLeft((int)choice.encoding().constValue().longValue());
                values.add(new Value(choice.name(), text(choice), bit + (8 == type.size() ? "n" : "")));
            }
            return new Enumeration(className(name), text(token), type, values);
        });
    }

    private void composite(final List<Token> tokens, final int at)
    {
        final Token token = tokens.get(at);
        if (!compositeByNameMap.containsKey(token.applicableTypeName()))
        {
            final String name = className(token.applicableTypeName());
            final List<Field> fields = fieldsOf(tokens, at + 1, at + token.componentTokenCount() - 1);
            requireDistinct(name, fields, List.of());
            compositeByNameMap.put(token.applicableTypeName(), new Composite(name, text(token), fields));
        }
    }

    /** A number of JavaScript; a character is a string of it. */
    private static String literal(final PrimitiveValue value, final PrimitiveType type, final boolean isId)
    {
        return switch (type)
        {
            case CHAR -> quoted(Character.toString((char)(value.longValue() & 0xFF)));
            case FLOAT, DOUBLE -> Double.isNaN(value.doubleValue()) ? "NaN" : Double.toString(value.doubleValue());
            case UINT64 -> isId ? Long.toUnsignedString(value.longValue()) + "n" :
                Long.toUnsignedString(value.longValue());
            default -> value.longValue() + (isId ? "n" : "");
        };
    }

    private static String quoted(final String text)
    {
        final StringBuilder quoted = new StringBuilder("'");
        for (final char character : text.toCharArray())
        {
            if (character < ' ' || '\'' == character || '\\' == character || character > '~')
            {
                quoted.append(String.format("\\u%04x", (int)character));
            }
            else
            {
                quoted.append(character);
            }
        }
        return quoted.append('\'').toString();
    }

    private static String property(final String name)
    {
        final String property = JavaNames.lowerFirst(name);
        if (RESERVED.contains(property) || '_' == property.charAt(0))
        {
            throw new IllegalStateException(name + ": a field cannot be called " + RESERVED.stream().sorted().toList() +
                ", or begin with _: rename it");
        }
        return property;
    }

    private String className(final String name)
    {
        final String className = JavaNames.upperFirst(name);
        claim(className);
        return className;
    }

    private void claim(final String className)
    {
        if (RESERVED_CLASSES.contains(className) || !classNames.add(className))
        {
            throw new IllegalStateException("two things of the schema would be called " + className);
        }
    }

    private static void requireDistinct(final String owner, final List<Field> fields, final List<Section> sections)
    {
        final Set<String> names = new HashSet<>();
        for (final Field field : fields)
        {
            requireNew(owner, names, field.name());
        }
        for (final Section section : sections)
        {
            requireNew(owner, names, section.name());
            if (!section.isGroup())
            {
                requireNew(owner, names, section.name() + "Bytes");
                requireNew(owner, names, section.name() + "Offset");
                requireNew(owner, names, section.name() + "Length");
            }
        }
    }

    private static void requireNew(final String owner, final Set<String> names, final String name)
    {
        if (!names.add(name))
        {
            throw new IllegalStateException(owner + " would have two properties called " + name);
        }
    }

    private static String text(final Token token)
    {
        return null == token.description() ? "" : token.description();
    }
}
