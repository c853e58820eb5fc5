package io.escapement.cluster;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.RecordingLog;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Deletes files that a node does not need for a start: all snapshots except the two newest, and the log before the
 * older of the two. The newest may turn out to be damaged.
 */
final class ClusterPurge
{
    private static final int SNAPSHOTS_KEPT = 2;

    private final AeronArchive archive;
    private final List<RecordingLog.Entry> snapshots = new ArrayList<>();
    private final long logRecordingId;
    private final long keepFrom;

    /**
     * Find out what to delete.
     *
     * @param clusterDir with the recording log of the consensus module, which is only read.
     * @param archive    of the node.
     */
    ClusterPurge(final File clusterDir, final AeronArchive archive)
    {
        this.archive = archive;
        final TreeSet<Long> positions = new TreeSet<>();
        try (RecordingLog log = new RecordingLog(clusterDir, false))
        {
            logRecordingId = log.findLastTermRecordingId();
            for (final RecordingLog.Entry entry : log.entries())
            {
                if (RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type && entry.isValid)
                {
                    snapshots.add(entry);
                    positions.add(entry.logPosition);
                }
            }
        }
        for (int i = 1; i < SNAPSHOTS_KEPT; i++)
        {
            positions.pollLast();
        }
        keepFrom = positions.isEmpty() ? 0 : positions.last();
    }

    /**
     * Delete it.
     *
     * @return number of files of the log that are gone.
     */
    long purge()
    {
        for (final RecordingLog.Entry snapshot : snapshots)
        {
            // A recording that an earlier purge has deleted is still named in the recording log.
            if (snapshot.logPosition < keepFrom && isThere(snapshot.recordingId))
            {
                archive.purgeRecording(snapshot.recordingId);
            }
        }
        final long[] base = new long[1];
        archive.listRecording(logRecordingId, (controlSessionId, correlationId, recordingId, startTimestamp,
            stopTimestamp, startPosition, stopPosition, initialTermId, segmentFileLength, termBufferLength, mtuLength,
            sessionId, streamId, strippedChannel, originalChannel, sourceIdentity) ->
            base[0] = keepFrom <= startPosition ? 0 : AeronArchive.segmentFileBasePosition(
                startPosition, keepFrom, termBufferLength, segmentFileLength));
        return base[0] > archive.getStartPosition(logRecordingId) ? archive.purgeSegments(logRecordingId, base[0]) : 0;
    }

    private boolean isThere(final long recordingId)
    {
        return 0 < archive.listRecording(recordingId, (controlSessionId, correlationId, id, startTimestamp,
            stopTimestamp, startPosition, stopPosition, initialTermId, segmentFileLength, termBufferLength, mtuLength,
            sessionId, streamId, strippedChannel, originalChannel, sourceIdentity) ->
            {
            });
    }
}
