package io.escapement.codecs;

import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Messages between programs with different versions of trunk.xml. */
class SchemaVersionsTest
{
    private static final int AT = 3;
    private final TestSchema schema = TrunkSchema.schema();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    @Test
    void shouldCopyEveryMessageToEveryVersionBefore()
    {
        for (final byte[] sample : schema.samples())
        {
            final UnsafeBuffer from = new UnsafeBuffer(sample);
            assertEquals(schema.naive().shapes.version, SchemaRules.version(from, 0));
            for (int version = 0; version <= schema.naive().shapes.version; version++)
            {
                final byte[] expected = older(sample, version);
                final int length = TrunkMessages.RULES.copyLength(from, 0, sample.length, version);
                assertEquals(expected.length, length);
                final UnsafeBuffer to = new UnsafeBuffer(new byte[AT + length]);
                TrunkMessages.RULES.copy(from, 0, sample.length, version, to, AT);
                final byte[] copy = new byte[length];
                to.getBytes(AT, copy);
                assertArrayEquals(expected, copy, "version " + version + " of " + HexFormat.of().formatHex(sample));
                assertEquals(0, TrunkMessages.RULES.validate(to, AT, length));
                assertEquals(0, schema.naive().validate(ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN)));
            }
        }
    }

    /** As an engine of version 0 encoded them. */
    @Test
    void shouldReadMessagesOfVersion0()
    {
        final UnsafeBuffer refused =
            bytes("1400 3600 be02 0000" + "0500000000004000" + "0900000000000000" + "0400" + "2a00");
        final RefusedDecoder decoder = new RefusedDecoder().wrapAndApplyHeader(refused, 0, header);
        assertEquals(9, decoder.reference());
        assertEquals(42, decoder.code());
        assertEquals(TrunkMessages.NO_SEAT, decoder.seatIndex());

        final UnsafeBuffer entryRefused =
            bytes("1400 2600 be02 0000" + "0500000000004000" + "0900000000000000" + "0400" + "8c00");
        final EntryRefusedDecoder edge = new EntryRefusedDecoder().wrapAndApplyHeader(entryRefused, 0, header);
        assertEquals(140, edge.code());
        assertEquals(-1, edge.seatIndex());

        final UnsafeBuffer resumed =
            bytes("1800 3300 be02 0000" + "0500000000004000" + "0900000000000000" + "03000000" + "02000000");
        final SeatResumedDecoder seat = new SeatResumedDecoder().wrapAndApplyHeader(resumed, 0, header);
        assertEquals(3, seat.seatIndex());
        assertEquals(0, seat.playerId());
    }

    private static UnsafeBuffer bytes(final String hex)
    {
        final UnsafeBuffer message = new UnsafeBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
        assertEquals(0, TrunkMessages.RULES.validate(message, 0, message.capacity()));
        return message;
    }

    /** The message without the fields that are newer, from the schema's text. */
    private byte[] older(final byte[] sample, final int version)
    {
        final ByteBuffer in = ByteBuffer.wrap(sample).order(ByteOrder.LITTLE_ENDIAN);
        final Shapes.Block shape = schema.naive().shapes.byTemplate.get((int)in.getShort(2));
        final int[] lengths = shape.lengths;
        final int block = in.getShort(0);
        int end = sample.length;
        if (1 == shape.parts.size() && shape.partVersions.get(0) > version)
        {
            end = 8 + block;
        }
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(lengths[version]);
        out.write(lengths[version] >>> 8);
        out.write(sample, 2, 4);
        out.write(version);
        out.write(0);
        out.write(sample, 8, lengths[version]);
        out.write(sample, 8 + block, end - 8 - block);
        return out.toByteArray();
    }
}
