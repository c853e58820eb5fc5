package io.escapement.rooms;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts phrases of a private dialect, each against its limits in {@code phrases.txt}. The counts may only fall. If a
 * count is far below its limit, that is an offence until the limit follows.
 */
final class Phrases
{
    private static final int EXAMPLES = 12;

    private final List<Phrase> phrases;
    private final Tally pages = new Tally();
    private final Tally comments = new Tally();

    Phrases(final List<String> table)
    {
        phrases = table.stream().filter((row) -> !row.startsWith("#")).map(Phrase::of).toList();
    }

    static Phrases ofTheProject() throws IOException
    {
        try (InputStream in = Phrases.class.getResourceAsStream("phrases.txt"))
        {
            return new Phrases(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
        }
    }

    /** How far a count may fall before its limit must follow. */
    static int slack(final int most)
    {
        return 2 + most / 50;
    }

    /**
     * Count the phrases of a file.
     *
     * @param paragraphs of a page, or of the Javadoc and comments of a class.
     * @param modifiedMs of the file, because the phrases of the newest files are the examples in a message.
     */
    void add(final String path, final boolean isPage, final List<String> paragraphs, final long modifiedMs)
    {
        final Tally tally = isPage ? pages : comments;
        final String text = String.join("\n", paragraphs);
        for (int i = 0; i < phrases.size(); i++)
        {
            for (final Matcher matcher = phrases.get(i).pattern.matcher(text); matcher.find();)
            {
                tally.found(i, new Place(path, modifiedMs, text.substring(
                    Math.max(0, matcher.start() - 30), Math.min(text.length(), matcher.end() + 30))));
            }
        }
    }

    /** Counts over their limits, with the places in the newest files, and rows with limits to lower. */
    List<String> offences()
    {
        final List<String> offences = new ArrayList<>();
        for (int i = 0; i < phrases.size(); i++)
        {
            final Phrase phrase = phrases.get(i);
            final int inPages = pages.count(i);
            final int inComments = comments.count(i);
            pages.check(offences, i, phrase, "pages", phrase.mostInPages);
            comments.check(offences, i, phrase, "comments", phrase.mostInComments);
            if (inPages < phrase.mostInPages - slack(phrase.mostInPages) ||
                inComments < phrase.mostInComments - slack(phrase.mostInComments))
            {
                offences.add("fewer than in phrases.txt, lower its row to:\n" + phrase.row(
                    Math.min(inPages, phrase.mostInPages), Math.min(inComments, phrase.mostInComments)));
            }
        }
        return offences;
    }

    private record Place(String path, long modifiedMs, String text)
    {
    }

    private record Phrase(int mostInPages, int mostInComments, String name, String instead, Pattern pattern)
    {
        static Phrase of(final String row)
        {
            final String[] cells = row.split(" \\| ", 5);
            return new Phrase(Integer.parseInt(cells[0].trim()), Integer.parseInt(cells[1].trim()), cells[2], cells[3],
                Pattern.compile(cells[4], Pattern.MULTILINE));
        }

        String row(final int inPages, final int inComments)
        {
            return String.format("%4d | %4d | %s | %s | %s", inPages, inComments, name, instead, pattern);
        }
    }

    /** The places of each phrase in one kind of text. */
    private static final class Tally
    {
        private final List<List<Place>> placesByPhrase = new ArrayList<>();

        void found(final int phrase, final Place place)
        {
            while (placesByPhrase.size() <= phrase)
            {
                placesByPhrase.add(new ArrayList<>());
            }
            placesByPhrase.get(phrase).add(place);
        }

        int count(final int phrase)
        {
            return phrase < placesByPhrase.size() ? placesByPhrase.get(phrase).size() : 0;
        }

        void check(
            final List<String> offences, final int index, final Phrase phrase, final String where, final int most)
        {
            if (count(index) > most)
            {
                final StringBuilder text = new StringBuilder("\"" + phrase.name + "\" " + count(index) + " times in " +
                    where + " (at most " + most + "): " + phrase.instead);
                placesByPhrase.get(index).stream()
                    .sorted((left, right) -> Long.compare(right.modifiedMs, left.modifiedMs)).limit(EXAMPLES)
                    .forEach((place) -> text.append("\n    ").append(place.path).append(": ...")
                        .append(place.text.replace('\n', ' ')));
                offences.add(text.toString());
            }
        }
    }
}
