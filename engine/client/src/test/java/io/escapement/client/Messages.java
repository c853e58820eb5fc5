package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.trunk.AcceptedEncoder;
import io.escapement.codecs.trunk.AttachedEncoder;
import io.escapement.codecs.trunk.ChallengeEncoder;
import io.escapement.codecs.trunk.EntryRefusedEncoder;
import io.escapement.codecs.trunk.FeedBeginsEncoder;
import io.escapement.codecs.trunk.FeedDecoder;
import io.escapement.codecs.trunk.FeedOfferedEncoder;
import io.escapement.codecs.trunk.FeedPacket;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.JoinedEncoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.KeepaliveReplyEncoder;
import io.escapement.codecs.trunk.LeadingEncoder;
import io.escapement.codecs.trunk.LeftEncoder;
import io.escapement.codecs.trunk.LogInReplyEncoder;
import io.escapement.codecs.trunk.LogInSessionEncoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RefusedEncoder;
import io.escapement.codecs.trunk.RejectEncoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SeatAwayEncoder;
import io.escapement.codecs.trunk.SeatResumedEncoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StandbyEncoder;
import io.escapement.codecs.trunk.StateLostDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TurnEncoder;
import io.escapement.codecs.trunk.WelcomeEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageEncoderFlyweight;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The engine's messages as bytes, and the client's batches as text. */
final class Messages
{
    static final int ENTRY_LIMIT = 8;
    static final long KEEPALIVE_NS = 1_000_000_000;
    static final long TRUNK_ID = 77;
    static final long ATTACH_TOKEN = 88;
    static final long STANDBY_TOKEN = 99;
    private static final byte[] NOTHING = new byte[0];

    private Messages()
    {
    }

    static byte[] challenge()
    {
        final ChallengeEncoder encoder = wrap(new ChallengeEncoder());
        encoder.nonce().high(3).low(4);
        return bytes(encoder);
    }

    static byte[] welcome(final int loops, final boolean isResumed)
    {
        final WelcomeEncoder encoder = wrap(new WelcomeEncoder());
        encoder.trunkId(TRUNK_ID).resumeToken().high(5).low(6);
        return bytes(encoder.attachToken(ATTACH_TOKEN).serverTimeNs(1_000).keepaliveNs(KEEPALIVE_NS).graceNs(1)
            .loops(loops).maxPayloadLength(512).maxBatchEntries(ENTRY_LIMIT).maxMessageLength(8_192)
            .isResumed((short)(isResumed ? 1 : 0)).isTrusted((short)1));
    }

    static byte[] standby(final int member, final int leader, final int incarnation, final int loops)
    {
        return bytes(Messages.<StandbyEncoder>wrap(new StandbyEncoder()).attachToken(STANDBY_TOKEN)
            .keepaliveNs(KEEPALIVE_NS).incarnation(incarnation).memberId(member).leaderMemberId(leader)
            .loops(loops).maxBatchEntries(ENTRY_LIMIT));
    }

    static byte[] leading(final int member, final int incarnation)
    {
        return bytes(Messages.<LeadingEncoder>wrap(new LeadingEncoder()).incarnation(incarnation).memberId(member));
    }

    static byte[] reject(final int code)
    {
        return bytes(Messages.<RejectEncoder>wrap(new RejectEncoder()).code(code));
    }

    static byte[] goodbye(final TrunkCode code)
    {
        return bytes(Messages.<GoodbyeEncoder>wrap(new GoodbyeEncoder()).code(code));
    }

    static byte[] attached(final int loop)
    {
        return bytes(Messages.<AttachedEncoder>wrap(new AttachedEncoder()).loop(loop));
    }

    static byte[] logInReply()
    {
        return bytes(Messages.<LogInReplyEncoder>wrap(new LogInReplyEncoder()).requestId(1).playerId(2).status(0)
            .putToken(new byte[]{9}, 0, 1));
    }

