/** An HTTP server for health checks, metrics and the console. */
module io.escapement.http
{
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires java.management;
    requires java.net.http;

    exports io.escapement.http;
}
