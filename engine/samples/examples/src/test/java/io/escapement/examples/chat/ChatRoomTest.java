package io.escapement.examples.chat;

import io.escapement.lobby.codecs.AskEncoder;
import io.escapement.lobby.codecs.LobbyEncoder;
import io.escapement.lobby.codecs.MessageHeaderEncoder;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class ChatRoomTest
{
    private static final String HOSTILE = "<img src=x onerror=alert(1)> \u202E\u2066 \u0085 \uD83D\uDE00 ' OR 1=1; --";

    private final RoomBench bench = RoomBench.of(ChatRoom.type());
    private long players;

    @AfterEach
    void shouldReplayAndRestore()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldSendTextsToEveryoneWithTheName()
    {
        final BenchSeat ann = join("Ann");
        final BenchSeat ben = join("Ben");
        assertEquals(List.of("welcome", "here\t0\tAnn", "here\t1\tBen"), ann.texts());
        assertEquals(List.of("welcome", "here\t0\tAnn", "here\t1\tBen"), ben.texts());
        ann.send("hello");
        assertEquals("Ann\thello", said(ben));
        assertEquals("Ann\thello", said(ann));
        ben.leave();
        assertEquals("gone\t1", last(ann));
    }

    @Test
    void shouldSendWhoJoinsTheLastLinesInOrder()
    {
        final BenchSeat ann = join("Ann");
        for (int i = 1; i <= ChatRoom.HISTORY + 7; i++)
        {
            bench.runFor(ChatRoom.INTERVAL_NS);
            assertEquals(0, ann.send("line " + i));
        }
        final List<String> expected = IntStream.rangeClosed(8, ChatRoom.HISTORY + 7)
            .mapToObj((i) -> "Ann\tline " + i).collect(Collectors.toList());
        final BenchSeat ben = join("Ben");
        assertEquals(expected, linesOf(ben));
        assertEquals(List.of(), ann.refusals());
    }

    @Test
    void shouldSendWhoComesBackTheFullState()
    {
        final BenchSeat ann = join("Ann");
        final BenchSeat ben = join("Ben");
        ben.disconnect();
        ann.send("are you there?");
        ben.received().clear();
        final BenchSeat again = bench.join(bench.roomId(), 2, new UnsafeBuffer(new byte[0]), 0, 0);
        assertEquals(List.of("Ann\tare you there?"), linesOf(again));
        assertEquals(List.of("welcome", "here\t0\tAnn", "here\t1\tBen"), again.texts().subList(0, 3));
    }

    @Test
    void shouldLimitTheRateOfEachPlayer()
    {
        final BenchSeat ann = join("Ann");
        final BenchSeat ben = join("Ben");
        for (int i = 0; i < ChatRoom.BURST; i++)
        {
            ann.send("fast");
        }
        assertEquals(List.of(), ann.refusals());
        ann.send("too fast");
        assertEquals(List.of(ChatRoom.TOO_FAST), ann.refusals());
        ben.send("another player");
        assertEquals("Ben\tanother player", said(ann));
        bench.runFor(ChatRoom.INTERVAL_NS);
        ann.send("one more");
        assertEquals("Ann\tone more", said(ben));
        ann.send("and too fast again");
        assertEquals(List.of(ChatRoom.TOO_FAST, ChatRoom.TOO_FAST), ann.refusals());
        assertFalse(linesOf(ben).stream().anyMatch((text) -> text.contains("too fast")));
    }

    @Test
    void shouldPassHostileTextUnchangedAndRefuseControlCharacters()
    {
        final BenchSeat ann = join("Ann");
        final BenchSeat ben = join("<b>Ben");
        ben.send(HOSTILE);
        assertEquals("<b>Ben\t" + HOSTILE, said(ann));
        for (final String text : List.of("", "a\tb", "a\nb", "a\u0000", "\u007F", "\u001B[31m", "x".repeat(281)))
        {
            bench.runFor(ChatRoom.INTERVAL_NS);
            ann.refusals().clear();
            ann.send(text);
            assertEquals(List.of(ChatRoom.BAD_TEXT), ann.refusals(), text);
        }
        assertEquals(List.of("<b>Ben\t" + HOSTILE), linesOf(ben));
    }

    @Test
    void shouldRefuseBadNamesAndNamesOfOthers()
    {
        join("Ann");
        assertEquals(List.of(ChatRoom.NAME_TAKEN), join("Ann").refusals());
        assertEquals(List.of(ChatRoom.BAD_NAME), join("").refusals());
        assertEquals(List.of(ChatRoom.BAD_NAME), join("a\tb").refusals());
        assertEquals(List.of(ChatRoom.BAD_NAME), join("n".repeat(ChatRoom.MAX_NAME_LENGTH + 1)).refusals());
        for (final String name : List.of("\u3164", "Ann\u034F", "\u202EnnA", "Ann ", " ", "Ann\u200B"))
        {
            assertEquals(List.of(ChatRoom.BAD_NAME), join(name).refusals(), name);
        }
        assertEquals(1, join("Annie").index());
    }

    @Test
    void shouldFreeTheNameOfWhoLeaves()
    {
        join("Ann").leave();
        assertEquals(0, join("Ann").refusals().size());
    }

    @Test
    void shouldKeepItsRoomWhenNobodyIsThereSinceTheProgramOpenedIt()
    {
        join("Ann").leave();
        bench.runFor(2 * ChatRoom.EMPTY_NS);
        assertEquals(List.of(), join("Ben").refusals());
    }

    @Test
    void shouldCloseARoomThatAPlayerOpenedWhenItIsEmpty()
    {
        final RoomBench both = RoomBench.of(ChatGame.lobby(), ChatRoom.type());
        final UnsafeBuffer ask = new UnsafeBuffer(new byte[512]);
        final AskEncoder message = new LobbyEncoder().ask(ask, 0, 1, ChatRoom.TYPE_ID, false);
        message.labelsCount(0);
        message.putArgs(new byte[0], 0, 0);
        both.join(1).send(ask, 0, MessageHeaderEncoder.ENCODED_LENGTH + message.encodedLength());
        final UnsafeBuffer name = new UnsafeBuffer("Ann".getBytes(StandardCharsets.UTF_8));
        final BenchSeat inRoom = both.join(2, 1, name, 0, name.capacity());
        both.runFor(2 * ChatRoom.EMPTY_NS);
        assertEquals("here\t0\tAnn", last(inRoom));
        inRoom.leave();
        both.runFor(ChatRoom.EMPTY_NS + 1_000_000_000L);
        assertEquals(-1, both.join(2, 1, name, 0, name.capacity()).index());
        assertEquals(List.of(), both.failures());
        both.replayAndCompare();
        both.restoreAndCompare();
    }

    private BenchSeat join(final String name)
    {
        final UnsafeBuffer args = new UnsafeBuffer(name.getBytes(StandardCharsets.UTF_8));
        return bench.join(bench.roomId(), ++players, args, 0, args.capacity());
    }

    private static String last(final BenchSeat seat)
    {
        return seat.texts().get(seat.texts().size() - 1);
    }

    /** Name and text of the last line. */
    private static String said(final BenchSeat seat)
    {
        final List<String> lines = linesOf(seat);
        return lines.get(lines.size() - 1);
    }

    private static List<String> linesOf(final BenchSeat seat)
    {
        return seat.texts().stream().filter((text) -> text.startsWith("said\t"))
            .map((text) -> text.split("\t", 3)[2]).collect(Collectors.toList());
    }
}