    static byte[] logInSession()
    {
        return bytes(Messages.<LogInSessionEncoder>wrap(new LogInSessionEncoder()).requestId(1)
            .putSession(new byte[]{8}, 0, 1));
    }

    static byte[] keepaliveReply(final long clientTimeNs, final long serverTimeNs)
    {
        return bytes(Messages.<KeepaliveReplyEncoder>wrap(new KeepaliveReplyEncoder())
            .clientTimeNs(clientTimeNs).serverTimeNs(serverTimeNs));
    }

    static byte[] entryRefused()
    {
        return bytes(Messages.<EntryRefusedEncoder>wrap(new EntryRefusedEncoder())
            .roomId(3).reference(4).templateId(2).code(140).seatIndex(-1));
    }

    static byte[] event(final long roomId, final Audience audience, final long selector, final String payload)
    {
        return roomMessage(false, roomId, audience, selector, payload);
    }

    static byte[] state(final long roomId, final Audience audience, final long selector, final String payload)
    {
        return roomMessage(true, roomId, audience, selector, payload);
    }

    static byte[] feedOffered(final int feedId, final int sessionId, final int streamId, final int loop)
    {
        return feedOffered(feedId, sessionId, streamId, loop, "");
    }

    static byte[] feedOffered(
        final int feedId, final int sessionId, final int streamId, final int loop, final String group)
    {
        final byte[] bytes = group.getBytes(StandardCharsets.US_ASCII);
        return bytes(Messages.<FeedOfferedEncoder>wrap(new FeedOfferedEncoder())
            .feedId(feedId).sessionId(sessionId).streamId(streamId).loop(loop).putGroup(bytes, 0, bytes.length));
    }

    static byte[] feedBegins(final long turn, final int packet)
    {
        return bytes(Messages.<FeedBeginsEncoder>wrap(new FeedBeginsEncoder()).turn(turn).packet(packet));
    }

    static byte[] turn(final long number)
    {
        return bytes(Messages.<TurnEncoder>wrap(new TurnEncoder()).number(number));
    }

    /** A state on a feed, with the number of its room. */
    static byte[] feedState(
        final long roomId, final Audience audience, final long selector, final int number, final String payload)
    {
        return roomMessage(true, roomId, audience, selector,
            "" + (char)(number & 0xFF) + (char)(number >> Byte.SIZE & 0xFF) + payload);
    }

    /** A packet of a feed. */
    static byte[] feedPacket(final int feedId, final int number, final long turn, final byte[]... messages)
    {
        final byte[] batch = batch(messages);
        final UnsafeBuffer packet = new UnsafeBuffer(new byte[FeedPacket.HEADER_LENGTH + batch.length]);
        FeedPacket.putHeader(packet, 0, feedId, number, turn);
        packet.putBytes(FeedPacket.HEADER_LENGTH, batch);
        return packet.byteArray();
    }

    /** The Feed messages of all batches as "id/loop port", or "id/loop on". */
    static List<String> feeds(final List<byte[]> batches)
    {
        final List<String> feeds = new ArrayList<>();
        for (final byte[] batch : batches)
        {
            for (final UnsafeBuffer message : messages(batch))
            {
                if (FeedDecoder.TEMPLATE_ID == SchemaRules.templateId(message, 0))
                {
                    final FeedDecoder feed =
                        new FeedDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                    feeds.add(feed.feedId() + "/" + feed.loop() + " " +
                        (0 == feed.isOn() ? feed.port() : 0 == feed.port() ? "on" : "on with a port"));
                }
            }
        }
        return feeds;
    }

    /** The seats of all StateLost in batches, as "room/seat.generation". */
    static List<String> losses(final List<byte[]> batches)
    {
        final List<String> losses = new ArrayList<>();
        for (final byte[] batch : batches)
        {
            for (final UnsafeBuffer message : messages(batch))
            {
                if (StateLostDecoder.TEMPLATE_ID == SchemaRules.templateId(message, 0))
                {
                    final StateLostDecoder lost =
                        new StateLostDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                    losses.add(lost.roomId() + "/" + lost.seatIndex() + "." + lost.generation());
                }
            }
        }
        return losses;
    }

