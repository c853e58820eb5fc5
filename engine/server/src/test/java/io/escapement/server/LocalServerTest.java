package io.escapement.server;

import io.escapement.gateway.GatewayContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

@RealTime("a server in this process")
class LocalServerTest
{
    private static final String POLICY = "default-src 'none'";

    @Test
    void shouldHaveTheGameConfigureItsGateway() throws IOException, InterruptedException
    {
        try (LocalServer server = LocalServer.launch(new StrictGame(), 0, null))
        {
            final HttpResponse<String> page = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create(server.url() + "escapement/client.js")).build(),
                HttpResponse.BodyHandlers.ofString());
            assertEquals(List.of(POLICY), page.headers().allValues("Content-Security-Policy"), page.toString());
        }
    }

    private static final class StrictGame implements Game
    {
        @Override
        public List<RoomType> roomTypes()
        {
            return List.of(RoomType.of(1, "idle", 1, IdleRoom::new));
        }

        @Override
        public void configure(final GatewayContext context)
        {
            context.contentSecurityPolicy(POLICY);
        }
    }

    private static final class IdleRoom implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }
    }
}
