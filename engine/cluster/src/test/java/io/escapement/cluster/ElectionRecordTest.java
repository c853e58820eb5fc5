package io.escapement.cluster;

import io.aeron.cluster.ElectionState;
import io.aeron.cluster.client.ClusterEvent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ElectionRecordTest
{
    private final ElectionRecord election = new ElectionRecord();
    private long nowMs;

    @Test
    void shouldSayWhyAnElectionBeganAndHowLongEachStateTook()
    {
        assertEquals(0, state(5, ElectionState.CLOSED));
        election.onError(new ClusterEvent("no heartbeat"), now());
        assertEquals(0, state(3, ElectionState.INIT));
        assertEquals(0, state(1, ElectionState.CANVASS));
        assertEquals(0, state(7, ElectionState.CANVASS));
        nowMs += 2;
        election.onError(new ClusterEvent("late"), now());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(30), state(20, ElectionState.CLOSED));
        assertEquals("after \"WARN - no heartbeat\": +0 INIT, +1 CANVASS, +9 \"WARN - late\", +20 CLOSED",
            election.course());
    }

    @Test
    void shouldBeginAgainWithTheNextElection()
    {
        state(0, ElectionState.INIT);
        state(1, ElectionState.CLOSED);
        assertEquals("+0 INIT, +1 CLOSED", election.course());
        election.onError(new ClusterEvent("again"), now());
        state(50, ElectionState.CANVASS);
        state(2, ElectionState.CLOSED);
        assertEquals("after \"WARN - again\": +0 CANVASS, +2 CLOSED", election.course());
    }

    @Test
    void shouldKeepNoMoreThanTheBeginOfALongElection()
    {
        for (int i = 0; i < 10_000; i++)
        {
            state(1, 0 == i % 2 ? ElectionState.INIT : ElectionState.CANVASS);
        }
        assertTrue(election.course().endsWith("+1 CANVASS, ..."), election.course());
        assertTrue(election.course().length() < 1_500, election.course());
    }

    /** Two errors for one cause alternate. */
    @Test
    void shouldNameAnErrorThatComesThreeTimesWhateverItsNumbersAre()
    {
        state(0, ElectionState.INIT);
        error("no file 0-17.rec");
        error("no answer 1");
        error("no file 3-9.rec");
        error("no answer 2");
        assertNull(election.repeated());
        error("no file 4-2.rec");
        assertEquals("no file N-N.rec", election.repeated());
    }

    @Test
    void shouldNotCountWarnings()
    {
        state(0, ElectionState.INIT);
        for (int i = 0; i < 10; i++)
        {
            election.onError(new ClusterEvent("slow"), now());
        }
        assertNull(election.repeated());
    }

    @Test
    void shouldForgetErrorsWhenAnElectionIsOver()
    {
        state(0, ElectionState.INIT);
        error(null);
        error(null);
        state(1, ElectionState.CLOSED);
        error(null);
        error(null);
        assertNull(election.repeated());
        error(null);
        assertEquals("null", election.repeated());
        state(1, ElectionState.CLOSED);
        assertNull(election.repeated());
    }

    @ParameterizedTest
    @CsvSource({"87744, 72544, true", "72544, 72544, false", "72000, 72544, false"})
    void shouldKnowWhenTheLogIsCutBehindTurnsThatHaveRun(
        final long commitPosition, final long newPosition, final boolean isBehind)
    {
        assertEquals(isBehind, ElectionRecord.isCutBehindTurns(new ClusterEvent("Truncating Cluster Log - memberId=1" +
            " state=CANVASS this.logLeadershipTermId=2 this.leadershipTermId=2 this.candidateTermId=3" +
            " this.commitPosition=" + commitPosition + " this.logPosition=87744 this.appendPosition=87744" +
            " oldPosition=87744 newPosition=" + newPosition)));
    }

    @Test
    void shouldTakeNoOtherEventForACutLog()
    {
        assertFalse(ElectionRecord.isCutBehindTurns(new ClusterEvent("commitPosition=2 newPosition=1")));
        assertFalse(ElectionRecord.isCutBehindTurns(new IllegalStateException((String)null)));
    }

    private void error(final String message)
    {
        election.onError(new IllegalStateException(message), now());
    }

    private long state(final int afterMs, final ElectionState state)
    {
        nowMs += afterMs;
        return election.onState(state, now());
    }

    private long now()
    {
        return TimeUnit.MILLISECONDS.toNanos(nowMs);
    }
}
