package io.escapement.codecs;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bytes chosen by a fuzzer. The build runs it over the corpus beside it; to search for new inputs:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -B test -pl codecs -Dtest=ValidatorFuzzTest
 * </pre>
 */
class ValidatorFuzzTest
{
    private final Walk walk = new Walk();

    @FuzzTest(maxDuration = "60s")
    void shouldOnlyTakeWhatDecodes(final byte[] bytes)
    {
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        if (0 == RoomCommands.RULES.validate(message, 0, bytes.length) && bytes.length != walk.end(message))
        {
            throw new AssertionError("the decoders end elsewhere");
        }
    }
}
