package io.escapement.accounts;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Captures all log records at every level. Secrets in tests share a prefix. */
final class AllLogs extends Handler
{
    static final String MARK = "s3cret";

    /** At FINEST the driver logs bound values, including hashes. Passwords are never bound. */
    private static final String WIRE_TRACE = "FINEST org.postgresql.core.v3.QueryExecutorImpl ";

    private final AtomicLong count = new AtomicLong();
    private final List<String> secrets = new CopyOnWriteArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();
    private final Logger root = Logger.getLogger("");
    private final Level level = root.getLevel();
    private final Handler[] others = root.getHandlers();

    AllLogs()
    {
        setLevel(Level.ALL);
        for (final Handler other : others)
        {
            root.removeHandler(other);
        }
        root.addHandler(this);
        root.setLevel(Level.ALL);
    }

    /** Number of records. */
    long count()
    {
        return count.get();
    }

    /** Records that contain a secret or a hash. */
    List<String> secrets()
    {
        return List.copyOf(secrets);
    }

    @Override
    public void publish(final LogRecord record)
    {
        count.incrementAndGet();
        final StringWriter text = new StringWriter();
        text.append(record.getLevel().getName()).append(' ').append(record.getLoggerName()).append(' ')
            .append(formatter.formatMessage(record));
        if (null != record.getThrown())
        {
            record.getThrown().printStackTrace(new PrintWriter(text, true));
        }
        final String line = text.toString();
        if (line.contains(MARK) || line.contains("$argon2id$") && !line.startsWith(WIRE_TRACE))
        {
            secrets.add(line);
        }
    }

    @Override
    public void flush()
    {
        // Records are not buffered.
    }

    @Override
    public void close()
    {
        root.removeHandler(this);
        root.setLevel(level);
        for (final Handler other : others)
        {
            root.addHandler(other);
        }
    }
}
