package io.escapement.server;

import io.aeron.Aeron;
import io.escapement.accounts.Credentials;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.MessageHeaderDecoder;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.layout.SchemaRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A player with a trunk, which records every event. */
final class TestPlayer implements AutoCloseable, TrunkListener
{
    private static final byte[] PASSWORD = "nobody would guess this".getBytes(StandardCharsets.US_ASCII);
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    final Map<Long, ClientSeat> seatByRoomMap = new TreeMap<>();
    final List<String> seatEvents = new ArrayList<>();
    final List<Integer> refusals = new ArrayList<>();
    private final List<byte[]> events = new ArrayList<>();
    private final Supplier<TrunkContext> connection;
    private TrunkClient trunk;
    private int logIns;
    private int logInStatus;
    private long playerId;
    private byte[] token;

    TestPlayer(final Aeron aeron, final String ingress, final String response, final byte[] secret)
    {
        connection = () -> new TrunkContext().aeron(aeron).udp(ingress, response).identity("tests").secret(secret)
            .listener(this);
        trunk = TrunkClient.connect(connection.get());
    }

    /** Break the connection without a Goodbye. */
    void lose()
    {
        trunk.abandon();
    }

    /** Resume the trunk whose connection was lost. */
    void comeBack()
    {
        trunk = TrunkClient.connect(connection.get().resume(trunk));
    }

    int poll()
    {
        return trunk.poll();
    }

    boolean isUp()
    {
        return TrunkClient.State.UP == trunk.state();
    }

    void signUp(final String name)
    {
        assertEquals(SendStatus.SENT, trunk.logIn(1, Credentials.signUp(name, PASSWORD, "10.0.0.1")));
    }

    void logIn(final String name)
    {
        assertEquals(SendStatus.SENT, trunk.logIn(1, Credentials.logIn(name, PASSWORD, "10.0.0.1")));
    }

    /** Number of log-ins answered. */
    int logIns()
    {
        return logIns;
    }

    int logInStatus()
    {
        return logInStatus;
    }

    long playerId()
    {
        return playerId;
    }

    boolean join(final long roomId)
    {
        return SendStatus.SENT == trunk.join(7, roomId, playerId, token, NOTHING, 0, 0);
    }

    boolean leave(final long roomId)
    {
        return SendStatus.SENT == trunk.leave(seatByRoomMap.get(roomId));
    }

    /** Writes messages from its seat in a room, also from a former one. */
    ArenaSender to(final long roomId)
    {
        final ClientSeat seat = seatByRoomMap.get(roomId);
        return new ArenaSender((buffer, offset, length) ->
            assertEquals(SendStatus.SENT, trunk.send(seat, buffer, offset, length)));
    }

    boolean isIn(final long roomId)
    {
        final ClientSeat seat = seatByRoomMap.get(roomId);
        return null != seat && seat.isPresent();
    }

    /** Removes and returns the oldest received event of this type, or null. */
    <D extends MessageDecoderFlyweight> D take(final D decoder)
    {
        for (int i = 0; i < events.size(); i++)
        {
            final UnsafeBuffer event = new UnsafeBuffer(events.get(i));
            if (decoder.sbeTemplateId() == SchemaRules.templateId(event, 0))
            {
                events.remove(i);
                final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(event, 0);
                decoder.wrap(event, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
                return decoder;
            }
        }
        return null;
    }

    @Override
    public void onLogIn(final long requestId, final int status, final long player, final byte[] newToken)
    {
        logIns++;
        logInStatus = status;
        if (0 == status)
        {
            playerId = player;
            token = newToken;
        }
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        seatByRoomMap.put(seat.roomId(), seat);
    }

    @Override
    public void onSeatAway(final ClientSeat seat, final int reason)
    {
        seatEvents.add("away from " + seat.roomId() + ", reason " + reason);
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason)
    {
        seatEvents.add("left " + seat.roomId() + ", reason " + reason);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        refusals.add(code);
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        assertEquals(0, ArenaLayout.RULES.validate(new UnsafeBuffer(bytes), 0, length));
        events.add(bytes);
    }

    @Override
    public void close()
    {
        trunk.close();
    }
}
