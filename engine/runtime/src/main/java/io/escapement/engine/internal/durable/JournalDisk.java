package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.util.List;

/** The directory of a journal. Tests insert a failing disk here. */
public interface JournalDisk
{
    /**
     * Open a file.
     *
     * @param name of the file, which exists.
     */
    JournalFile open(String name) throws IOException;

    /**
     * Make a file.
     *
     * @param name of the file, which does not exist.
     */
    JournalFile create(String name) throws IOException;

    /** Names of all files. */
    List<String> list() throws IOException;

    /**
     * Give a file another name in one step, and replace the file that has it.
     *
     * @param from present name.
     * @param to   new name.
     */
    void rename(String from, String to) throws IOException;

    /**
     * Delete a file, if it exists.
     *
     * @param name of the file.
     */
    void delete(String name) throws IOException;

    /** Wait until the names of all files are on the disk. */
    void forceDirectory() throws IOException;

    /**
     * The whole name, for messages.
     *
     * @param name of a file.
     */
    String path(String name);
}
