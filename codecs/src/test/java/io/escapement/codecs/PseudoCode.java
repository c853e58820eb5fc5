package io.escapement.codecs;

import io.escapement.codecs.player.CloseCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import uk.co.real_logic.sbe.ir.Encoding;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;

/**
 * The pseudo-code of a page, against a schema. A sent message must name its fields in the order of the schema, all
 * except optional fields. {@code name.field} must be a field of a message that an earlier line awaits. Each word with a
 * capital must be a message or a code.
 */
final class PseudoCode
{
    private static final Pattern STEP = Pattern.compile(" *(send|await) (?:(control|loop) )?(\\w+)(.*)");
    private static final Pattern REFERENCE = Pattern.compile("\\b([a-z]\\w*)\\.([a-z]\\w*)\\b");
    private static final Pattern CAPITAL = Pattern.compile("\\b[A-Z]\\w+");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");

    /** A line that sends or awaits a message, on a stream or null. */
    record Step(boolean isSend, String stream, String message, int templateId)
    {
    }

    private record Field(String name, boolean isOptional, List<Field> fields)
    {
    }

    final List<Step> steps = new ArrayList<>();
    /** Lines that contradict the schema. */
    final List<String> offences = new ArrayList<>();
    private final Map<String, List<Field>> fieldsByMessage = new HashMap<>();
    private final Map<String, Integer> templateByMessage = new HashMap<>();
    private final Set<String> otherMessages;

    PseudoCode(final String block, final String schema, final String... otherMessages)
    {
        this.otherMessages = Set.of(otherMessages);
        final Ir ir = Shapes.parse(schema);
        for (final List<Token> message : ir.messages())
        {
            final String name = message.get(0).name();
            fieldsByMessage.put(name, fields(message, 1, message.size() - 1));
            templateByMessage.put(name, message.get(0).id());
        }
        final Set<String> awaited = new HashSet<>();
        for (final String line : block.split("\n"))
        {
            final String problem = check(line, awaited);
            if (null != problem)
            {
                offences.add(problem + ": " + line.trim());
            }
        }
    }

    private String check(final String line, final Set<String> awaited)
    {
        final Matcher step = STEP.matcher(line);
        if (step.matches())
        {
            final String message = step.group(3);
            if (!fieldsByMessage.containsKey(message))
            {
                return "no message " + message;
            }
            final boolean isSend = "send".equals(step.group(1));
            steps.add(new Step(isSend, step.group(2), message, templateByMessage.get(message)));
            if (isSend)
            {
                final String problem = sent(step.group(4), fieldsByMessage.get(message));
                if (null != problem)
                {
                    return problem;
                }
            }
            else
            {
                awaited.add(message);
            }
        }
        final Matcher reference = REFERENCE.matcher(QUOTED.matcher(line).replaceAll(""));
        while (reference.find())
        {
            final String message = Character.toUpperCase(reference.group(1).charAt(0)) +
                reference.group(1).substring(1);
            if (!awaited.contains(message))
            {
                return reference.group() + " before its message";
            }
            if (fieldsByMessage.get(message).stream().noneMatch((field) -> field.name.equals(reference.group(2))))
            {
                return "no field " + reference.group();
            }
        }
        final Matcher capital = CAPITAL.matcher(QUOTED.matcher(line).replaceAll(""));
        while (capital.find())
        {
            if (!isKnown(capital.group()))
            {
                return "neither a message nor a code: " + capital.group();
            }
        }
        return null;
    }

    private boolean isKnown(final String word)
    {
        for (int code = 0; code < Codes.FIRST_APPLICATION_CODE; code++)
        {
            if (word.equals(Codes.nameOf(code)))
            {
                return true;
            }
        }
        return fieldsByMessage.containsKey(word) || otherMessages.contains(word) ||
            Arrays.stream(CloseCode.values()).anyMatch((code) -> word.equals(code.name()));
    }

    /** Null if a text starts with braces that name the fields. */
    private static String sent(final String text, final List<Field> fields)
    {
        final List<String> parts = parts(text);
        int at = 0;
        for (final Field field : fields)
        {
            final String part = at < parts.size() ? parts.get(at) : "";
            final Matcher name = Pattern.compile("(\\w+)(.*)").matcher(part);
            if (name.matches() && name.group(1).equals(field.name))
            {
                final String problem = field.fields.isEmpty() ? null : sent(name.group(2), field.fields);
                if (null != problem)
                {
                    return problem;
                }
                at++;
            }
            else if (!field.isOptional)
            {
                return "lacks " + field.name + " after " + at + " fields";
            }
        }
        return at == parts.size() ? null : "no such field, or out of order: " + parts.get(at);
    }

    /** The text within the first braces, split by the commas that are not in inner braces or parentheses. */
    private static List<String> parts(final String text)
    {
        final List<String> parts = new ArrayList<>();
        int depth = 0;
        final StringBuilder part = new StringBuilder();
        for (final char character : text.toCharArray())
        {
            final boolean closes = '}' == character || ')' == character;
            depth -= closes ? 1 : 0;
            if (depth > 0 && !(1 == depth && ',' == character))
            {
                part.append(character);
            }
            if (1 == depth && ',' == character || closes && 0 == depth)
            {
                parts.add(part.toString().trim());
                part.setLength(0);
                if (0 == depth)
                {
                    return parts;
                }
            }
            depth += '{' == character || '(' == character ? 1 : 0;
        }
        return parts;
    }

    private static List<Field> fields(final List<Token> tokens, final int from, final int to)
    {
        final List<Field> fields = new ArrayList<>();
        for (int i = from; i < to; i += tokens.get(i).componentTokenCount())
        {
            final Token token = tokens.get(i);
            final boolean isOptional = Signal.BEGIN_FIELD == token.signal() &&
                (Encoding.Presence.OPTIONAL == token.encoding().presence() ||
                    Encoding.Presence.OPTIONAL == tokens.get(i + 1).encoding().presence());
            fields.add(new Field(token.name(), isOptional, Signal.BEGIN_GROUP == token.signal() ?
                fields(tokens, i + 1 + tokens.get(i + 1).componentTokenCount(), i + token.componentTokenCount() - 1) :
                List.of()));
        }
        return fields;
    }
}
