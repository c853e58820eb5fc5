package io.escapement.rooms.log;

import java.util.function.Consumer;

/** A log with all the places where a run can start: its first turn, and its snapshots. One thread. */
public interface LogHistory
{
    /** Number of places where a run of the log can start, at least 1. */
    int starts();

    /**
     * Read the log from a start to its end.
     *
     * @param start  from 0, in the order of the log.
     * @param reader of the log, which is closed after the call.
     */
    void read(int start, Consumer<LogSource> reader);

    /** The history of a log with one start. */
    static LogHistory of(final LogSource log)
    {
        return new LogHistory()
        {
            @Override
            public int starts()
            {
                return 1;
            }

            @Override
            public void read(final int start, final Consumer<LogSource> reader)
            {
                log.rewind();
                reader.accept(log);
            }
        };
    }
}
