/** The engine: trunks, loops, services and monitoring around rooms. */
@SuppressWarnings("module")
module io.escapement.engine
{
    requires com.lmax.disruptor;
    requires io.escapement.http;
    requires transitive HdrHistogram;
    requires transitive io.aeron.client;
    requires transitive io.aeron.driver;
    requires transitive io.escapement.codecs;
    requires transitive io.escapement.driver;
    requires transitive io.escapement.rooms;
    requires transitive org.agrona;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;

    uses io.escapement.rooms.RoomType.Provider;

    exports io.escapement.engine;
    exports io.escapement.engine.monitor;
    exports io.escapement.engine.spi;
    exports io.escapement.engine.trunks;
    // The simulator is built after this module.
    exports io.escapement.engine.internal.durable to io.escapement.simulator;
}
