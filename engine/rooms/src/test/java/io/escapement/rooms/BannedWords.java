package io.escapement.rooms;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds words in Javadoc, comments, pages and schema descriptions that readers of this field would have to translate.
 * Text is read across line ends, without code samples and the targets of links. Inline code becomes the word "code".
 */
final class BannedWords
{
    private static final String WHO_DOES_WHAT = "say which part does what: notify, publish, report, return";
    private static final Pattern LINK_OR_TAG = Pattern.compile("\\]\\([^)]*\\)|</?[a-z]+>");
    private static final Pattern CODE = Pattern.compile("\\{@(code|link|value|linkplain)[^}]*}?|`[^`]*`");

    private static final List<Ban> BANS = List.of(
        word("told", WHO_DOES_WHAT),
        word("tells", WHO_DOES_WHAT),
        word("heard", "code does not hear: receive, poll, time out"),
        word("hears", "code does not hear: receive, poll, is notified"),
        word("anew", "again, or the verb itself: recompile, recreate"),
        word("of its own", "its own, separate, or name the owner"),
        word("so many", "name the number or the limit"),
        word("meanwhile", "while, or name the event"),
        new Ban("a sentence that begins with \"What\"", Pattern.compile("(?:^|[.!?]\\s+)What\\b[^.!?]*(?:[.!]|$)"),
            "begin with the subject: who does it, or which value it is"));

    private BannedWords()
    {
    }

    static List<String> inJava(final String path, final List<String> lines)
    {
        return java(path, lines).offences();
    }

    static List<String> inPage(final String path, final List<String> lines)
    {
        return page(path, lines).offences();
    }

    /** The paragraphs of the Javadoc and of the comments. */
    static Prose java(final String path, final List<String> lines)
    {
        final Prose prose = new Prose(path);
        boolean isBlock = false;
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i).trim();
            final int slashes = lineComment(line);
            if (isBlock || line.startsWith("/*"))
            {
                isBlock = !line.contains("*/");
                final String text = line.replaceFirst("^/?\\*+/?", "").replace("*/", "");
                prose.add(i + 1, text, text.trim().startsWith("@") || text.trim().startsWith("<p>"));
                if (!isBlock)
                {
                    prose.end();
                }
            }
            else if (slashes >= 0)
            {
                prose.add(i + 1, line.substring(slashes + 2), slashes > 0);
            }
            else
            {
                prose.end();
            }
        }
        prose.end();
        return prose;
    }

    /** The paragraphs, headings, items and rows of a page. */
    static Prose page(final String path, final List<String> lines)
    {
        final Prose prose = new Prose(path);
        boolean isCode = false;
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            if (line.startsWith("```"))
            {
                isCode = !isCode;
                prose.end();
            }
            else if (!isCode && !line.startsWith("    "))
            {
                final boolean begins = line.isBlank() || line.startsWith("#") || line.startsWith("|") ||
                    line.matches("\\s*([-*]|\\d+\\.) .*");
                prose.add(i + 1, line.replaceFirst("^\\s*(#+|[-*]|\\d+\\.) ", "").replace('|', '.'), begins);
            }
        }
        prose.end();
        return prose;
    }

    static List<String> inXml(final String path, final List<String> lines)
    {
        final Prose prose = new Prose(path);
        final Pattern description = Pattern.compile("description=\"([^\"]*)\"");
        for (int i = 0; i < lines.size(); i++)
        {
            final Matcher matcher = description.matcher(lines.get(i));
            if (matcher.find())
            {
                prose.add(i + 1, matcher.group(1), true);
            }
            else if (!lines.get(i).contains("<") || lines.get(i).contains("<!--"))
            {
                prose.add(i + 1, lines.get(i).replaceAll("<!--|-->", ""), lines.get(i).contains("<!--"));
            }
            else
            {
                prose.end();
            }
        }
        prose.end();
        return prose.offences();
    }

    // Two slashes that are neither in a string nor in an address.
    private static int lineComment(final String line)
    {
        boolean isQuoted = false;
        for (int i = 0; i + 1 < line.length(); i++)
        {
            final char character = line.charAt(i);
            if ('"' == character && (0 == i || '\\' != line.charAt(i - 1) && '\'' != line.charAt(i - 1)))
            {
                isQuoted = !isQuoted;
            }
            else if (!isQuoted && '/' == character && '/' == line.charAt(i + 1))
            {
                return i;
            }
        }
        return -1;
    }

    private static Ban word(final String text, final String instead)
    {
        return new Ban(text, Pattern.compile("\\b" + text.replace(" ", "\\s+") + "\\b", Pattern.CASE_INSENSITIVE),
            instead);
    }

    private record Ban(String name, Pattern pattern, String instead)
    {
    }

    /** Collects the lines of paragraphs, and finds bans in them. */
    static final class Prose
    {
        private final List<Paragraph> paragraphs = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private final List<int[]> lineStarts = new ArrayList<>();
        private final String path;

        Prose(final String path)
        {
            this.path = path;
        }

        void add(final int line, final String part, final boolean begins)
        {
            if (begins)
            {
                end();
            }
            final String noLinks = part.indexOf('(') >= 0 || part.indexOf('<') >= 0 ?
                LINK_OR_TAG.matcher(part).replaceAll("") : part;
            final String plain = noLinks.indexOf('@') >= 0 || noLinks.indexOf('`') >= 0 ?
                CODE.matcher(noLinks).replaceAll("code").trim() : noLinks.trim();
            if (!plain.isEmpty())
            {
                text.append(text.isEmpty() ? "" : " ");
                lineStarts.add(new int[]{text.length(), line});
                text.append(plain);
            }
        }

        void end()
        {
            if (!text.isEmpty())
            {
                paragraphs.add(new Paragraph(text.toString(), List.copyOf(lineStarts)));
                text.setLength(0);
                lineStarts.clear();
            }
        }

        List<String> paragraphs()
        {
            return paragraphs.stream().map(Paragraph::text).toList();
        }

        List<String> offences()
        {
            final List<String> offences = new ArrayList<>();
            for (final Paragraph paragraph : paragraphs)
            {
                for (final Ban ban : BANS)
                {
                    for (final Matcher matcher = ban.pattern.matcher(paragraph.text); matcher.find();)
                    {
                        offences.add(path + ":" + paragraph.lineOf(matcher.start()) + ": " + ban.name + " (" +
                            ban.instead + ")");
                    }
                }
            }
            return offences;
        }
    }

    private record Paragraph(String text, List<int[]> lineStarts)
    {
        int lineOf(final int position)
        {
            int line = 0;
            for (final int[] start : lineStarts)
            {
                if (start[0] <= position)
                {
                    line = start[1];
                }
            }
            return line;
        }
    }
}
