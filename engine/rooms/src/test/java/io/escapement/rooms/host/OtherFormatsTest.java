package io.escapement.rooms.host;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Whole files of another format version are refused by their version. */
class OtherFormatsTest
{
    private static final int FORMAT_VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int CHECKED_LENGTH = 16;

    private final HostRig rig = new HostRig(RoomType.of(1, "quiet", 1, Quiet::new));

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, Integer.MIN_VALUE})
    void shouldRefuseASnapshotByItsVersion(final int version)
    {
        final ByteSink snapshot = new ByteSink();
        rig.turn(1, () -> rig.open(1, 1));
        rig.host.snapshot(snapshot);
        assertEquals(1, restore(inVersion(snapshot, FORMAT_VERSION)).openRooms());
        assertVersion(
            version, assertThrows(DamagedRecordException.class, () -> restore(inVersion(snapshot, version))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, Integer.MIN_VALUE})
    void shouldRefuseALogByItsVersion(final int version)
    {
        rig.turn(1, () -> rig.open(1, 1));
        rig.finish();
        assertEquals(1, open(inVersion(rig.log, FORMAT_VERSION)).proposals());
        assertVersion(version, assertThrows(DamagedRecordException.class, () -> open(inVersion(rig.log, version))));
    }

    private RoomHost restore(final UnsafeBuffer snapshot)
    {
        return RoomHost.restore(rig.context().acceptOtherSettings(true), snapshot, 0, snapshot.capacity());
    }

    private static LogFile open(final UnsafeBuffer log)
    {
        return LogFile.open(log, 0, log.capacity());
    }

    private static void assertVersion(final int version, final DamagedRecordException refusal)
    {
        assertEquals("format version " + version + ", supported is " + FORMAT_VERSION, refusal.reason());
    }

    /** The file as a build with another format version writes it: its checksum is right. */
    private static UnsafeBuffer inVersion(final ByteSink file, final int version)
    {
        final byte[] bytes = new byte[file.length()];
        file.buffer().getBytes(0, bytes);
        final UnsafeBuffer copy = new UnsafeBuffer(bytes);
        copy.putInt(VERSION_OFFSET, version);
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CHECKED_LENGTH);
        copy.putInt(CHECKED_LENGTH, (int)crc.getValue());
        return copy;
    }
}
