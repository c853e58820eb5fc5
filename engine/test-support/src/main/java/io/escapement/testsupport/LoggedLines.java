package io.escapement.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The messages that a logger gets, and those below it, until this is closed. */
public final class LoggedLines implements AutoCloseable
{
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Handler handler = new Handler()
    {
        @Override
        public void publish(final LogRecord line)
        {
            lines.add(line.getMessage());
        }

        @Override
        public void flush()
        {
        }

        @Override
        public void close()
        {
        }
    };

    /**
     * Listen to a logger.
     *
     * @param logger its name.
     */
    public LoggedLines(final String logger)
    {
        this.logger = Logger.getLogger(logger);
        this.logger.addHandler(handler);
    }

    /** The messages up to now, oldest first. */
    public List<String> all()
    {
        return List.copyOf(lines);
    }

    /**
     * Whether a message contains this text.
     *
     * @param text to look for.
     */
    public boolean has(final String text)
    {
        return lines.stream().anyMatch((line) -> line.contains(text));
    }

    @Override
    public void close()
    {
        logger.removeHandler(handler);
    }
}
