package io.escapement.generator;

import io.escapement.generator.Schema.Composite;
import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Kind;
import io.escapement.generator.Schema.Message;
import io.escapement.generator.Schema.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import uk.co.real_logic.sbe.PrimitiveType;

/** Writes a method per message that encodes all of it: header, fields and data. */
final class EncoderWriter
{
    /** Each method uses this name itself. The SBE tool has no fields called buffer or offset. */
    private static final String HEADER = "header";

    private final Schema schema;
    private final JavaNames names;
    private final Lines out = new Lines();

    EncoderWriter(final Schema schema, final JavaNames names)
    {
        this.schema = schema;
        this.names = names;
    }

    String write()
    {
        names.begin(out, "org.agrona.DirectBuffer", "org.agrona.MutableDirectBuffer");
        out.line(0, "/**");
        out.line(0, " * Encodes the messages of " + names.file() + ". Each method writes the message header and the " +
            "message at an offset of a");
        out.line(0, " * buffer. Its other parameters are the fields and the data in the order of the schema, and it " +
            "returns the length.");
        out.line(0, " * A message with groups, sets or arrays of numbers is not complete: its method returns the " +
            "encoder for these and");
        out.line(0, " * for the data. The encoders are reused, so each thread needs its own.");
        out.line(0, " */");
        out.line(0, "public class " + names.encoder()).line(0, "{");
        out.line(1, "private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;").empty();
        out.line(1, "private final MessageHeaderEncoder header = new MessageHeaderEncoder();");
        for (final Message message : schema.messages())
        {
            final String type = encoder(message);
            out.line(1, "private final " + type + " " + field(message) + " = new " + type + "();");
        }
        schema.messages().forEach(this::methods);
        out.line(0, "}");
        return out.toString();
    }

    private void methods(final Message message)
    {
        final boolean isWhole = isWhole(message);
        final boolean hasData = isWhole && !message.root().sections().isEmpty();
        if (isWhole)
        {
            length(message);
        }
        method(message, isWhole, false);
        if (hasData)
        {
            method(message, true, true);
        }
    }

    /** The length of the whole message, to claim a buffer of it. */
    private void length(final Message message)
    {
        final StringBuilder parameters = new StringBuilder();
        final StringBuilder sum = new StringBuilder("HEADER_LENGTH + " + encoder(message) + ".BLOCK_LENGTH");
        for (final Section section : message.root().sections())
        {
            final String length = parameter(section.name()) + "Length";
            parameters.append(0 == parameters.length() ? "" : ", ").append("final int ").append(length);
            sum.append(" + ").append(section.prefixLength()).append(" + ").append(length);
        }
        out.empty().javadoc(1, "Length of " + message.root().name() + " with its header.");
        out.line(1, "public static int " + JavaNames.lowerFirst(message.root().name()) + "Length(" + parameters + ")");
        out.line(1, "{").line(2, "return " + sum + ";").line(1, "}");
    }

    /** A method with all fields, and one without the optional ones. Data are views of buffers, or arrays. */
    private void method(final Message message, final boolean isWhole, final boolean isOfArrays)
    {
        final List<String> parameters = new ArrayList<>(List.of("MutableDirectBuffer buffer", "int offset"));
        final List<String> required = new ArrayList<>(parameters);
        final List<String> arguments = new ArrayList<>(List.of("buffer", "offset"));
        final List<String> calls = new ArrayList<>();
        final String encoder = field(message);
        for (final Field field : message.root().fields())
        {
            final List<String> added = new ArrayList<>();
            if (isParameter(field))
            {
                add(field, parameter(field.name()), encoder + ".", added, calls);
            }
            parameters.addAll(added);
            if (isOptional(field))
            {
                arguments.add(field.isBoolean() ? "false" :
                    encoder(message) + "." + JavaNames.property(field.name()) + "NullValue()");
            }
            else
            {
                required.addAll(added);
                added.forEach((parameter) -> arguments.add(nameOf(parameter)));
            }
        }
        for (final Section section : isWhole ? message.root().sections() : List.<Section>of())
        {
            final String name = parameter(section.name());
            final List<String> added = isOfArrays ? List.of("byte[] " + name) :
                List.of("DirectBuffer " + name, "int " + name + "Offset", "int " + name + "Length");
            parameters.addAll(added);
            required.addAll(added);
            added.forEach((parameter) -> arguments.add(nameOf(parameter)));
            calls.add(encoder + ".put" + JavaNames.upperFirst(section.name()) + "(" + name +
                (isOfArrays ? ", 0, " + name + ".length)" : ", " + name + "Offset, " + name + "Length)"));
        }
        final String head = "public final " + (isWhole ? "int " : encoder(message) + " ") + method(message) + "(";
        begin(message.description(), head, parameters);
        out.line(2, encoder + ".wrapAndApplyHeader(buffer, offset, header);");
        calls.forEach((call) -> out.line(2, call + ";"));
        out.line(2, isWhole ? "return HEADER_LENGTH + " + encoder + ".encodedLength();" : "return " + encoder + ";");
        out.line(1, "}");
        if (required.size() < parameters.size())
        {
            begin(message.description() + " Optional fields are null.", head, required);
            out.line(2, "return " + method(message) + "(" + String.join(", ", arguments) + ");");
            out.line(1, "}");
        }
    }

