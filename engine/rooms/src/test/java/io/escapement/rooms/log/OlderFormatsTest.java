package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.NoOutputs;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Files that older builds have written: a bench with one room of {@link OldRoom}, a player and a message. */
class OlderFormatsTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseASnapshotByItsVersion(final int version) throws IOException
    {
        final UnsafeBuffer snapshot = read("version-" + version + ".snapshot.gz");
        final HostContext context = new HostContext().outputs(new NoOutputs())
            .roomType(RoomType.of(1, "old", 1, OldRoom::new).seats(4).timers(4)).acceptOtherSettings(true);
        assertVersion(version, assertThrows(DamagedRecordException.class,
            () -> RoomHost.restore(context, snapshot, 0, snapshot.capacity())));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseATurnLogByItsVersion(final int version) throws IOException
    {
        final UnsafeBuffer log = read("version-" + version + ".log.gz");
        assertVersion(version, assertThrows(DamagedRecordException.class,
            () -> TurnLogReader.open(log, 0, log.capacity())));
    }

    private static void assertVersion(final int version, final DamagedRecordException refusal)
    {
        assertEquals("format version " + version + ", supported is 3", refusal.reason());
    }

    private static UnsafeBuffer read(final String name) throws IOException
    {
        try (InputStream in = new GZIPInputStream(OlderFormatsTest.class.getResourceAsStream(name)))
        {
            return new UnsafeBuffer(in.readAllBytes());
        }
    }

    private static final class OldRoom implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            // It is never opened.
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // It is never restored.
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            reader.getLong();
        }
    }
}
