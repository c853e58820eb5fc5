package io.escapement.arena.common;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.MessageHeaderDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.rooms.bench.BenchSeat;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** Messages that a seat of a test has received. */
public final class Received
{
    private Received()
    {
    }

    /** Number of messages of a kind. */
    public static long count(final BenchSeat seat, final int templateId)
    {
        return seat.received().stream()
            .filter((bytes) -> templateId == SchemaRules.templateId(new UnsafeBuffer(bytes), 0)).count();
    }

    /** The last message of a kind. */
    public static <D extends MessageDecoderFlyweight> D last(final BenchSeat seat, final D decoder)
    {
        byte[] last = null;
        for (final byte[] bytes : seat.received())
        {
            assertEquals(0, ArenaLayout.RULES.validate(new UnsafeBuffer(bytes), 0, bytes.length));
            last = decoder.sbeTemplateId() == SchemaRules.templateId(new UnsafeBuffer(bytes), 0) ? bytes : last;
        }
        assertNotNull(last, "no " + decoder.getClass().getSimpleName() + " received");
        decoder.wrap(
            new UnsafeBuffer(last), MessageHeaderDecoder.ENCODED_LENGTH, decoder.sbeBlockLength(),
            decoder.sbeSchemaVersion());
        return decoder;
    }

    /** The code of every Refused that the room sent to the seat. */
    public static List<ArenaCode> refusals(final BenchSeat seat)
    {
        final List<ArenaCode> codes = new ArrayList<>();
        for (final byte[] bytes : seat.received())
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            if (RefusedDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, 0))
            {
                codes.add(new RefusedDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder()).code());
            }
        }
        return codes;
    }

    public static void assertRefused(final ArenaCode code, final BenchSeat seat)
    {
        final List<ArenaCode> codes = refusals(seat);
        assertEquals(code, codes.isEmpty() ? null : codes.get(codes.size() - 1));
    }
}
