package io.escapement.rooms.scenario;

import io.escapement.rooms.RoomType;

/** The types of the rooms of a scenario: small and large, with frames and without, with each option that a type has. */
final class ChaosTypes
{
    private static final int SEAT_DATA = 16;

    private ChaosTypes()
    {
    }

    static RoomType duel()
    {
        return duel(1);
    }

    /** It takes over the rooms of the other version at a Reload. */
    static RoomType newerDuel()
    {
        return duel(2);
    }

    private static RoomType duel(final int version)
    {
        return RoomType.of(1, "duel", version, () -> new ChaosRoom(60, version, false)).seats(4).timers(3)
            .graceNs(40_000_000).outputLimit(2_048).requests(0).seatData(SEAT_DATA).closeWhenEmptyNs(2_000_000_000L);
    }

    static RoomType lobby()
    {
        return RoomType.of(2, "lobby", 3, () -> new ChaosRoom(0, 3, false)).seats(100).timers(40)
            .graceNs(400_000_000).flushEveryNs(25_000_000).outputLimit(8_192).requests(8).questions(3)
            .seatData(SEAT_DATA).spectators(3);
    }

    static RoomType raid()
    {
        return RoomType.of(3, "raid", 2, () -> new ChaosRoom(30, 2, true)).seats(16).timers(6).graceNs(0).catchUp(3)
            .admission(RoomType.Admission.OPEN).flush(RoomType.Flush.FRAME).outputLimit(4_096).requests(6)
            .questions(1).seatData(SEAT_DATA).joinRequests(1).joinTimeoutNs(60_000_000);
    }
}
