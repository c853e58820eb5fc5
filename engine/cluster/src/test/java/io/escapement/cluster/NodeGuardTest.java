package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.archive.codecs.PurgeSegmentsRequestDecoder;
import io.aeron.archive.codecs.ReplayRequestDecoder;
import io.aeron.archive.codecs.ReplicateRequest2Decoder;
import io.aeron.archive.codecs.StartRecordingRequest2Decoder;
import io.aeron.archive.codecs.StopReplayRequestDecoder;
import io.aeron.cluster.codecs.AdminRequestDecoder;
import io.aeron.cluster.codecs.BackupQueryDecoder;
import io.aeron.security.SessionProxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who gets in at an archive and at a consensus module, and what they may do there. */
class NodeGuardTest
{
    private static final int IDS = 65_536;
    /** Those of a member at an archive, in {@link NodeRights}. */
    private static final int READS = 14;

    private final MemberKey key = new MemberKey("k".repeat(32).getBytes(StandardCharsets.US_ASCII));
    private final MemberKey otherKey = new MemberKey("o".repeat(32).getBytes(StandardCharsets.US_ASCII));
    private final NodeGuard guard = new NodeGuard(key, (sessionId) -> true);
    private final Session session = new Session(7);

    @Test
    void shouldLetInAPartOfTheProcess()
    {
        connect(session, guard.encodedCredentials());
        assertArrayEquals(NodeGuard.LOCAL, session.principal);
        final Session other = new Session(8);
        connect(other, new NodeGuard(key, (sessionId) -> true).encodedCredentials());
        assertTrue(other.isRejected, "the process of another node has other random bytes");
    }

    @Test
    void shouldLetInAMemberThatAnswers()
    {
        connect(session, key.encodedCredentials());
        assertNull(session.principal);
        guard.onChallengedSession(session, 0);
        assertNull(session.principal, "it has not answered");
        answer(session, key.onChallenge(session.challenge));
        assertArrayEquals(NodeGuard.MEMBER, session.principal);
    }

    @Test
    void shouldRejectEverybodyElse()
    {
        for (final byte[] credentials : new byte[][] {{}, new byte[32], otherKey.encodedCredentials(), NodeGuard.LOCAL})
        {
            final Session stranger = new Session(9);
            connect(stranger, credentials);
            assertTrue(stranger.isRejected && null == stranger.challenge);
        }
        // A hello that was overheard is not enough, and neither is an answer.
        connect(session, key.encodedCredentials());
        final byte[] heard = key.onChallenge(session.challenge);
        final Session again = new Session(10);
        connect(again, key.encodedCredentials());
        answer(again, heard);
        assertTrue(again.isRejected);
        answer(session, otherKey.onChallenge(session.challenge));
        assertTrue(session.isRejected);
        final Session unknown = new Session(11);
        guard.onConnectedSession(unknown, 0);
        assertTrue(unknown.isRejected);
    }

    @Test
    void shouldNotTakeASecondAnswer()
    {
        connect(session, key.encodedCredentials());
        guard.onChallengeResponse(session.id, new byte[0], 0);
        answer(session, key.onChallenge(session.challenge));
        assertTrue(session.isRejected);
    }

    @Test
    void shouldRepeatWhatFindsNoRoom()
    {
        session.hasRoom = false;
        connect(session, key.encodedCredentials());
        assertNull(session.challenge);
        session.hasRoom = true;
        guard.onConnectedSession(session, 0);
        session.hasRoom = false;
        answer(session, key.onChallenge(session.challenge));
        assertNull(session.principal);
        session.hasRoom = true;
        guard.onChallengedSession(session, 0);
        assertArrayEquals(NodeGuard.MEMBER, session.principal);
    }

    /** The oldest has to present itself again. */
    @Test
    void shouldForgetVisitorsThatDoNotAnswer()
    {
        connect(session, key.encodedCredentials());
        for (int i = 0; i < 2_000; i++)
        {
            connect(new Session(100 + i), key.encodedCredentials());
        }
        answer(session, key.onChallenge(session.challenge));
        assertTrue(session.isRejected);
    }

