package io.escapement.tokens;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Whether a file has changed, by its time, its length and its inode. */
final class FileChange
{
    private final Path file;
    private String seen = "";

    FileChange(final Path file)
    {
        this.file = file;
    }

    /** Call before reading, so that a change while reading is found. */
    void onRead()
    {
        seen = state();
    }

    boolean isNew()
    {
        return !seen.equals(state());
    }

    private String state()
    {
        try
        {
            final BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        }
        catch (final IOException ex)
        {
            return "missing";
        }
    }
}
