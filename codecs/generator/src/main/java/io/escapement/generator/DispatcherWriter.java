package io.escapement.generator;

import io.escapement.generator.Schema.Message;

/** Writes a class with a method per message, which refuses it unless a subclass handles it. */
final class DispatcherWriter
{
    private final Schema schema;
    private final JavaNames names;
    private final Lines out = new Lines();

    DispatcherWriter(final Schema schema, final JavaNames names)
    {
        this.schema = schema;
        this.names = names;
    }

    String write()
    {
        names.begin(out, "org.agrona.DirectBuffer");
        out.line(0, "/**");
        out.line(0, " * Calls the method of each message of " + names.file() + ". A message without a method, and a " +
            "template id that the schema");
        out.line(0, " * does not have, are refused. One thread; the decoders are valid during the call.");
        out.line(0, " */");
        out.line(0, "public abstract class " + names.dispatcher()).line(0, "{");
        out.line(1, "private final MessageHeaderDecoder header = new MessageHeaderDecoder();");
        for (final Message message : schema.messages())
        {
            final String type = decoder(message);
            out.line(1, "private final " + type + " " + field(message) + " = new " + type + "();");
        }
        dispatch();
        out.empty().line(1, "/**");
        out.line(1, " * A message that has no method.");
        out.line(1, " *").line(1, " * @param templateId of the message.");
        out.line(1, " * @return what {@link #dispatch} returns.");
        out.line(1, " */");
        out.line(1, "protected abstract int refused(int templateId);");
        for (final Message message : schema.messages())
        {
            out.empty().javadoc(1, message.description());
            out.line(1, "protected int on" + JavaNames.upperFirst(message.root().name()) + "(final " +
                decoder(message) + " message)").line(1, "{");
            out.line(2, "return refused(" + decoder(message) + ".TEMPLATE_ID);").line(1, "}");
        }
        out.line(0, "}");
        return out.toString();
    }

    private void dispatch()
    {
        out.empty().line(1, "/**");
        out.line(1, " * Call the method of a message.");
        out.line(1, " *");
        out.line(1, " * @param buffer with the message, which is valid by {@link " + names.layout() + "}.");
        out.line(1, " * @param offset of its header.");
        out.line(1, " * @return what the method has returned.");
        out.line(1, " */");
        out.line(1, "public final int dispatch(final DirectBuffer buffer, final int offset)").line(1, "{");
        out.line(2, "header.wrap(buffer, offset);");
        out.line(2, "final int body = offset + MessageHeaderDecoder.ENCODED_LENGTH;");
        out.line(2, "final int templateId = header.templateId();");
        out.line(2, "switch (templateId)").line(2, "{");
        for (final Message message : schema.messages())
        {
            out.line(3, "case " + decoder(message) + ".TEMPLATE_ID:");
            out.line(4, field(message) + ".wrap(buffer, body, " + decoder(message) + ".BLOCK_LENGTH, " +
                decoder(message) + ".SCHEMA_VERSION);");
            out.line(4, "return on" + JavaNames.upperFirst(message.root().name()) + "(" + field(message) + ");");
        }
        out.line(3, "default:").line(4, "return refused(templateId);").line(2, "}").line(1, "}");
    }

    private static String decoder(final Message message)
    {
        return JavaNames.type(message.root().name()) + "Decoder";
    }

    private static String field(final Message message)
    {
        return JavaNames.lowerFirst(message.root().name()) + "Message";
    }
}
