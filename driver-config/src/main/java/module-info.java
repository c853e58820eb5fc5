/** Profiles, guarded endpoints and a launcher for Aeron's media driver. */
module io.escapement.driver
{
    requires com.sun.jna;
    requires info.picocli;
    requires transitive io.aeron.client;
    requires transitive io.aeron.driver;
    requires io.escapement.codecs;
    requires transitive org.agrona;

    exports io.escapement.driver;
    exports io.escapement.driver.guard;
    exports io.escapement.driver.internal;

    opens io.escapement.driver to info.picocli;
}
