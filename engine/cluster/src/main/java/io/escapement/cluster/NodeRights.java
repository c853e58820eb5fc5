package io.escapement.cluster;

import io.aeron.archive.codecs.ArchiveIdRequestDecoder;
import io.aeron.archive.codecs.BoundedReplayRequestDecoder;
import io.aeron.archive.codecs.FindLastMatchingRecordingRequestDecoder;
import io.aeron.archive.codecs.KeepAliveRequestDecoder;
import io.aeron.archive.codecs.ListRecordingRequestDecoder;
import io.aeron.archive.codecs.ListRecordingsForUriRequestDecoder;
import io.aeron.archive.codecs.ListRecordingsRequestDecoder;
import io.aeron.archive.codecs.MaxRecordedPositionRequestDecoder;
import io.aeron.archive.codecs.RecordingPositionRequestDecoder;
import io.aeron.archive.codecs.ReplayRequestDecoder;
import io.aeron.archive.codecs.ReplayTokenRequestDecoder;
import io.aeron.archive.codecs.StartPositionRequestDecoder;
import io.aeron.archive.codecs.StopPositionRequestDecoder;
import io.aeron.archive.codecs.StopReplayRequestDecoder;
import io.aeron.cluster.codecs.BackupQueryDecoder;
import java.util.Arrays;
import java.util.Set;

/** The rights of a client that {@link NodeGuard} has admitted: a part of this process everything, a member reads. */
final class NodeRights
{
    private static final Set<Integer> MEMBERS_AT_ARCHIVE = Set.of(
        ArchiveIdRequestDecoder.TEMPLATE_ID,
        KeepAliveRequestDecoder.TEMPLATE_ID,
        ListRecordingRequestDecoder.TEMPLATE_ID,
        ListRecordingsRequestDecoder.TEMPLATE_ID,
        ListRecordingsForUriRequestDecoder.TEMPLATE_ID,
        FindLastMatchingRecordingRequestDecoder.TEMPLATE_ID,
        StartPositionRequestDecoder.TEMPLATE_ID,
        StopPositionRequestDecoder.TEMPLATE_ID,
        RecordingPositionRequestDecoder.TEMPLATE_ID,
        MaxRecordedPositionRequestDecoder.TEMPLATE_ID,
        ReplayRequestDecoder.TEMPLATE_ID,
        BoundedReplayRequestDecoder.TEMPLATE_ID,
        ReplayTokenRequestDecoder.TEMPLATE_ID,
        StopReplayRequestDecoder.TEMPLATE_ID);

    private NodeRights()
    {
    }

    /** Rights at an archive, as Aeron asks for them. */
    static boolean atArchive(final int protocolId, final int actionId, final Object type, final byte[] principal)
    {
        return Arrays.equals(NodeGuard.LOCAL, principal) ||
            Arrays.equals(NodeGuard.MEMBER, principal) && MEMBERS_AT_ARCHIVE.contains(actionId);
    }

    /** Rights at a consensus module: a member may ask for everything that fills its directory. */
    static boolean atModule(final int protocolId, final int actionId, final Object type, final byte[] principal)
    {
        return Arrays.equals(NodeGuard.LOCAL, principal) ||
            Arrays.equals(NodeGuard.MEMBER, principal) && BackupQueryDecoder.TEMPLATE_ID == actionId;
    }
}
