package io.escapement.matchmaking;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.matchmaking.codecs.EnqueueEncoder;
import io.escapement.matchmaking.codecs.FindEncoder;
import io.escapement.matchmaking.codecs.LabelEncoder;
import io.escapement.matchmaking.codecs.MatchedDecoder;
import io.escapement.matchmaking.codecs.MessageHeaderDecoder;
import io.escapement.matchmaking.codecs.MessageHeaderEncoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Bursts: all players join and enqueue within one frame, and are matched; or all look for an open room. Each request is
 * answered in the next turn. The full form plays 10,000 players, several times, and prints the times of turns:
 * {@code mvn -Pfull test -pl engine/matchmaking -Dtest=MatchmakerBurstTest}.
 */
@RealTime("the times of turns, which it prints in full form")
class MatchmakerBurstTest
{
    private static final int PLAYERS = Tests.isFull() ? 10_000 : 1_000;
    private static final int RUNS = Tests.isFull() ? 5 : 1;
    private static final int HALLS = 1_000;
    private static final int HALL_SEATS = 16;
    private static final int MATCHMAKER = 1;
    private static final int MATCH = 2;
    private static final int HALL = 3;
    private static final long ROOM = 1;
    /** The matches and halls are rooms of the other loop. */
    private static final int OTHER_LOOP = 1;
    private static final long FIRST_MATCH = (long)OTHER_LOOP << 54 | 1_000;
    private static final long FIRST_HALL = (long)OTHER_LOOP << 54 | 1_000_000;
    /** Commands of a turn, as many as a loop takes from its ring at a time. */
    private static final int COMMANDS = 256;
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RATING = MessageHeaderEncoder.ENCODED_LENGTH + EnqueueEncoder.ratingEncodingOffset();

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[256]);
    private final List<byte[]> answers = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final long[] nanos = new long[1 << 16];
    private final World world = new World();
    private Matchmaker matchmaker;
    private RoomHost host;
    private int turns;
    private long nowNs;
    private long lastMatch;
    private long messages;
    private int matched;
    private int commandsOfTurn;
    private long startNs;

    @Test
    void shouldMatchABurstOfPlayers()
    {
        for (int run = 0; run < RUNS; run++)
        {
            open(new MatchmakerContext(MATCH, 2).waitingLimit(PLAYERS).initialRange(100)
                .timeoutNs(TimeUnit.HOURS.toNanos(1)));
            final int length = enqueue();
            for (int i = 0; i < PLAYERS; i++)
            {
                join(i);
            }
            final int joined = turns;
            report(run, "joins", 0, joined);
            for (int i = 0; i < PLAYERS; i++)
            {
                payload.putShort(RATING, (short)(i * 7 % 3_000));
                send(i, length);
            }
            report(run, "messages", joined, turns);
            final int waiting = turns;
            play(PLAYERS & ~1);
            assertEquals(PLAYERS, matched);
            assertEquals(PLAYERS / 2, lastMatch);
            report(run, "turns until all are matched", waiting, turns);
        }
    }

    @Test
    void shouldFindRoomsForABurstOfPlayers()
    {
        for (int run = 0; run < RUNS; run++)
        {
            open(new MatchmakerContext(MATCH, 2).waitingLimit(PLAYERS).findTypeId(HALL)
                .timeoutNs(TimeUnit.HOURS.toNanos(1)));
            for (int hall = 0; hall < HALLS; hall++)
            {
                final long id = FIRST_HALL + hall;
                command(encoder.directoryEntry(
                    buffer, 0, ROOM, id, HALL, 0, HALL_SEATS, 0, DirectoryChange.OPENED, payload, 0, 0));
                payload.putByte(0, (byte)('a' + hall % 10));
                command(encoder.directoryEntry(
                    buffer, 0, ROOM, id, HALL, 0, HALL_SEATS, 1, DirectoryChange.LABEL, payload, 0, 1));
            }
            for (int i = 0; i < PLAYERS; i++)
            {
                join(i);
            }
            final int joined = turns;
            for (int i = 0; i < PLAYERS; i++)
            {
                send(i, find((char)('a' + i % 10)));
            }
            report(run, "messages", joined, turns);
            final int waiting = turns;
            play(PLAYERS);
            assertEquals(PLAYERS, matched);
            report(run, "turns until all have a room", waiting, turns);
        }
    }

    private int enqueue()
    {
        new EnqueueEncoder().wrapAndApplyHeader(payload, 0, new MessageHeaderEncoder())
            .partyId(0).partySize((short)1).rating(0);
        return MessageHeaderEncoder.ENCODED_LENGTH + EnqueueEncoder.BLOCK_LENGTH;
    }

    private int find(final char value)
    {
        final FindEncoder find = new FindEncoder().wrapAndApplyHeader(payload, 0, new MessageHeaderEncoder())
            .partyId(0).partySize((short)1);
        find.label1().key((short)1).length((short)1).value(0, (short)value);
        for (final LabelEncoder unused : List.of(find.label2(), find.label3(), find.label4()))
        {
            unused.key(LabelEncoder.keyNullValue());
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + FindEncoder.BLOCK_LENGTH;
    }

    private void open(final MatchmakerContext context)
    {
        turns = 0;
        nowNs = 0;
        lastMatch = 0;
        matched = 0;
        answers.clear();
        messages = 0;
        host = new RoomHost(new HostContext().roomLimit(1).loopState(LoopLimits.of(0, 2))
            .outputs(world).listener(new HostListener()
        {
            @Override
            public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
            {
                failures.add(cause);
            }
        }).roomType(Matchmaker.type(MATCHMAKER, context, () ->
        {
            matchmaker = new Matchmaker(context);
            return matchmaker;
        })));
        command(encoder.openRoom(buffer, 0, ROOM, 1, 0, 0, MATCHMAKER, payload, 0, 0));
        command(encoder.linkUp(buffer, 0, 0, 0));
    }

    private void join(final int player)
    {
        command(encoder.join(buffer, 0, ROOM, 1 + player, 1 + player, 0, payload, 0, 0));
    }

    private void send(final int player, final int length)
    {
        command(encoder.message(buffer, 0, ROOM, 1, player, 1, 0, payload, 0, length));
    }

    private void command(final int length)
    {
        if (0 == commandsOfTurn)
        {
            nowNs += TURN_NS;
            startNs = System.nanoTime();
            host.beginTurn(nowNs);
        }
        assertEquals(0, host.onCommand(buffer, 0, length));
        if (++commandsOfTurn == COMMANDS)
        {
            endTurn();
        }
    }

    private void endTurn()
    {
        host.endTurn();
        nanos[turns++] = System.nanoTime() - startNs;
        commandsOfTurn = 0;
        host.loopState().sendRequests(world::onOpenRoom);
        messages += host.loopState().sendMessages(OTHER_LOOP, world::onReserve);
        answers.add(Arrays.copyOf(buffer.byteArray(), encoder.taken(buffer, 0, messages, OTHER_LOOP)));
        assertEquals(List.of(), failures);
    }

    /** Run turns of a millisecond, which answer what the turn before has requested, until all have a room. */
    private void play(final int players)
    {
        if (0 != commandsOfTurn)
        {
            endTurn();
        }
        final int limit = turns + 60_000;
        long comparisons = matchmaker.comparisons();
        while (matched < players && turns < Math.min(limit, nanos.length))
        {
            final List<byte[]> commands = new ArrayList<>(answers);
            answers.clear();
            nowNs += TURN_NS;
            startNs = System.nanoTime();
            host.beginTurn(nowNs);
            for (final byte[] command : commands)
            {
                buffer.putBytes(0, command);
                assertEquals(0, host.onCommand(buffer, 0, command.length));
            }
            endTurn();
            final long more = matchmaker.comparisons() - comparisons;
            comparisons = matchmaker.comparisons();
            assertTrue(more <= 2 * (Matchmaker.COMPARISONS_OF_FRAME + Matchmaker.MAX_SEARCH_COMPARISONS),
                () -> more + " comparisons in a frame");
        }
    }

    private void report(final int run, final String what, final int from, final int to)
    {
        if (Tests.isFull() && run == RUNS - 1 && to > from)
        {
            final long[] sorted = Arrays.copyOfRange(nanos, from, to);
            Arrays.sort(sorted);
            System.err.println(PLAYERS + " players, " + what + ": " + sorted.length + " turns, " +
                sorted[sorted.length / 2] / 1_000 + " us p50, " + sorted[sorted.length * 99 / 100] / 1_000 +
                " us p99, " + sorted[sorted.length - 1] / 1_000 + " us at most");
        }
    }

    /** Opens every room, reserves every seat, and counts those who are sent there. */
    private final class World extends NoOutputs
    {
        private final UnsafeBuffer answer = new UnsafeBuffer(new byte[256]);
        private final UnsafeBuffer opened = new UnsafeBuffer(new byte[8]);
        private final io.escapement.codecs.room.MessageHeaderDecoder header =
            new io.escapement.codecs.room.MessageHeaderDecoder();
        private final MessageHeaderDecoder matchHeader = new MessageHeaderDecoder();
        private final RoomEncoder replies = new RoomEncoder();

        @Override
        public void message(
            final int link,
            final long roomId,
            final int outputClass,
            final int audience,
            final long selector,
            final DirectBuffer bytes,
            final int offset,
            final int length)
        {
            matched += MatchedDecoder.TEMPLATE_ID == matchHeader.wrap(bytes, offset).templateId() ? 1 : 0;
        }

        private boolean onOpenRoom(final DirectBuffer bytes, final int offset, final int length)
        {
            opened.putLong(0, FIRST_MATCH + ++lastMatch);
            reply(new OpenRoomDecoder().wrapAndApplyHeader(bytes, offset, header).correlationId(), 8);
            return true;
        }

        private boolean onReserve(final DirectBuffer bytes, final int offset, final int length)
        {
            reply(new ReserveDecoder()
                .wrapAndApplyHeader(bytes, RoomCommands.carriedOffset(offset), header).correlationId(), 0);
            return true;
        }

        private void reply(final long correlationId, final int length)
        {
            answers.add(Arrays.copyOf(answer.byteArray(),
                replies.reply(answer, 0, ROOM, correlationId, 0, opened, 0, length)));
        }
    }
}
