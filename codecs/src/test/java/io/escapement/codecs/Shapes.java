package io.escapement.codecs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.MessageSchema;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/** The messages of a schema as its XML defines them, read by the code generator's parser. */
public final class Shapes
{
    /** A block: the length of its fields, and the groups and data that follow. */
    public static final class Block
    {
        public final List<Object> parts = new ArrayList<>();
        /** Of each part: most bytes of data, or most entries of a group. */
        final List<Integer> limits = new ArrayList<>();
        int length;
        /** Bytes of each of a group's two leading numbers. */
        int numberLength;

        long longest()
        {
            long longest = length;
            for (int i = 0; i < parts.size(); i++)
            {
                longest += parts.get(i) instanceof Block group ?
                    2 * group.numberLength + limits.get(i) * group.longest() : Short.BYTES + limits.get(i);
            }
            return longest;
        }
    }

    static final String DATA = "data";
    /** More than the longest data that two bytes can count. */
    private static final int CAPACITY = 128 * 1_024;

    public final Map<Integer, Block> byTemplate = new TreeMap<>();
    public final Map<Integer, String> nameByTemplate = new TreeMap<>();
    final String javaPackage;
    final int schemaId;
    final int version;

    public Shapes(final String schema)
    {
        final Ir ir = parse(schema);
        javaPackage = ir.applicableNamespace();
        schemaId = ir.id();
        version = ir.version();
        for (final List<Token> message : ir.messages())
        {
            final Block block = new Block();
            read(message, 1, message.size() - 1, block);
            byTemplate.put(message.get(0).id(), block);
            nameByTemplate.put(message.get(0).id(), message.get(0).name());
        }
    }

    /** The ids of all messages, then two that the schema does not have: between them and above. */
    public List<Integer> everyId()
    {
        final List<Integer> ids = new ArrayList<>(byTemplate.keySet());
        int free = 1;
        while (byTemplate.containsKey(free))
        {
            free++;
        }
        ids.add(free);
        ids.add(65_000);
        return ids;
    }

    /** The shortest message, of zeros; of an id that the schema does not have, a header. */
    public byte[] shortest(final int template)
    {
        final Block block = byTemplate.get(template);
        if (null == block)
        {
            return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putShort(2, (short)template)
                .putShort(4, (short)schemaId).putShort(6, (short)version).array();
        }
        final byte[] message = message(template, new int[block.parts.size()]);
        Arrays.fill(message, 8, 8 + block.length, (byte)0);
        return message;
    }

    /** A message: a root block of distinct bytes, then data and groups of these sizes. */
    public byte[] message(final int template, final int... sizes)
    {
        final Block block = byTemplate.get(template);
        final ByteBuffer out = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN)
            .putShort((short)block.length).putShort((short)template)
            .putShort((short)schemaId).putShort((short)version);
        for (int i = 1; i <= block.length; i++)
        {
            out.put((byte)i);
        }
        for (int i = 0; i < sizes.length; i++)
        {
            if (DATA == block.parts.get(i))
            {
                out.putShort((short)sizes[i]).position(out.position() + sizes[i]);
            }
            else
            {
                group(out, (Block)block.parts.get(i), sizes[i]);
            }
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Elements of zeros, the n-th with data of n bytes. */
    private void group(final ByteBuffer out, final Block group, final int count)
    {
        number(out, group.numberLength, group.length);
        number(out, group.numberLength, count);
        for (int i = 0; i < count; i++)
        {
            out.position(out.position() + group.length);
            for (int data = 0; data < group.parts.size(); data++)
            {
                out.putShort((short)i).position(out.position() + i);
            }
        }
    }

    private static void number(final ByteBuffer out, final int length, final int value)
    {
        if (Byte.BYTES == length)
        {
            out.put((byte)value);
        }
        else
        {
            out.putShort((short)value);
        }
    }

    private void read(final List<Token> tokens, final int from, final int to, final Block block)
    {
        for (int i = from; i < to; i += tokens.get(i).componentTokenCount())
        {
            final Token token = tokens.get(i);
            if (Signal.BEGIN_FIELD == token.signal())
            {
                block.length += tokens.get(i + 1).encodedLength();
            }
            else if (Signal.BEGIN_GROUP == token.signal())
            {
                final Block group = new Block();
                group.numberLength = tokens.get(i + 1).encodedLength() / 2;
                read(tokens, i + 1 + tokens.get(i + 1).componentTokenCount(),
                    i + token.componentTokenCount() - 1, group);
                block.parts.add(group);
                block.limits.add(limit(tokens.get(i + 3)));
            }
            else
            {
                block.parts.add(DATA);
                block.limits.add(limit(tokens.get(i + 2)));
            }
        }
    }

    /** The greatest value of the count of a group, or of the length of data. */
    private static int limit(final Token number)
    {
        return (int)number.encoding().applicableMaxValue().longValue();
    }

    static Ir parse(final String name)
    {
        try (InputStream in = Shapes.class.getResourceAsStream(name))
        {
            final MessageSchema schema = XmlSchemaParser.parse(in, ParserOptions.DEFAULT);
            return new IrGenerator().generate(schema);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
        catch (final Exception e)
        {
            throw new IllegalStateException(name + " does not parse", e);
        }
    }
}