    private void begin(final String description, final String head, final List<String> parameters)
    {
        out.empty().javadoc(1, description);
        out.line(1, head);
        out.line(2, parameters.stream().map((parameter) -> "final " + parameter)
            .collect(Collectors.joining(",\n        ")) + ")");
        out.line(1, "{");
    }

    /** The name of a field as a parameter. */
    private static String parameter(final String field)
    {
        return HEADER.equals(field) ? field + "Value" : JavaNames.property(field);
    }

    private static String nameOf(final String parameter)
    {
        return parameter.substring(parameter.lastIndexOf(' ') + 1);
    }

    private static boolean isOptional(final Field field)
    {
        return Kind.PRIMITIVE == field.kind() && field.isOptional();
    }

    /** The parameters of a field, and the calls that write it. */
    private void add(
        final Field field,
        final String parameter,
        final String owner,
        final List<String> parameters,
        final List<String> calls)
    {
        final String property = JavaNames.property(field.name());
        switch (field.kind())
        {
            case CONSTANT, SET ->
            {
            }
            case ENUM ->
            {
                if (field.isOpen())
                {
                    parameters.add("int " + parameter);
                    final String place = owner + "offset() + " + field.offset();
                    calls.add(1 == field.size() ? "buffer.putByte(" + place + ", (byte)" + parameter + ")" :
                        "buffer.putShort(" + place + ", (short)" + parameter +
                            ", java.nio.ByteOrder.LITTLE_ENDIAN)");
                    return;
                }
                parameters.add(JavaNames.type(field.typeName()) + " " + parameter);
                calls.add(owner + property + "(" + parameter + ")");
            }
            case COMPOSITE -> composite(field).fields().forEach((inner) -> add(inner,
                parameter + JavaNames.upperFirst(inner.name()), owner + property + "().", parameters, calls));
            default ->
            {
                parameters.add(parameterType(field) + " " + parameter);
                calls.add(owner + write(field, parameter));
            }
        }
    }

    private static String write(final Field field, final String parameter)
    {
        final String property = JavaNames.property(field.name());
        if (field.arrayLength() > 1)
        {
            return "put" + JavaNames.upperFirst(property) + "(" + parameter + ", 0" +
                (isBytes(field) ? ", " + parameter + ".length)" : ")");
        }
        return property + "(" + cast(field) + (field.isBoolean() ? "(" + parameter + " ? 1 : 0)" : parameter) + ")";
    }

    private static boolean isBytes(final Field field)
    {
        return TypesWriter.isBytes(field);
    }

    private Composite composite(final Field field)
    {
        return schema.composites().stream().filter((composite) -> composite.name().equals(field.typeName()))
            .findFirst().orElseThrow();
    }

    /** Small numbers are ints, so that a caller needs no cast. */
    private static String parameterType(final Field field)
    {
        if (field.arrayLength() > 1 || field.isBoolean())
        {
            return field.isBoolean() ? "boolean" : "byte[]";
        }
        return switch (field.type())
        {
            case CHAR, INT8, UINT8, INT16, UINT16, INT32 -> "int";
            case UINT32, INT64, UINT64 -> "long";
            case FLOAT -> "float";
            default -> "double";
        };
    }

    private static String cast(final Field field)
    {
        return switch (field.type())
        {
            case CHAR, INT8 -> "(byte)";
            case UINT8, INT16 -> "(short)";
            default -> "";
        };
    }

    /** Whether the parameters of a method can be all of a message. */
    private boolean isWhole(final Message message)
    {
        return message.root().sections().stream().noneMatch(Section::isGroup) &&
            message.root().fields().stream().allMatch(this::isParameter);
    }

    private boolean isParameter(final Field field)
    {
        return switch (field.kind())
        {
            case SET -> false;
            case COMPOSITE -> composite(field).fields().stream().allMatch(this::isParameter);
            case PRIMITIVE -> 1 == field.arrayLength() || isBytes(field) || PrimitiveType.CHAR == field.type();
            default -> true;
        };
    }

    private static String encoder(final Message message)
    {
        return JavaNames.type(message.root().name()) + "Encoder";
    }

    private static String field(final Message message)
    {
        return JavaNames.lowerFirst(message.root().name()) + "Message";
    }

    private static String method(final Message message)
    {
        return JavaNames.property(JavaNames.lowerFirst(message.root().name()));
    }
}
