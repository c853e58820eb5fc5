/** A room in which players wait for a match. */
module io.escapement.matchmaking
{
    requires transitive io.escapement.rooms;

    exports io.escapement.matchmaking;
    exports io.escapement.matchmaking.codecs;
}
