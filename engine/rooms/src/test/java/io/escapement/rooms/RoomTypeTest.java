package io.escapement.rooms;

import io.escapement.config.ConfigException;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RoomTypeTest
{
    @Test
    void shouldRefuseValuesThatCannotWork()
    {
        assertRefused("seats", "0", "must be 1 to 65535", (type) -> type.seats(0));
        assertRefused("seats", "65536", "must be 1 to 65535", (type) -> type.seats(65_536));
        assertRefused("timers", "-1", "must be 0 to 16777216", (type) -> type.timers(-1));
        assertRefused("outputLimit", "1023", "must be 1024 to 16777216", (type) -> type.outputLimit(1_023));
        assertRefused("requests", "4097", "must be 0 to 4096", (type) -> type.requests(4_097));
        assertRefused("groups", "65", "must be 0 to 64", (type) -> type.groups(65));
        assertRefused("catchUp", "0", "must be 1 to 64", (type) -> type.catchUp(0));
        assertRefused("graceNs", "-1", "must be 0 or more; 0 frees the seat immediately", (type) -> type.graceNs(-1));
        assertRefused("flushEveryNs", "0", "must be above 0", (type) -> type.flushEveryNs(0));
        assertRefused("flush", "INTERVAL", "call flushEveryNs, which sets the interval",
            (type) -> type.flush(RoomType.Flush.INTERVAL));
        assertRefused("id", "0", "must be 1 to 2147483647", (type) -> RoomType.of(0, "zero", 1, Idle::new));
        assertRefused("version", "-1", "must be 0 to 2147483647", (type) -> RoomType.of(1, "minus", -1, Idle::new));
        for (final String name : List.of("", "with space", "\u00e9", "\u007f", "n".repeat(65)))
        {
            assertRefused("name", "'" + name + "'", "must be 1 to 64 printable ASCII characters without spaces",
                (type) -> RoomType.of(1, name, 1, Idle::new));
        }
    }

    @Test
    void shouldAcceptTheLimitsThemselves()
    {
        final RoomType type = type().seats(RoomType.MAX_SEATS).timers(RoomType.MAX_TIMERS).timers(0)
            .outputLimit(RoomType.MIN_OUTPUT_LIMIT).outputLimit(RoomType.MAX_OUTPUT_LIMIT)
            .requests(0).requests(RoomType.MAX_REQUESTS).groups(0).groups(RoomType.MAX_GROUPS)
            .catchUp(1).catchUp(RoomType.MAX_CATCH_UP).graceNs(0).flushEveryNs(1);
        assertEquals(RoomType.MAX_SEATS, type.seats());
        assertEquals(RoomType.Flush.INTERVAL, type.flush());
    }

    @Test
    void shouldHaveItsNameAndVersion()
    {
        final String longest = "!~" + "n".repeat(62);
        final RoomType type = RoomType.of(Integer.MAX_VALUE, longest, 0, Idle::new);
        assertEquals(longest, type.name());
        assertEquals(Integer.MAX_VALUE, type.id());
        assertEquals(0, type.version());
        assertEquals("kind(type 1, version 1)", type().toString());
        assertEquals(1, type().version());
        assertEquals(7, type().version(7).version());
    }

    @Test
    void shouldRefuseEverySetterOnceFrozen()
    {
        for (final Consumer<RoomType> setter : List.<Consumer<RoomType>>of(
            (type) -> type.version(2),
            (type) -> type.seats(2), (type) -> type.timers(2), (type) -> type.outputLimit(2_048),
            (type) -> type.requests(2), (type) -> type.groups(2), (type) -> type.catchUp(2),
            (type) -> type.graceNs(2), (type) -> type.admission(RoomType.Admission.BY_RESERVATION),
            (type) -> type.flush(RoomType.Flush.FRAME), (type) -> type.flushEveryNs(2), RoomType::ephemeral))
        {
            final RoomType type = type();
            final long settings = type.settingsHash();
            type.freeze();
            final Exception refused = assertThrows(IllegalStateException.class, () -> setter.accept(type));
            assertTrue(refused.getMessage().contains("can no longer change"), refused.getMessage());
            assertEquals(settings, type.settingsHash());
        }
    }

    /** Logs carry this hash: a change makes every recorded log refuse to replay. */
    @Test
    void shouldKeepTheHashOfItsSettings()
    {
        assertEquals(-8695216109178345797L, type().settingsHash());
        for (final RoomType changed : List.of(
            type().seats(2), type().timers(2), type().outputLimit(2_048), type().requests(2), type().groups(2),
            type().catchUp(2), type().graceNs(2), type().admission(RoomType.Admission.BY_RESERVATION),
            type().flush(RoomType.Flush.FRAME), type().flushEveryNs(2), type().ephemeral()))
        {
            assertTrue(type().settingsHash() != changed.settingsHash());
        }
    }

    private static void assertRefused(
        final String option, final String value, final String remedy, final Consumer<RoomType> use)
    {
        final ConfigException refused = assertThrows(ConfigException.class, () -> use.accept(type()));
        assertEquals(option, refused.option());
        assertEquals(value, refused.value());
        assertEquals(remedy, refused.remedy());
    }

    private static RoomType type()
    {
        return RoomType.of(1, "kind", 1, Idle::new);
    }

    private static final class Idle implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(0);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("no player sends here");
        }
    }
}
