package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.FrameDescriptor;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.engine.internal.queue.ControlSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

class IngressAdapterTest
{
    private static final long ROOM = SteppedEdge.roomId(0);
    private static final int TRUNK_BURST = SteppedEdge.TRUNK_RATE / 10;
    private static final int SEAT_BURST = SteppedEdge.SEAT_RATE / 10;

    private final SteppedEdge edge = new SteppedEdge();

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        SEND          | -                | 1
        FRAGMENT      | NOT_UNFRAGMENTED | 0
        MALFORMED     | BAD_BLOCK_LENGTH | 0
        KEEPALIVE     | WRONG_STREAM     | 0
        SEND_NOTHING  | TOO_SHORT        | 0
        SEND_TOO_MANY | TOO_MANY_ENTRIES | 0
        SEND_ELSEWHERE| UNKNOWN_ROOM     | 0
        JOIN          | BAD_PLAYER_TOKEN | 0
        JOIN_ELSEWHERE| UNKNOWN_ROOM     | 0
        LEAVE         | -                | 1
        AWAY          | -                | 1
        STATE_LOST    | -                | 1
        ATTACH        | -                | 0
        MALFORMED_LAST| BAD_BLOCK_LENGTH | 0
        """)
    void shouldRefuse(final String batch, final String refusal, final int accepted)
    {
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 0);
        send(client, image, batch);
        edge.step(2);
        assertEquals(null == refusal ? List.of() : List.of(refusal), edge.refusals());
        assertEquals(accepted, edge.counter("entries accepted"));
        assertEquals(null == refusal ? 0 : 1, edge.counter("entries refused"));
        final boolean isAnswered = null != refusal || "ATTACH".equals(batch);
        assertEquals(isAnswered ? 1 : 0, client.takeReplies().size(), "EntryRefused, or Attached again");
        assertEquals(0, image.unread());
        // The next batch is admitted, whatever this one was.
        edge.skipMessages(0);
        image.send(ClientMessages.send(ROOM, 0, 9));
        edge.step();
        assertEquals(List.of(9L), edge.takeMessages(0));
    }

    @Test
    void shouldKeepABatchInAeronWhileTheRingIsFull()
    {
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 0);
        for (int i = 0; i < SteppedEdge.RING_SLOTS / 4; i++)
        {
            image.send(ClientMessages.send(ROOM, i, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3));
        }
        image.send(ClientMessages.send(ROOM, 9, 100, 101));
        image.send(ClientMessages.send(ROOM, 9, 102));
        final int before = image.deliveries;
        edge.step(10);
        assertEquals(2, image.unread());
        assertEquals(1, edge.counter("batches sent back because a ring was full"), "validated once, not in each turn");
        assertEquals(before + 5, image.deliveries);
        assertEquals(LongStream.range(0, 16).boxed().toList(), edge.takeMessages(0));
        edge.step();
        assertEquals(List.of(100L, 101L, 102L), edge.takeMessages(0), "whole and in order");
        assertEquals(0, image.unread());
        assertEquals(List.of(), edge.refusals());
    }

    @Test
    void shouldNotLetABlockedTrunkDelaySmallerBatchesOfOthers()
    {
        final SteppedClient first = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage blocked = first.attached(0, 0);
        final MemoryTransport.MemoryImage other = SteppedClient.welcomed(edge).attached(0, 1);
        for (int i = 0; i < 3; i++)
        {
            blocked.send(ClientMessages.send(ROOM, i, 1, 2, 3, 4));
        }
        blocked.send(ClientMessages.send(ROOM, 3, 1, 2));
        edge.step();
        blocked.send(ClientMessages.send(ROOM, 4, 1, 2, 3));
        edge.step();
        other.send(ClientMessages.send(ROOM, 5, 77, 78));
        edge.step();
        assertEquals(1, blocked.unread());
        assertEquals(0, other.unread());
    }

    @Test
    void shouldRefuseEntriesAboveTheRateOfTheTrunk()
    {
        final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge).attached(0, 0);
        final int entries = TRUNK_BURST + 4;
        for (int i = 0; i < entries; i++)
        {
            image.send(ClientMessages.send(ROOM, i, i));
        }
        // In one turn, which has one time: the ring is emptied by the loop in between.
        long accepted = 0;
        while (0 != image.unread())
        {
            edge.agent.doWork();
            accepted += edge.takeMessages(0).size();
        }
        assertEquals(TRUNK_BURST, accepted);
        assertEquals(entries - TRUNK_BURST, edge.counter("refused RATE_LIMITED"));
        edge.pass(TimeUnit.MILLISECONDS.toNanos(10));
        image.send(ClientMessages.send(ROOM, 1, 1));
        edge.step();
        assertEquals(1, edge.takeMessages(0).size(), "after a while");
    }

    @Test
    void shouldRefuseEntriesAboveTheRateOfASeatAndOfNoOther()
    {
        final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge).attached(0, 0);
        // Seats are not counted within the first burst.
        for (int i = 0; i < SEAT_BURST; i++)
        {
            image.send(ClientMessages.send(ROOM, 1, i));
        }
        edge.agent.doWork();
        assertEquals(SEAT_BURST, edge.takeMessages(0).size());
        for (int i = 0; i < SEAT_BURST + 2; i++)
        {
            image.send(ClientMessages.send(ROOM, 1, SEAT_BURST + i));
        }
        image.send(ClientMessages.send(ROOM, 2, 55));
        edge.agent.doWork();
        assertEquals(SEAT_BURST + 1, edge.takeMessages(0).size());
        assertEquals(2, edge.counter("refused RATE_LIMITED"));
    }

    @Test
    void shouldAdmitFourLostStatesASecondOfEachSeat()
    {
        final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge).attached(0, 0);
        for (int i = 0; i < 6; i++)
        {
            image.send(ClientMessages.stateLost(ROOM, 2));
        }
        image.send(ClientMessages.stateLost(ROOM, 3));
        edge.agent.doWork();
        final List<String> commands = new ArrayList<>();
        edge.rings[0].poll((slot, sequence, isEndOfBatch) ->
        {
            if (ControlSignal.PADDING != slot.signal())
            {
                final StateLostDecoder lost = new StateLostDecoder()
                    .wrapAndApplyHeader(edge.rings[0].block(), slot.offset, new MessageHeaderDecoder());
                commands.add(lost.seatIndex() + "/" + lost.generation() + " on " + lost.link());
            }
            return true;
        });
        assertEquals(List.of("2/3 on 0", "2/3 on 0", "2/3 on 0", "2/3 on 0", "3/3 on 0"), commands);
        assertEquals(2, edge.counter("refused RATE_LIMITED"));
    }

    @Test
    void shouldTurnAnAwayIntoTheCommandOfItsLink()
    {
        final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge).attached(0, 0);
        image.send(ClientMessages.away(ROOM));
        edge.agent.doWork();
        final List<String> commands = new ArrayList<>();
        edge.rings[0].poll((slot, sequence, isEndOfBatch) ->
        {
            final SeatDownDecoder down = new SeatDownDecoder()
                .wrapAndApplyHeader(edge.rings[0].block(), slot.offset, new MessageHeaderDecoder());
            commands.add(down.roomId() + " " + down.seatIndex() + "/" + down.generation() + " on " + down.link());
            return true;
        });
        assertEquals(List.of(ROOM + " 2/3 on 0"), commands);
    }

    @Test
    void shouldTurnACancelJoinIntoTheCommandOfItsLink()
    {
        final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge).attached(0, 0);
        image.send(ClientMessages.cancelJoin(ROOM, 5, 77));
        image.send(ClientMessages.cancelJoin(SteppedEdge.roomId(1), 5, 77));
        edge.agent.doWork();
        final List<String> commands = new ArrayList<>();
        edge.rings[0].poll((slot, sequence, isEndOfBatch) ->
        {
            if (ControlSignal.PADDING != slot.signal())
            {
                final CancelJoinDecoder cancel = new CancelJoinDecoder()
                    .wrapAndApplyHeader(edge.rings[0].block(), slot.offset, new MessageHeaderDecoder());
                commands.add(
                    cancel.roomId() + " " + cancel.playerId() + " " + cancel.requestId() + " on " + cancel.link());
            }
            return true;
        });
        assertEquals(List.of(ROOM + " 77 5 on 0"), commands);
        assertEquals(List.of("UNKNOWN_ROOM"), edge.refusals(), "a room of another loop");
    }

    @Test
    void shouldAdmitAPlayerByItsTokenUntilThatExpires()
    {
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 0);
        client.send(ClientMessages.logIn(1));
        edge.logIns.get(0).onReply(0, 77);
        edge.step(2);
        assertEquals(List.of("LogInReply 1 NONE"), client.takeReplies());
        image.send(ClientMessages.join(ROOM, 77, client.playerToken));
        edge.step();
        assertEquals(1, edge.counter("entries accepted"));
        image.send(ClientMessages.join(ROOM, 78, client.playerToken));
        edge.step();
        assertEquals(List.of("BAD_PLAYER_TOKEN"), edge.refusals(), "another player");
        for (long ns = 0; ns < SteppedEdge.TOKEN_NS; ns += SteppedEdge.KEEPALIVE_NS)
        {
            client.send(ClientMessages.keepalive());
            edge.pass(SteppedEdge.KEEPALIVE_NS);
        }
        image.send(ClientMessages.join(ROOM, 77, client.playerToken));
        edge.step();
        assertEquals(List.of("BAD_PLAYER_TOKEN", "PLAYER_TOKEN_EXPIRED"), edge.refusals());
    }

    @Test
    void shouldNotAdmitAPlayerByTheTokenOfAnotherTrunk()
    {
        final SteppedClient other = SteppedClient.welcomed(edge);
        other.send(ClientMessages.logIn(1));
        edge.logIns.get(0).onReply(0, 77);
        edge.step(2);
        other.takeReplies();
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 1);
        image.send(ClientMessages.join(ROOM, 77, other.playerToken));
        edge.step();
        assertEquals(List.of("BAD_PLAYER_TOKEN"), edge.refusals());
    }

    @Test
    void shouldLetATrustedTrunkNameItsPlayers()
    {
        final MemoryTransport.MemoryImage image = SteppedClient.welcomed(edge, "trusted").attached(0, 0);
        image.send(ClientMessages.join(ROOM, 77, new byte[0]));
        edge.step();
        assertEquals(1, edge.counter("entries accepted"));
    }

    @Test
    void shouldCountRefusalsThatDoNotFitTheQueueOfReplies()
    {
        final SteppedClient client = SteppedClient.welcomed(edge);
        final MemoryTransport.MemoryImage image = client.attached(0, 0);
        client.control.response.isBlocked = true;
        final int refusals = 1_000;
        for (int i = 0; i < refusals; i++)
        {
            image.send(ClientMessages.malformed());
        }
        edge.step(refusals / 10);
        client.control.response.isBlocked = false;
        edge.step();
        final int reported = client.takeReplies().size();
        assertEquals(refusals, reported + edge.counter("refusals dropped"));
    }

    private static void send(
        final SteppedClient client, final MemoryTransport.MemoryImage image, final String batch)
    {
        switch (batch)
        {
            case "SEND" -> image.send(ClientMessages.send(ROOM, 0, 1));
            case "FRAGMENT" -> image.send(
                ClientMessages.send(ROOM, 0, 1), FrameDescriptor.END_FRAG_FLAG);
            case "MALFORMED" -> image.send(ClientMessages.malformed());
            case "KEEPALIVE" -> image.send(ClientMessages.keepalive());
            case "SEND_NOTHING" -> image.send(ClientMessages.send(ROOM, 0));
            case "SEND_TOO_MANY" -> image.send(ClientMessages.send(ROOM, 0, 1, 2, 3, 4, 5));
            case "SEND_ELSEWHERE" -> image.send(ClientMessages.send(SteppedEdge.roomId(1), 0, 1));
            case "JOIN" -> image.send(ClientMessages.join(ROOM, 1, new byte[24]));
            case "JOIN_ELSEWHERE" -> image.send(ClientMessages.join(SteppedEdge.roomId(1), 1, new byte[24]));
            case "LEAVE" -> image.send(ClientMessages.leave(ROOM));
            case "AWAY" -> image.send(ClientMessages.away(ROOM));
            case "STATE_LOST" -> image.send(ClientMessages.stateLost(ROOM, 2));
            case "ATTACH" -> image.send(ClientMessages.attach(client.trunkId, client.attachToken));
            case "MALFORMED_LAST" -> image.send(
                ClientMessages.joined(ClientMessages.send(ROOM, 0, 1), ClientMessages.malformed()));
            default -> throw new AssertionError(batch);
        }
    }
}
