package io.escapement.rooms;

import java.util.List;

/** The types of the rooms of the corpus. Files depend on them, so none may change. */
final class CorpusTypes
{
    static final int DUEL = 1;
    static final int LOBBY = 2;
    static final int RAID = 3;
    static final int VAULT = 4;
    /** Versions of duels: the third cannot take over a room, the fourth leaves bytes unread. */
    static final int DUEL_VERSIONS = 4;
    private static final int SEAT_DATA = 8;

    private CorpusTypes()
    {
    }

    static List<RoomType> all(final CorpusObserver observer)
    {
        return List.of(duel(observer, 1), duel(observer, 2), duel(observer, 3), duel(observer, 4),
            RoomType.of(LOBBY, "lobby", 1, () -> new CorpusRoom(observer, 1, 0, false))
                .seats(70).spectators(3).timers(12).graceNs(300_000_000).flushEveryNs(25_000_000).outputLimit(8_192)
                .requests(8).questions(3).seatData(SEAT_DATA).joinRequests(2).joinTimeoutNs(400_000_000),
            RoomType.of(RAID, "raid", 1, () -> new CorpusRoom(observer, 1, 30, true))
                .seats(16).timers(10).graceNs(0).catchUp(3).flush(RoomType.Flush.FRAME).outputLimit(4_096)
                .requests(4).questions(1).seatData(SEAT_DATA).joinRequests(1).joinTimeoutNs(80_000_000),
            RoomType.of(VAULT, "vault", 1, () -> new CorpusRoom(observer, 1, 7, false))
                .seats(2).timers(1).graceNs(100_000_000).admission(RoomType.Admission.BY_RESERVATION)
                .outputLimit(1_024).requests(1).seatData(SEAT_DATA));
    }

    private static RoomType duel(final CorpusObserver observer, final int version)
    {
        return RoomType.of(DUEL, "duel", version, () -> new CorpusRoom(observer, version, 60, false))
            .seats(3).spectators(1).timers(4).graceNs(40_000_000).outputLimit(1_024).requests(3).questions(2)
            .seatData(SEAT_DATA).joinRequests(2).joinTimeoutNs(60_000_000).closeWhenEmptyNs(2_000_000_000L);
    }
}
