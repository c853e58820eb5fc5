package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The journal's id and the directories of the tails of its last two engines, in a small text file. The next engine
 * looks for tails there, whatever its own options are.
 *
 * @param journalId   random number.
 * @param bootId      of the machine's start in which the last engine started.
 * @param tails       directory of the last engine, or null without tails.
 * @param tailsBefore directory of the engine before, or null without tails.
 */
record JournalAbout(long journalId, long bootId, String tails, String tailsBefore)
{
    private static final String TITLE = "escapement journal ";
    private static final int VERSION = 1;
    private static final int MAX_LENGTH = 65_536;
    private static final int HEX = 16;
    private static final String ID = "id ";
    private static final String BOOT = "boot ";
    private static final String TAILS = "tails ";
    private static final String BEFORE = "before ";
    private static final String NO_TAILS = "-";
    private static final int LINES = 5;

    /** The content of the file, or null if there is no file. */
    static JournalAbout read(final JournalDisk disk) throws IOException
    {
        if (!disk.list().contains(JournalNames.ABOUT))
        {
            return null;
        }
        final byte[] bytes;
        try (JournalFile file = disk.open(JournalNames.ABOUT))
        {
            final ByteBuffer buffer = ByteBuffer.allocate((int)Math.min(MAX_LENGTH, file.length()));
            file.read(buffer, 0);
            bytes = buffer.array();
        }
        final String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n");
        final String path = disk.path(JournalNames.ABOUT);
        if (!lines[0].equals(TITLE + VERSION))
        {
            throw new JournalException(
                path + ": begins with \"" + lines[0] + "\", this build reads \"" + TITLE + VERSION + "\"");
        }
        if (lines.length < LINES || !lines[1].matches("id [0-9a-f]{16}") || !lines[2].matches("boot [0-9a-f]{16}") ||
            !lines[3].startsWith(TAILS) || !lines[4].startsWith(BEFORE))
        {
            throw new JournalException(path + ": expected the lines \"id\" and \"boot\", with 16 hexadecimal digits, " +
                "\"tails\" and \"before\"");
        }
        return new JournalAbout(Long.parseUnsignedLong(lines[1].substring(ID.length()), HEX),
            Long.parseUnsignedLong(lines[2].substring(BOOT.length()), HEX),
            directory(lines[3].substring(TAILS.length())), directory(lines[4].substring(BEFORE.length())));
    }

    static JournalAbout create()
    {
        return new JournalAbout(new SecureRandom().nextLong(), 0, null, null);
    }

    /** The same journal, in use by another engine. */
    JournalAbout run(final String directory, final long presentBootId)
    {
        return new JournalAbout(journalId, presentBootId, directory, tails);
    }

    /** The same journal, which no engine has left tails of. */
    JournalAbout stopped(final long presentBootId)
    {
        return new JournalAbout(journalId, presentBootId, null, null);
    }

    /** Write the file in one step, and force it. */
    void write(final JournalDisk disk) throws IOException
    {
        final String unfinished = JournalNames.ABOUT + JournalNames.UNFINISHED;
        disk.delete(unfinished);
        try (JournalFile file = disk.create(unfinished))
        {
            final String text = TITLE + VERSION + "\n" + ID + String.format("%016x", journalId) + "\n" +
                BOOT + String.format("%016x", bootId) + "\n" + TAILS + (null == tails ? NO_TAILS : tails) + "\n" +
                BEFORE + (null == tailsBefore ? NO_TAILS : tailsBefore) + "\n";
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            file.force();
        }
        disk.rename(unfinished, JournalNames.ABOUT);
        disk.forceDirectory();
    }

    private static String directory(final String text)
    {
        return NO_TAILS.equals(text) ? null : text;
    }
}