    @Test
    void shouldLetNoMemberPropose()
    {
        final NodeGuard ofModule = new NodeGuard(key, (sessionId) -> Aeron.NULL_VALUE == sessionId);
        ofModule.onConnectRequest(session.id, key.encodedCredentials(), 0);
        ofModule.onConnectedSession(session, 0);
        assertTrue(session.isRejected);
        final Session backup = new Session(Aeron.NULL_VALUE);
        ofModule.onConnectRequest(backup.id, key.encodedCredentials(), 0);
        ofModule.onConnectedSession(backup, 0);
        ofModule.onChallengeResponse(backup.id, key.onChallenge(backup.challenge), 0);
        ofModule.onChallengedSession(backup, 0);
        assertArrayEquals(NodeGuard.MEMBER, backup.principal);
    }

    @Test
    void shouldLetAMemberReadAndNothingElse()
    {
        assertEquals(READS, IntStream.range(0, IDS).filter((id) -> mayMember(id)).count());
        assertTrue(mayMember(ReplayRequestDecoder.TEMPLATE_ID) && mayMember(StopReplayRequestDecoder.TEMPLATE_ID));
        assertFalse(mayMember(PurgeSegmentsRequestDecoder.TEMPLATE_ID) ||
            mayMember(StartRecordingRequest2Decoder.TEMPLATE_ID) || mayMember(ReplicateRequest2Decoder.TEMPLATE_ID));
        assertArrayEquals(new int[] {BackupQueryDecoder.TEMPLATE_ID}, IntStream.range(0, IDS)
            .filter((id) -> NodeRights.atModule(0, id, null, NodeGuard.MEMBER)).toArray());
        assertTrue(NodeRights.atArchive(0, PurgeSegmentsRequestDecoder.TEMPLATE_ID, null, NodeGuard.LOCAL));
        assertTrue(NodeRights.atModule(0, AdminRequestDecoder.TEMPLATE_ID, null, NodeGuard.LOCAL));
        for (final byte[] stranger : new byte[][] {null, {}, {3}})
        {
            // Requests may come before a session is let in.
            assertFalse(IntStream.range(0, IDS).anyMatch((id) -> NodeRights.atArchive(0, id, null, stranger) ||
                NodeRights.atModule(0, id, null, stranger)));
        }
    }

    @Test
    void shouldGiveStreamsNumbersThatComeFromTheKey()
    {
        assertEquals(key.streamId("archive"), key.streamId("archive"));
        assertNotEquals(key.streamId("archive"), key.streamId("consensus"));
        assertNotEquals(key.streamId("archive"), otherKey.streamId("archive"));
        assertTrue(IntStream.range(0, 100).allMatch((i) -> key.streamId("stream" + i) >= 0));
        assertFalse(Arrays.equals(new MemberKey(null).encodedCredentials(), key.encodedCredentials()));
    }

    private static boolean mayMember(final int templateId)
    {
        return NodeRights.atArchive(0, templateId, null, NodeGuard.MEMBER);
    }

    private void connect(final Session visitor, final byte[] credentials)
    {
        guard.onConnectRequest(visitor.id, credentials, 0);
        guard.onConnectedSession(visitor, 0);
    }

    private void answer(final Session visitor, final byte[] answer)
    {
        guard.onChallengeResponse(visitor.id, answer, 0);
        guard.onChallengedSession(visitor, 0);
    }

    /** A session as Aeron presents it. */
    private static final class Session implements SessionProxy
    {
        private final long id;
        private boolean hasRoom = true;
        private byte[] challenge;
        private byte[] principal;
        private boolean isRejected;

        Session(final long id)
        {
            this.id = id;
        }

        @Override
        public long sessionId()
        {
            return id;
        }

        @Override
        public boolean challenge(final byte[] encodedChallenge)
        {
            challenge = hasRoom ? encodedChallenge : null;
            return hasRoom;
        }

        @Override
        public boolean authenticate(final byte[] encodedPrincipal)
        {
            principal = hasRoom ? encodedPrincipal : null;
            return hasRoom;
        }

        @Override
        public void reject()
        {
            isRejected = true;
        }
    }
}
