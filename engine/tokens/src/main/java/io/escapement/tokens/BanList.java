package io.escapement.tokens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * The banned players: a file with a line for each, which is the value of the player's claim or the player id in digits.
 * Empty lines and lines that start with # are ignored. The file is reread when it has changed. The listener also gets
 * the ids on the list for the next polls, because a log-in or a join may have been under way. One thread calls
 * {@link #poll}, and any thread {@link #isBanned}.
 */
final class BanList
{
    /** Each change of the list visits the seats of all players for the whole list. */
    static final int MAX_ENTRIES = 10_000;
    static final int MAX_LENGTH = 4 * 1_024 * 1_024;
    /** Polls after a change in which the listener gets the list. A join waits for less. */
    static final int REPEATS = 30;

    private static final System.Logger LOGGER = System.getLogger("io.escapement.tokens");
    private static final int MAX_DIGITS = 19;

    private final Path file;
    private final FileChange change;
    private final TokenCounters counters;
    private final Consumer<long[]> listener;
    private volatile Set<String> entries;
    private long[] playerIds;
    private int repeats = REPEATS;

    /** Of the file's entries, or of an empty list without a file. */
    BanList(
        final Path file, final Set<String> entries, final TokenCounters counters, final Consumer<long[]> listener)
    {
        this.file = file;
        this.entries = entries;
        this.counters = counters;
        this.listener = listener;
        change = null == file ? null : new FileChange(file);
        playerIds = playerIds(entries);
    }

    /** Read the entries of a file. */
    static Set<String> read(final Path file) throws IOException
    {
        final Set<String> entries = new HashSet<>();
        if (Files.size(file) > MAX_LENGTH)
        {
            throw new IOException("is longer than " + MAX_LENGTH + " bytes");
        }
        for (final String line : Files.readAllLines(file, StandardCharsets.UTF_8))
        {
            final String entry = line.strip();
            if (!entry.isEmpty() && '#' != entry.charAt(0))
            {
                entries.add(entry);
            }
        }
        if (entries.size() > MAX_ENTRIES)
        {
            throw new IOException("has more than " + MAX_ENTRIES + " players");
        }
        return entries;
    }

    boolean isBanned(final String claim, final long playerId)
    {
        final Set<String> banned = entries;
        return !banned.isEmpty() && (banned.contains(claim) || banned.contains(Long.toString(playerId)));
    }

    /** Read the file if it has changed, and pass on the banned players. */
    void poll()
    {
        if (null == file)
        {
            return;
        }
        if (change.isNew())
        {
            change.onRead();
            try
            {
                entries = read(file);
                playerIds = playerIds(entries);
                repeats = REPEATS;
                counters.increment(TokenCounter.BAN_LOADS);
            }
            catch (final IOException ex)
            {
                counters.increment(TokenCounter.BAN_FAILURES);
                LOGGER.log(System.Logger.Level.WARNING, "list of banned players not loaded: " + file + ": " +
                    ex.getMessage() + " (" + entries.size() + " players stay banned)");
            }
        }
        if (repeats > 0 && playerIds.length > 0)
        {
            repeats--;
            listener.accept(playerIds);
        }
    }

    /** Ids of integers and texts: an entry in digits may be either. */
    private static long[] playerIds(final Set<String> entries)
    {
        return entries.stream().flatMapToLong((entry) ->
            LongStream.of(PlayerIds.ofText(entry), number(entry)).filter((id) -> id > 0)).toArray();
    }

    private static long number(final String entry)
    {
        try
        {
            return entry.length() <= MAX_DIGITS && entry.matches("[0-9]+") ? Long.parseLong(entry) : 0;
        }
        catch (final NumberFormatException ex)
        {
            return 0;
        }
    }
}
