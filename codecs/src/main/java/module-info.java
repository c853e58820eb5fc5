/** Wire messages of trunks, players and rooms, and the exception for wrong options. */
module io.escapement.codecs
{
    requires transitive org.agrona;

    exports io.escapement.codecs;
    exports io.escapement.codecs.layout;
    exports io.escapement.codecs.player;
    exports io.escapement.codecs.room;
    exports io.escapement.codecs.sync;
    exports io.escapement.codecs.trunk;
    exports io.escapement.config;
    exports io.escapement.config.internal;
    exports io.escapement.ratelimit;
}
