package io.escapement.gateway;

import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Log-ins of many networks at a trunk that carries a limited number. */
class LogInTurnsTest
{
    private static final int QUEUE_LIMIT = 32;
    /** More than a trunk and the queue take. */
    private static final int STRANGERS = PlayerLogIns.OPEN_LIMIT + 2 * QUEUE_LIMIT;
    /** Credentials that the service answers at once. */
    private static final String TOKEN = "token-";

    private final GatewayBench bench = new GatewayBench(context());

    private static GatewayContext context()
    {
        final GatewayContext context = new GatewayContext().credentials(new GatewayCredentials()
        {
            @Override
            public byte[] toTrunk(final byte[] credentials, final String remoteAddress)
            {
                return credentials;
            }

            @Override
            public boolean isQuick(final byte[] credentials)
            {
                return new String(credentials, StandardCharsets.US_ASCII).startsWith(TOKEN);
            }
        });
        context.limits().logInQueueLimit(QUEUE_LIMIT);
        return context;
    }

    @AfterEach
    void shouldHaveNoErrors()
    {
        assertEquals(List.of(), bench.errors);
    }

    @Test
    void shouldServeAnHonestNetworkNextWhileStrangersFillTheQueue()
    {
        bench.engine.answersLogIns = false;
        fill("invented-");
        final FakeLink honest = logIn("198.51.100.7", "7");
        assertEquals(List.of(), honest.take(), "not refused");
        bench.engine.log.clear();
        bench.engine.refuseLogIn();
        bench.turns(2);
        assertEquals(List.of("logIn 7"), bench.engine.log, "the first place is for the honest one");
    }

    @Test
    void shouldRefuseTheNewestOfTheNetworkThatHasMost()
    {
        bench.engine.answersLogIns = false;
        final List<FakeLink> strangers = fill("invented-");
        final FakeLink newest = strangers.get(PlayerLogIns.OPEN_OF_KIND + QUEUE_LIMIT - 1);
        assertEquals(List.of(), newest.take());
        final FakeLink honest = logIn("198.51.100.7", "7");
        assertEquals(List.of("loggedIn 1 " + GatewayCode.TRY_LATER.value() + " 0"), newest.take());
        assertEquals(List.of(), honest.take());
        newest.logIn(2, "late");
        assertEquals(List.of("loggedIn 2 " + GatewayCode.TRY_LATER.value() + " 0"), newest.take(),
            "no log-in of it is open");
    }

    @Test
    void shouldSendTokensWhilePasswordsFillTheirPlaces()
    {
        bench.engine.answersLogIns = false;
        fill("invented-");
        bench.engine.log.clear();
        fill(TOKEN);
        assertEquals(
            PlayerLogIns.OPEN_LIMIT - PlayerLogIns.OPEN_OF_KIND, bench.engine.log.size(), () -> "" + bench.engine.log);
        assertTrue(bench.engine.log.get(0).startsWith("logIn " + TOKEN));
    }

    @Test
    void shouldSendPasswordsWhileTokensFillTheirPlaces()
    {
        bench.engine.answersLogIns = false;
        fill(TOKEN);
        bench.engine.log.clear();
        logIn("198.51.100.7", "7");
        assertEquals(List.of("logIn 7"), bench.engine.log);
    }

    /** The engine refuses more than 64, and still has the log-ins for which the gateway waited too long. */
    @Test
    void shouldKeepThePlacesOfLogInsThatTheEngineStillHas()
    {
        bench.engine.answersLogIns = false;
        final List<FakeLink> strangers = fill("invented-");
        bench.pass(TimeUnit.SECONDS.toNanos(11));
        assertEquals(List.of("loggedIn 1 " + GatewayCode.TRY_LATER.value() + " 0"), strangers.get(0).take().stream()
            .filter((line) -> line.startsWith("loggedIn")).toList());
        bench.engine.log.clear();
        fill("later-");
        assertEquals(List.of(), bench.engine.log);
        bench.engine.refuseLogIn();
        bench.turn();
        assertEquals(1, bench.engine.log.size(), "in the place of the one that was answered");
        bench.pass(TimeUnit.SECONDS.toNanos(40));
        bench.engine.log.clear();
        fill("last-");
        assertEquals(
            PlayerLogIns.OPEN_OF_KIND - 1, bench.engine.log.size(), "the engine has forgotten all but the last");
    }

    @Test
    void shouldFreeThePlacesWhenTheTrunkIsUpAgain()
    {
        bench.engine.answersLogIns = false;
        fill("invented-");
        bench.pass(TimeUnit.SECONDS.toNanos(8));
        fill("later-");
        bench.pass(TimeUnit.SECONDS.toNanos(3));
        bench.engine.disconnect(TrunkCode.KEEPALIVE_LATE.value());
        bench.engine.resume();
        bench.engine.log.clear();
        fill("last-");
        assertEquals(PlayerLogIns.OPEN_OF_KIND, bench.engine.log.size());
    }

    /** A player's token lasts an hour, and a connection may last for days. */
    @Test
    void shouldAllowAConnectionOneMoreLogInAfterAWhile()
    {
        final FakeLink link = bench.greeted();
        for (int i = 1; i <= PlayerConnection.LOG_IN_LIMIT; i++)
        {
            assertEquals(List.of("loggedIn " + i + " 0 7"), again(link, i));
        }
        final String refusal = " " + GatewayCode.TOO_MANY_LOG_INS.value() + " 0";
        assertEquals(List.of("loggedIn 4" + refusal), again(link, 4));
        for (int hour = 0; hour < 5; hour++)
        {
            stayFor(link, PlayerConnection.LOG_IN_INTERVAL_NS);
            assertEquals(List.of("loggedIn 5 0 7"), again(link, 5));
            assertEquals(List.of("loggedIn 6" + refusal), again(link, 6));
        }
        assertNull(link.closed);
    }

    private List<String> again(final FakeLink link, final int requestId)
    {
        link.logIn(requestId, "7");
        bench.turns(3);
        final List<String> answers = new ArrayList<>(link.take());
        answers.removeIf((line) -> !line.startsWith("loggedIn"));
        return answers;
    }

    /** Its machine answers pings. */
    private void stayFor(final FakeLink link, final long ns)
    {
        final long step = TimeUnit.SECONDS.toNanos(5);
        for (long passed = 0; passed < ns; passed += step)
        {
            bench.clock.advance(step);
            link.pingGateway(passed);
            bench.turn();
        }
    }

    /** Strangers of two networks log in, until the trunk and the queue are full. */
    private List<FakeLink> fill(final String names)
    {
        final List<FakeLink> strangers = new ArrayList<>();
        for (int i = 0; i < STRANGERS; i++)
        {
            strangers.add(logIn("192.0." + i % 2 + '.' + i % 200, names + i));
        }
        return strangers;
    }

    private FakeLink logIn(final String address, final String name)
    {
        final FakeLink link = new FakeLink().open(bench.sessions, address);
        link.hello(FakeLink.NO_TOKEN);
        link.take();
        link.logIn(1, name);
        bench.turn();
        return link;
    }
}
