/** The client of a trunk, for gateways and bots. */
module io.escapement.client
{
    requires transitive io.aeron.client;
    requires transitive io.escapement.codecs;
    requires transitive org.agrona;

    exports io.escapement.client;
}
