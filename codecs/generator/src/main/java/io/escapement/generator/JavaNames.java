package io.escapement.generator;

import io.escapement.generator.Schema.Message;
import uk.co.real_logic.sbe.generation.java.JavaUtil;

/**
 * The names of the generated classes of a schema.
 *
 * @param namespace of the classes.
 * @param file      of the schema.
 * @param prefix    of the classes that are not of one message.
 */
record JavaNames(String namespace, String file, String prefix)
{
    String layout()
    {
        return prefix + "Layout";
    }

    String encoder()
    {
        return prefix + "Encoder";
    }

    String dispatcher()
    {
        return prefix + "Dispatcher";
    }

    /** A message called like one of the other classes would hide it. */
    void requireFree(final Schema schema)
    {
        for (final Message message : schema.messages())
        {
            if (prefix.equals(message.root().name()))
            {
                throw new IllegalStateException("its message " + prefix + " and the schema need one class name: " +
                    "rename the file");
            }
        }
    }

    /** Begin a file. */
    void begin(final Lines out, final String... imports)
    {
        out.line(0, "// Generated from " + file + ". Do not edit.");
        out.line(0, "package " + namespace + ";").empty();
        for (final String name : imports)
        {
            out.line(0, "import " + name + ";");
        }
        out.empty();
    }

    /** The name of a property as the SBE tool writes it in Java. */
    static String property(final String name)
    {
        return JavaUtil.formatPropertyName(name);
    }

    /** The name of a class as the SBE tool writes it in Java. */
    static String type(final String name)
    {
        return JavaUtil.formatClassName(name);
    }

    static String upperFirst(final String name)
    {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    static String lowerFirst(final String name)
    {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** A name in the style of a constant. */
    static String constant(final String name)
    {
        final StringBuilder constant = new StringBuilder();
        for (int i = 0; i < name.length(); i++)
        {
            final boolean isWord = i > 0 && Character.isUpperCase(name.charAt(i)) &&
                !Character.isUpperCase(name.charAt(i - 1));
            constant.append(isWord ? "_" : "").append(Character.toUpperCase(name.charAt(i)));
        }
        return constant.toString();
    }
}
