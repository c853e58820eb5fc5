package io.escapement.arena.protocol;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.codecs.TestSchema;
import io.escapement.codecs.Walk;
import io.escapement.testsupport.RealTime;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bytes chosen by a fuzzer. The second tier runs the empty input alone; to search for inputs:
 * {@code JAZZER_FUZZ=1 mvn -B test -Pfull -pl engine/samples/arena -Dtest=ArenaFuzzTest}.
 */
@RealTime("a fuzzer searches for a time")
class ArenaFuzzTest
{
    private static final Walk WALK = TestSchema.of(ArenaLayout.RULES, "/io/escapement/arena/protocol/arena.xml").walk();

    @FuzzTest(maxDuration = "60s")
    void shouldAcceptOnlyMessagesThatDecode(final byte[] bytes)
    {
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        if (0 == ArenaLayout.RULES.validate(message, 0, bytes.length) && bytes.length != WALK.end(message))
        {
            throw new AssertionError("an accepted message does not end where its decoder ends");
        }
    }
}