    /** With its length and flags. */
    private static byte[] roomMessage(
        final boolean isState, final long roomId, final Audience audience, final long selector, final String payload)
    {
        final byte[] text = payload.getBytes(StandardCharsets.ISO_8859_1);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomMessage.MAX_HEADER_LENGTH + text.length]);
        final int headerLength =
            RoomMessage.putHeader(buffer, 0, isState, roomId, audience.ordinal(), selector, text.length);
        buffer.putBytes(headerLength, text);
        return Arrays.copyOf(buffer.byteArray(), headerLength + text.length);
    }

    static byte[] joined(final long requestId, final long roomId, final int index, final int generation)
    {
        return joined(requestId, roomId, index, generation, 100 + index);
    }

    static byte[] joined(
        final long requestId, final long roomId, final int index, final int generation, final long playerId)
    {
        return bytes(Messages.<JoinedEncoder>wrap(new JoinedEncoder())
            .requestId(requestId).roomId(roomId).playerId(playerId).sequence(0)
            .seatIndex(index).generation(generation).putAnswer(NOTHING, 0, 0));
    }

    /** With an answer of the room's logic. */
    static byte[] joinedWith(final String answer, final long requestId, final long roomId, final int index)
    {
        final byte[] text = answer.getBytes(StandardCharsets.US_ASCII);
        return bytes(Messages.<JoinedEncoder>wrap(new JoinedEncoder())
            .requestId(requestId).roomId(roomId).playerId(100 + index).sequence(0)
            .seatIndex(index).generation(1).putAnswer(text, 0, text.length));
    }

    static byte[] seatResumed(final long roomId, final int index, final int generation, final long sequence)
    {
        return seatResumed(roomId, index, generation, sequence, 1);
    }

    static byte[] seatResumed(
        final long roomId, final int index, final int generation, final long sequence, final long playerId)
    {
        return bytes(Messages.<SeatResumedEncoder>wrap(new SeatResumedEncoder())
            .roomId(roomId).sequence(sequence).seatIndex(index).generation(generation).playerId(playerId));
    }

    static byte[] seatAway(final long roomId, final int index, final int generation, final int reason)
    {
        return bytes(Messages.<SeatAwayEncoder>wrap(new SeatAwayEncoder())
            .roomId(roomId).seatIndex(index).generation(generation).reason((short)reason));
    }

    static byte[] left(final long roomId, final int index, final int generation, final int reason)
    {
        return bytes(Messages.<LeftEncoder>wrap(new LeftEncoder())
            .roomId(roomId).seatIndex(index).generation(generation).reason((short)reason));
    }

    static byte[] refused()
    {
        return bytes(Messages.<RefusedEncoder>wrap(new RefusedEncoder())
            .roomId(3).reference(4).templateId(4).code(44).seatIndex(6));
    }

    static byte[] refused(final long roomId, final int index, final long sequence, final int code)
    {
        return refused(SendDecoder.TEMPLATE_ID, roomId, index, sequence, code);
    }

    static byte[] refused(
        final int templateId, final long roomId, final int index, final long reference, final int code)
    {
        return bytes(Messages.<RefusedEncoder>wrap(new RefusedEncoder())
            .roomId(roomId).reference(reference).templateId(templateId).code(code).seatIndex(index));
    }

    static byte[] entryRefused(final long roomId, final int index, final long sequence, final int code)
    {
        return bytes(Messages.<EntryRefusedEncoder>wrap(new EntryRefusedEncoder())
            .roomId(roomId).reference(sequence).templateId(SendDecoder.TEMPLATE_ID).code(code).seatIndex(index));
    }

    static byte[] accepted(final long roomId, final int index, final int generation, final long sequence)
    {
        return bytes(Messages.<AcceptedEncoder>wrap(new AcceptedEncoder())
            .roomId(roomId).sequence(sequence).seatIndex(index).generation(generation));
    }

    /** A return to a held seat. */
    static byte[] joinedAt(
        final long requestId, final long roomId, final int index, final int generation, final long sequence)
    {
        return bytes(Messages.<JoinedEncoder>wrap(new JoinedEncoder())
            .requestId(requestId).roomId(roomId).playerId(100 + index).sequence(sequence)
            .seatIndex(index).generation(generation).putAnswer(NOTHING, 0, 0));
    }

    static byte[] batch(final byte[]... messages)
    {
        final ByteBuffer out = ByteBuffer.allocate(64 * 1_024).order(ByteOrder.LITTLE_ENDIAN);
        for (final byte[] message : messages)
        {
            if (!RoomMessage.isAt(new UnsafeBuffer(message), 0, message.length))
            {
                out.putShort((short)message.length);
            }
            out.put(message);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** The messages of a batch, each without its length; fails when the engine would refuse one. */
    static List<UnsafeBuffer> messages(final byte[] batch)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(batch);
        final List<UnsafeBuffer> messages = new ArrayList<>();
        int at = 0;
        while (at < batch.length)
        {
            final int length = TrunkMessages.entryLength(buffer, at, batch.length);
            assertTrue(length > 0, () -> "the engine would refuse the batch: " + ~length);
            messages.add(new UnsafeBuffer(buffer, at + TrunkMessages.ENTRY_HEADER_LENGTH, length));
            at += TrunkMessages.ENTRY_HEADER_LENGTH + length;
        }
        return messages;
    }

    /** Template ids of the messages of all batches, in order. */
    static List<Integer> templates(final List<byte[]> batches)
    {
        final List<Integer> templates = new ArrayList<>();
        for (final byte[] batch : batches)
        {
            messages(batch).forEach((message) -> templates.add(SchemaRules.templateId(message, 0)));
        }
        return templates;
    }

    /** The round trip that a batch of one keepalive reports. */
    static long reportedRoundTripNs(final List<byte[]> batches)
    {
        return new KeepaliveDecoder()
            .wrapAndApplyHeader(messages(batches.get(0)).get(0), 0, new MessageHeaderDecoder()).roundTripNs();
    }

    /** The entries of a batch as the engine counts them: "room/seat#sequence:length" or the template. */
    static List<String> entries(final byte[] batch)
    {
        final List<String> entries = new ArrayList<>();
        final SendDecoder send = new SendDecoder();
        for (final UnsafeBuffer message : messages(batch))
        {
            final int template = SchemaRules.templateId(message, 0);
            if (SendDecoder.TEMPLATE_ID != template)
            {
                entries.add("template " + template);
                continue;
            }
            send.wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
            final long roomId = send.roomId();
            final SendDecoder.MessagesDecoder messages = send.messages();
            while (messages.hasNext())
            {
                messages.next();
                final String name = messages.seatIndex() + "#" + messages.sequence();
                entries.add(roomId + "/" + name + ":" + messages.payloadLength());
                messages.skipPayload();
            }
        }
        return entries;
    }

    @SuppressWarnings("unchecked")
    private static <T extends MessageEncoderFlyweight> T wrap(final MessageEncoderFlyweight encoder)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16 * 1_024]);
        new MessageHeaderEncoder().wrap(buffer, 0).blockLength(encoder.sbeBlockLength())
            .templateId(encoder.sbeTemplateId()).schemaId(encoder.sbeSchemaId()).version(encoder.sbeSchemaVersion());
        encoder.wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH);
        return (T)encoder;
    }

    private static byte[] bytes(final MessageEncoderFlyweight encoder)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength()];
        encoder.buffer().getBytes(0, bytes);
        return bytes;
    }
}
