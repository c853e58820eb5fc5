/** Whole systems in one thread and in simulated time, for tests of rooms. */
module io.escapement.simulator
{
    requires transitive io.escapement.engine;
    requires io.escapement.client;
    requires io.escapement.driver;

    exports io.escapement.simulator;
}
