package io.escapement.rooms.host;

import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostContextTest
{
    private final HostContext context = new HostContext();

    @ParameterizedTest
    @CsvSource({
        "roomLimit, 1, 1000000", "seatLimit, 1, 16000000", "timerLimit, 0, 16000000", "linkLimit, 1, 65536",
        "phaseGroups, 1, 64"})
    void shouldTakeNumbersWithinTheLimitsOfTheOption(final String option, final int least, final int most)
    {
        for (final int value : new int[]{least, most})
        {
            set(option, value);
            assertEquals(value, inHeader(option));
        }
        for (final int value : new int[]{least - 1, most + 1, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            assertNamed(option, () -> set(option, value));
        }
        assertEquals(most, inHeader(option));
    }

    @Test
    void shouldTakeATickThatIsAPowerOfTwo()
    {
        for (long tick = 1 << 14; tick <= 1 << 30; tick *= 2)
        {
            assertEquals(tick, context.wheelTickNs(tick).header().wheelTickNs());
        }
        for (final long tick : new long[]{0, -1, 1 << 13, (1 << 14) + 1, (1 << 20) - 1, 3 << 14, 1L << 31})
        {
            assertNamed("wheelTickNs", () -> context.wheelTickNs(tick));
        }
    }

    @Test
    void shouldTakeABuildOfPrintableCharacters()
    {
        assertEquals(" ~" + "x".repeat(126), context.build(" ~" + "x".repeat(126)).header().build());
        assertEquals("", context.build("").header().build());
        for (final String build : new String[]{"x".repeat(129), "\u001f", "a\u007f", "\u00e4"})
        {
            assertNamed("build", () -> context.build(build));
        }
    }

    @Test
    void shouldHaveOutputsAndARoomType()
    {
        assertNamed("outputs", context::conclude);
        context.outputs(NoOutputs.NONE);
        assertNamed("roomType", context::conclude);
        context.roomType(type(3)).roomType(type(1));
        assertNamed("roomType", () -> context.roomType(type(3)));
        context.conclude().conclude();
        assertEquals(1, context.types().all().get(0).id());
        assertEquals(3, context.types().all().get(1).id());
    }

    @Test
    void shouldTakeNothingOnceItIsConcluded()
    {
        context.outputs(NoOutputs.NONE).roomType(type(1)).conclude();
        final Runnable[] setters = {
            () -> context.roomType(type(2)), () -> context.roomLimit(1), () -> context.seatLimit(1),
            () -> context.timerLimit(1), () -> context.linkLimit(1), () -> context.phaseGroups(1),
            () -> context.wheelTickNs(1 << 20), () -> context.epochMs(1), () -> context.build("late"),
            () -> context.outputs(NoOutputs.NONE), context::hashOutput, () -> context.listener(null),
            () -> context.logger(null), context::silent};
        for (int i = 0; i < setters.length; i++)
        {
            assertThrows(IllegalStateException.class, setters[i]::run, "setter " + i);
        }
        new RoomHost(context);
    }

    @Test
    void shouldBeLikeTheHostOfALog()
    {
        final HostConfig header = new HostContext().roomLimit(2).seatLimit(3).timerLimit(4).linkLimit(5)
            .phaseGroups(6).wheelTickNs(1 << 15).epochMs(7).header();
        assertEquals(header, context.like(header).header());
    }

    @Test
    void shouldRefuseEphemeralTypesNextToOthersAndInALog()
    {
        final HostContext mixed = new HostContext().outputs(NoOutputs.NONE)
            .roomType(type(2)).roomType(type(9).ephemeral());
        assertTrue(assertThrows(ConfigException.class, mixed::conclude).getMessage().contains(
            "is ephemeral and type2"));
        final HostContext logged = new HostContext().outputs(NoOutputs.NONE).hashOutput()
            .roomType(type(9).ephemeral());
        assertEquals("roomType", assertThrows(ConfigException.class, mixed::conclude).option());
        assertEquals("hashOutput", assertThrows(ConfigException.class, logged::conclude).option());
        final RoomHost closures =
            new RoomHost(new HostContext().outputs(NoOutputs.NONE).roomType(type(9).ephemeral()));
        assertThrows(IllegalStateException.class, () -> closures.snapshot(new ByteSink()));
        assertThrows(IllegalStateException.class, () -> closures.beginImage(new HostImage()));
    }

    @Test
    void shouldNameTheTypesInTheHeader()
    {
        context.roomType(type(2)).roomType(type(1));
        assertEquals(2, context.header().types().size());
        assertEquals(1, context.header().types().get(0).typeId());
        assertEquals(2, context.header().types().get(1).typeId());
    }

    private void set(final String option, final int value)
    {
        switch (option)
        {
            case "roomLimit" -> context.roomLimit(value);
            case "seatLimit" -> context.seatLimit(value);
            case "timerLimit" -> context.timerLimit(value);
            case "linkLimit" -> context.linkLimit(value);
            default -> context.phaseGroups(value);
        }
    }

    private int inHeader(final String option)
    {
        final HostConfig header = context.header();
        return switch (option)
        {
            case "roomLimit" -> header.roomLimit();
            case "seatLimit" -> header.seatLimit();
            case "timerLimit" -> header.timerLimit();
            case "linkLimit" -> header.linkLimit();
            default -> header.phaseGroups();
        };
    }

    private static void assertNamed(final String option, final Runnable wrong)
    {
        assertEquals(option, assertThrows(ConfigException.class, wrong::run).option());
    }

    private static RoomType type(final int id)
    {
        return RoomType.of(id, "type" + id, 1, Quiet::new);
    }
}
