package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages of players that are valid, mutated and random: each is handled or ends its connection with a code. */
class HostilePlayerTest
{
    private static final long SEED = 1_704;
    private static final int ROOMS = 120;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<byte[]> samples = samples(random);

    private GatewayBench bench()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().messageRate(1_000_000).byteRate(100_000_000).logInRate(1_000_000);
        return new GatewayBench(context);
    }

    @Test
    void shouldSurviveHostileMessages()
    {
        final GatewayBench bench = bench();
        final int rounds = Tests.isFull() ? 100_000_000 : 1_000_000;
        final Set<CloseCode> codes = EnumSet.noneOf(CloseCode.class);
        final FakeLink bystander = bench.seated(9_999, 1);
        FakeLink link = bench.greeted();
        int connections = 1;
        for (int i = 0; i < rounds; i++)
        {
            final byte[] bytes = next();
            try
            {
                link.connection.onMessage(new UnsafeBuffer(bytes), 0, bytes.length);
                if (0 == i % 16)
                {
                    bench.turn();
                }
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("seed " + SEED + ", round " + i, ex);
            }
            link.received.clear();
            bench.engine.log.clear();
            if (null != link.closed)
            {
                codes.add(link.closed);
                link = bench.resume(0 == random.nextInt(3) ? link.token : FakeLink.NO_TOKEN);
                connections++;
            }
        }
        bench.turns(10);
        assertTrue(connections > 1_000, () -> "most were refused, not handled");
        codes.removeAll(EnumSet.of(CloseCode.MALFORMED, CloseCode.NORMAL, CloseCode.PROTOCOL_VERSION));
        assertEquals(Set.of(), codes);
        assertFalse(bystander.connection.isClosed());
        bench.engine.message(1, false, "still here");
        assertTrue(bystander.received.contains("event still here"), "seed " + SEED);
    }

    /** Valid messages of a player, Hello last. */
    static List<byte[]> samples(final SplittableRandom random)
    {
        final List<byte[]> samples = new ArrayList<>();
        final FakeLink codec = new FakeLink();
        codec.outgoing = (buffer, length) ->
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(0, bytes);
            samples.add(bytes);
        };
        for (int i = 0; i < 8; i++)
        {
            codec.logIn(i, Integer.toString(i));
            codec.join(i, 1 + random.nextInt(ROOMS));
            codec.leave(1 + random.nextInt(ROOMS));
            codec.message(1 + random.nextInt(ROOMS), "text");
            codec.pingGateway(i);
        }
        codec.goodbye();
        codec.hello(FakeLink.NO_TOKEN);
        return samples;
    }

    private byte[] next()
    {
        final byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
        final int kind = random.nextInt(64);
        if (kind == 0)
        {
            final byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            return noise;
        }
        for (int flips = kind < 8 ? 1 + random.nextInt(3) : 0; flips > 0; flips--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
        }
        return bytes;
    }
}
