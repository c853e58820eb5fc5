/** Rooms, their logic, logs and replays. */
module io.escapement.rooms
{
    requires transitive io.escapement.codecs;
    requires transitive org.agrona;
    requires java.management;
    requires jdk.management;

    exports io.escapement.rooms;
    exports io.escapement.rooms.bench;
    exports io.escapement.rooms.log;
    exports io.escapement.rooms.loop;
    exports io.escapement.rooms.replay;
    exports io.escapement.rooms.steps;
    exports io.escapement.rooms.sync;
    exports io.escapement.rooms.host;
    exports io.escapement.rooms.output;
}
