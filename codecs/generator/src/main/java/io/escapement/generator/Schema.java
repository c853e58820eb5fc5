package io.escapement.generator;

import java.util.List;
import uk.co.real_logic.sbe.PrimitiveType;

/**
 * A schema in the terms of the generated code.
 *
 * @param id             of the schema.
 * @param version        of the schema.
 * @param description    of the schema.
 * @param enums          all enumerations.
 * @param sets           all sets of bits.
 * @param composites     all composites that are fields, the inner ones first.
 * @param messages       by template id.
 */
record Schema(
    int id,
    int version,
    String description,
    List<Enumeration> enums,
    List<Enumeration> sets,
    List<Composite> composites,
    List<Message> messages)
{
    /** Kinds of fields. */
    enum Kind
    {
        /** A number, a character, or a fixed-length array of them. */
        PRIMITIVE,
        /** A value of an enumeration. */
        ENUM,
        /** A set of bits. */
        SET,
        /** Several fields that stand together. */
        COMPOSITE,
        /** Not on the wire. */
        CONSTANT
    }

    /**
     * A field of a block or of a composite.
     *
     * @param name        of the property.
     * @param description from the schema.
     * @param kind        of the field.
     * @param type        on the wire; null for composites.
     * @param typeName    of an enumeration, a set or a composite.
     * @param offset      in the block.
     * @param arrayLength elements of an array, otherwise 1.
     * @param size        bytes of the whole field.
     * @param isOptional  whether it may be null.
     * @param nullLiteral the value on the wire that stands for null, as JavaScript.
     * @param constant    value of a constant, as JavaScript.
     * @param isId        whether a number of 64 bits is a bigint.
     * @param meaning     its semantic type, or that of its type; null without one.
     * @param encoding    of characters, or null.
     */
    record Field(
        String name,
        String description,
        Kind kind,
        PrimitiveType type,
        String typeName,
        int offset,
        int arrayLength,
        int size,
        boolean isOptional,
        String nullLiteral,
        String constant,
        boolean isId,
        String meaning,
        String encoding)
    {
        /** Whether a number of 8 bits is 1 or 0. */
        boolean isBoolean()
        {
            return "boolean".equals(meaning) && PrimitiveType.UINT8 == type;
        }

        /** Whether a decoder of JavaScript returns null for no value. */
        boolean isNullable()
        {
            return isOptional && !isBoolean() && !isConstant();
        }

        /** Whether an enumeration may have other values than those of the schema, and is a number in Java. */
        boolean isOpen()
        {
            return "open".equals(meaning) && Kind.ENUM == kind;
        }

        boolean isConstant()
        {
            return Kind.CONSTANT == kind;
        }

        /** Values of 64 bits that JavaScript numbers cannot hold. */
        boolean isBig()
        {
            return isId || Kind.SET == kind && 8 == type.size();
        }
    }

    /**
     * A value of an enumeration, or a bit of a set.
     *
     * @param name        of the value.
     * @param description from the schema.
     * @param literal     the value as JavaScript.
     */
    record Value(String name, String description, String literal)
    {
    }

    /**
     * An enumeration or a set.
     *
     * @param name        of the type.
     * @param description from the schema.
     * @param type        on the wire.
     * @param values      in the order of the schema.
     */
    record Enumeration(String name, String description, PrimitiveType type, List<Value> values)
    {
    }

    /**
     * A composite.
     *
     * @param name        of the type.
     * @param description from the schema.
     * @param fields      with their offsets in it.
     */
    record Composite(String name, String description, List<Field> fields)
    {
    }

    /**
     * A group or a field of variable data: its place depends on those before it.
     *
     * @param name         of the property.
     * @param description  from the schema.
     * @param prefix       the leading numbers: block length and count of a group, length of data.
     * @param prefixLength bytes of the leading numbers.
     * @param limit        most entries of a group, or most bytes of data.
     * @param group        the entries; null for data.
     * @param encoding     of characters; null for bytes.
     */
    record Section(
        String name,
        String description,
        List<Field> prefix,
        int prefixLength,
        int limit,
        Block group,
        String encoding)
    {
        boolean isGroup()
        {
            return null != group;
        }
    }

    /**
     * The root of a message, or the entry of a group.
     *
     * @param name        of the class.
     * @param fields      of fixed length.
     * @param blockLength bytes of the fields.
     * @param sections    that follow the block.
     */
    record Block(String name, List<Field> fields, int blockLength, List<Section> sections)
    {
    }

    /**
     * A message.
     *
     * @param templateId  of the message.
     * @param description from the schema.
     * @param root        of the message.
     */
    record Message(int templateId, String description, Block root)
    {
    }
}
