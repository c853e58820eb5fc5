package io.escapement.cluster;

import io.aeron.archive.client.AeronArchive;

/**
 * The part of the log that the archive of a running node has.
 *
 * @param startPosition after which it has everything.
 * @param endPosition   up to which it has written.
 */
record WrittenLog(long startPosition, long endPosition)
{
    private static final int LOG_STREAM_ID = 100;
    private static final int RECORDINGS = 1_024;

    /**
     * Ask an archive.
     *
     * @param context of a client to connect.
     * @return its part of the log, or null if it does not write a log.
     */
    static WrittenLog find(final AeronArchive.Context context)
    {
        try (AeronArchive archive = AeronArchive.connect(context))
        {
            final long[] found = {AeronArchive.NULL_POSITION, 0};
            archive.listRecordings(0, RECORDINGS, (controlSessionId, correlationId, recordingId, startTimestamp,
                stopTimestamp, startPosition, stopPosition, initialTermId, segmentFileLength, termBufferLength,
                mtuLength, sessionId, streamId, strippedChannel, originalChannel, sourceIdentity) ->
            {
                if (LOG_STREAM_ID == streamId && AeronArchive.NULL_POSITION == stopPosition)
                {
                    found[0] = recordingId;
                    found[1] = startPosition;
                }
            });
            return AeronArchive.NULL_POSITION == found[0] ? null :
                new WrittenLog(found[1], archive.getRecordingPosition(found[0]));
        }
    }
}
