package io.escapement.codecs;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.testsupport.RealTime;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bytes chosen by a fuzzer. The second tier runs it over its saved inputs; to search for new ones, one test at a time:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -B test -Pfull -pl codecs -Dtest=ValidatorFuzzTest#shouldOnlyAcceptMessagesThatDecode
 * JAZZER_FUZZ=1 mvn -B test -Pfull -pl codecs -Dtest=ValidatorFuzzTest#shouldOnlyAcceptBatchesThatDecode
 * </pre>
 */
@RealTime("a fuzzer searches for a time")
class ValidatorFuzzTest
{
    private static final Walk ROOM = new Walk(new Shapes("room.xml"));
    private static final Walk TRUNK = new Walk(new Shapes("trunk.xml"));

    @FuzzTest(maxDuration = "60s")
    void shouldOnlyAcceptMessagesThatDecode(final byte[] bytes)
    {
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        if (0 == RoomLayout.RULES.validate(message, 0, bytes.length) && bytes.length != ROOM.end(message))
        {
            throw new AssertionError("the decoders end elsewhere");
        }
    }

    @FuzzTest(maxDuration = "60s")
    void shouldOnlyAcceptBatchesThatDecode(final byte[] bytes)
    {
        final UnsafeBuffer batch = new UnsafeBuffer(bytes);
        int at = 0;
        while (at < bytes.length)
        {
            final int length = TrunkMessages.entryLength(batch, at, bytes.length);
            if (length < 0)
            {
                return;
            }
            final int message = at + TrunkMessages.ENTRY_HEADER_LENGTH;
            if (length != TRUNK.end(new UnsafeBuffer(batch, message, length)))
            {
                throw new AssertionError("the decoders end elsewhere");
            }
            at = message + length;
        }
    }
}
