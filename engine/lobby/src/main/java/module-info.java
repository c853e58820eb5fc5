/** A room in which players see, open and find rooms, and talk. */
module io.escapement.lobby
{
    requires transitive io.escapement.client;
    requires transitive io.escapement.rooms;

    exports io.escapement.lobby;
    exports io.escapement.lobby.codecs;
}
