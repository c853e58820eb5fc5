package io.escapement.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** A recording of this JVM's flight recorder, and its events as they are in a file. */
public final class FlightRecording implements AutoCloseable
{
    private final Recording recording = new Recording();

    /** Record an event with a setting. Before the start. */
    public FlightRecording with(final String event, final String setting, final String value)
    {
        recording.enable(event).with(setting, value);
        return this;
    }

    /** Start the recording. */
    public FlightRecording start()
    {
        recording.start();
        return this;
    }

    /**
     * Stop the recording, and read its file.
     *
     * @param name of the events.
     * @return those events, in the order of their start.
     */
    public List<RecordedEvent> stop(final String name)
    {
        recording.stop();
        try
        {
            final Path file = Files.createTempFile("escapement", ".jfr");
            try
            {
                recording.dump(file);
                return RecordingFile.readAllEvents(file).stream()
                    .filter((event) -> name.equals(event.getEventType().getName())).toList();
            }
            finally
            {
                Files.delete(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        recording.close();
    }
}
