package io.escapement.gateway.sample;

import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A gateway before an engine on another host. Its arguments are the files of a certificate, a key and a secret. */
public final class EdgeGateway
{
    private EdgeGateway()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final Path chainFile = Path.of(args[0]);
        final Path keyFile = Path.of(args[1]);
        final byte[] secret = Files.readAllBytes(Path.of(args[2]));
        final GatewayContext context = new GatewayContext()
            .host("0.0.0.0").port(8443).allowHost("play.example.com").certificate(chainFile, keyFile)
            .udp("10.0.0.5:40100", "10.0.0.5:40101").secret(secret)
            .index("game/index.html");
        Gateway.runUntilSignal(context, (gateway) -> System.out.println("port " + gateway.port()),
            TimeUnit.SECONDS.toNanos(10));
    }
}
