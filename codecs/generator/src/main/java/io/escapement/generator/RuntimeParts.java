package io.escapement.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of the runtime that a module needs. A part is one declaration with its comment. */
final class RuntimeParts
{
    private static final Pattern BETWEEN_PARTS = Pattern.compile("\\n\\n(?=\\S)");
    private static final Pattern DECLARATION =
        Pattern.compile("^(export )?(?:function|class|const|let) (\\w+)", Pattern.MULTILINE);

    private RuntimeParts()
    {
    }

    /**
     * The exported parts, and every part with a name that occurs in the code or in another needed part.
     *
     * @param runtime all parts.
     * @param code    of the module.
     * @return the parts in their order.
     */
    static String usedBy(final String code, final String runtime)
    {
        final List<String> parts = List.of(BETWEEN_PARTS.split(runtime.strip()));
        final List<String> used = new ArrayList<>();
        for (boolean isMore = true; isMore;)
        {
            final String users = code + String.join("\n", used);
            isMore = false;
            for (final String part : parts)
            {
                if (!used.contains(part) && isNeeded(part, users))
                {
                    used.add(part);
                    isMore = true;
                }
            }
        }
        return String.join("\n\n", parts.stream().filter(used::contains).toList()) + "\n";
    }

    private static boolean isNeeded(final String part, final String users)
    {
        final Matcher declaration = DECLARATION.matcher(part);
        if (!declaration.find())
        {
            throw new IllegalStateException("not a declaration: " + part);
        }
        return null != declaration.group(1) ||
            Pattern.compile("\\b" + declaration.group(2) + "\\b").matcher(users).find();
    }
}
