package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The journal's id and the directory of the tails of its last engine, in a small text file. The next engine looks for
 * tails there, whatever its own options are.
 *
 * @param journalId random number.
 * @param tails     directory, or null for none.
 * @param bootId    of the machine's start in which the last engine began.
 */
record JournalAbout(long journalId, String tails, long bootId)
{
    private static final String TITLE = "escapement journal ";
    private static final int VERSION = 1;
    private static final int MAX_LENGTH = 65_536;
    private static final int HEX = 16;
    private static final String ID = "id ";
    private static final String BOOT = "boot ";
    private static final String TAILS = "tails ";
    private static final String NO_TAILS = "-";

    /**
     * Read the file.
     *
     * @param disk of the journal.
     * @return its content, or null if there is no file.
     */
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
        if (lines.length < 4 || !lines[1].matches("id [0-9a-f]{16}") || !lines[2].matches("boot [0-9a-f]{16}") ||
            !lines[3].startsWith(TAILS))
        {
            throw new JournalException(
                path + ": expected the lines \"id\" and \"boot\", with 16 hexadecimal digits, and \"tails\"");
        }
        final String tails = lines[3].substring(TAILS.length());
        return new JournalAbout(Long.parseUnsignedLong(lines[1].substring(ID.length()), HEX),
            NO_TAILS.equals(tails) ? null : tails, Long.parseUnsignedLong(lines[2].substring(BOOT.length()), HEX));
    }

    static JournalAbout create()
    {
        return new JournalAbout(new SecureRandom().nextLong(), null, 0);
    }

    /** The same journal, in use by another engine. */
    JournalAbout run(final String directory, final long presentBootId)
    {
        return new JournalAbout(journalId, directory, presentBootId);
    }

    /** Write the file in one step, and force it. */
    void write(final JournalDisk disk) throws IOException
    {
        final String unfinished = JournalNames.ABOUT + JournalNames.UNFINISHED;
        disk.delete(unfinished);
        try (JournalFile file = disk.create(unfinished))
        {
            final String text = TITLE + VERSION + "\n" + ID + String.format("%016x", journalId) + "\n" +
                BOOT + String.format("%016x", bootId) + "\n" + TAILS + (null == tails ? NO_TAILS : tails) + "\n";
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            file.force();
        }
        disk.rename(unfinished, JournalNames.ABOUT);
        disk.forceDirectory();
    }
}
