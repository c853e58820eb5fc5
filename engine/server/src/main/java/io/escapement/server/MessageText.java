package io.escapement.server;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.json.JsonPrinter;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.MessageSchema;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/**
 * Commands of a log as text. The commands themselves have the engine's schema. A player's message has the game's
 * schema, which its room type names.
 */
final class MessageText
{
    private static final int SBE_HEADER_LENGTH = 8;
    private static final int DATA = MessageHeaderDecoder.ENCODED_LENGTH + MessageDecoder.BLOCK_LENGTH + Short.BYTES;

    private final Ir commands = ir(RoomCommands.class, "room.xml");
    private final JsonPrinter commandPrinter = new JsonPrinter(commands);
    /** By the id of a type. Absent if it names no schema. */
    private final Map<Integer, Ir> schemaByTypeIdMap = new HashMap<>();

    MessageText(final List<RoomType> types)
    {
        for (final RoomType type : types)
        {
            if (null != type.messagesAnchor())
            {
                schemaByTypeIdMap.put(type.id(), ir(type.messagesAnchor(), type.messagesResource()));
            }
        }
    }

    /** Name of a command. */
    private String name(final DirectBuffer command)
    {
        return commands.getMessage(SchemaRules.templateId(command, 0)).get(0).name();
    }

    /** Whether a command is the message of a seat. */
    static boolean isMessage(final DirectBuffer command)
    {
        return MessageDecoder.TEMPLATE_ID == SchemaRules.templateId(command, 0);
    }

    /** Index of the seat that sent a message. */
    static int seat(final DirectBuffer command)
    {
        return new MessageDecoder().wrapAndApplyHeader(command, 0, new MessageHeaderDecoder()).seatIndex();
    }

    /** Whether a message, or a command, has a name or an id. */
    boolean is(final DirectBuffer command, final int typeId, final String template)
    {
        if (template.equalsIgnoreCase(name(command)))
        {
            return true;
        }
        if (!isMessage(command) || command.capacity() < DATA + SBE_HEADER_LENGTH)
        {
            return false;
        }
        final int id = SchemaRules.templateId(command, DATA);
        return template.equals(Integer.toString(id)) || template.equalsIgnoreCase(nameOf(typeId, id));
    }

    /** A command as a JSON object, in one line. A message that does not follow the game's schema is shown as bytes. */
    String json(final DirectBuffer command, final int typeId)
    {
        final String own = isMessage(command) ? nameOf(typeId, command) : null;
        if (null != own)
        {
            try
            {
                return "{\"seat\":" + seat(command) + "," +
                    json(own, new JsonPrinter(schemaByTypeIdMap.get(typeId)), command, DATA);
            }
            catch (final IllegalArgumentException | IndexOutOfBoundsException ignored)
            {
                // A player may send anything, and then the command is shown.
            }
        }
        return "{" + json(name(command), commandPrinter, command, 0);
    }

    /**
     * Encode a message of a game.
     *
     * @param typeId of its room.
     * @param name   of the message, or its id.
     * @param fields and their values, such as speed=3.
     * @throws IllegalArgumentException naming the part that the schema does not allow.
     */
    DirectBuffer encode(final int typeId, final String name, final List<String> fields)
    {
        final Ir schema = schemaByTypeIdMap.get(typeId);
        if (null == schema)
        {
            throw new IllegalArgumentException(
                name + ": room type " + typeId + " names no schema (send the message as bytes)");
        }
        final MessageBytes message = new MessageBytes(schema, name);
        for (final String field : fields)
        {
            final int equals = field.indexOf('=');
            if (equals < 1)
            {
                throw new IllegalArgumentException(field + ": use field=value");
            }
            message.set(field.substring(0, equals), field.substring(equals + 1));
        }
        return message.bytes();
    }

    private static String json(
        final String name, final JsonPrinter printer, final DirectBuffer message, final int offset)
    {
        final StringBuilder text = new StringBuilder("\"").append(name).append("\":");
        printer.print(bytes(message, offset), text);
        return text.append('}').toString().replaceAll("\\s*\n\\s*", "");
    }

    private String nameOf(final int typeId, final DirectBuffer command)
    {
        return command.capacity() < DATA + SBE_HEADER_LENGTH ? null :
            nameOf(typeId, SchemaRules.templateId(command, DATA));
    }

    /** Name of a message of a game, or null. */
    private String nameOf(final int typeId, final int templateId)
    {
        final Ir schema = schemaByTypeIdMap.get(typeId);
        final List<Token> message = null == schema ? null : schema.getMessage(templateId);
        return null == message ? null : message.get(0).name();
    }

    private static ByteBuffer bytes(final DirectBuffer command, final int offset)
    {
        final byte[] bytes = new byte[command.capacity() - offset];
        command.getBytes(offset, bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static Ir ir(final Class<?> anchor, final String resource)
    {
        try (InputStream in = anchor.getResourceAsStream(resource))
        {
            if (null == in)
            {
                throw new IllegalStateException(resource + ": not a resource of " + anchor.getName());
            }
            final MessageSchema schema =
                XmlSchemaParser.parse(in, ParserOptions.builder().suppressOutput(true).build());
            return new IrGenerator().generate(schema);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(resource + " of " + anchor.getName() + ": " + ex.getMessage(), ex);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(resource + " is no SBE schema: " + ex.getMessage(), ex);
        }
    }
}
