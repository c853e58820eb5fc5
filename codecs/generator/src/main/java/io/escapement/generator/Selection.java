package io.escapement.generator;

import io.escapement.generator.Schema.Block;
import io.escapement.generator.Schema.Composite;
import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Message;
import io.escapement.generator.Schema.Section;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The messages that a module encodes and decodes, and the types that they need. */
final class Selection
{
    private final boolean isWhole;
    private final Set<String> sent = new HashSet<>();
    private final Set<String> received = new HashSet<>();

    /**
     * Select messages by their names.
     *
     * @param schema   with the messages.
     * @param sends    to encode.
     * @param receives to decode. Without names in either list, a module encodes and decodes every message.
     */
    Selection(final Schema schema, final List<String> sends, final List<String> receives)
    {
        isWhole = sends.isEmpty() && receives.isEmpty();
        final List<String> names = schema.messages().stream().map((message) -> message.root().name()).toList();
        select(schema, isWhole ? names : sends, sent);
        select(schema, isWhole ? names : receives, received);
    }

    /** Whether the module has everything of the schema. */
    boolean isWhole()
    {
        return isWhole;
    }

    boolean isSent(final String name)
    {
        return sent.contains(name);
    }

    boolean isReceived(final String name)
    {
        return received.contains(name);
    }

    boolean has(final String name)
    {
        return isWhole || isSent(name) || isReceived(name);
    }

    private static void select(final Schema schema, final List<String> messages, final Set<String> names)
    {
        for (final String name : messages)
        {
            final Message message = schema.messages().stream()
                .filter((candidate) -> candidate.root().name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalStateException("no message is called " + name));
            addBlock(schema, message.root(), names);
        }
    }

    private static void addBlock(final Schema schema, final Block block, final Set<String> names)
    {
        names.add(block.name());
        addTypes(schema, block.fields(), names);
        for (final Section section : block.sections())
        {
            if (section.isGroup())
            {
                addBlock(schema, section.group(), names);
            }
        }
    }

    private static void addTypes(final Schema schema, final List<Field> fields, final Set<String> names)
    {
        for (final Field field : fields)
        {
            if (null != field.typeName() && names.add(field.typeName()))
            {
                for (final Composite composite : schema.composites())
                {
                    if (composite.name().equals(field.typeName()))
                    {
                        addTypes(schema, composite.fields(), names);
                    }
                }
            }
        }
    }
}
