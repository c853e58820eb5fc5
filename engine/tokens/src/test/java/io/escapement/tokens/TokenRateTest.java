package io.escapement.tokens;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Log-ins per second through the service with its two workers, printed for each algorithm. */
@RealTime("the speed of signatures")
class TokenRateTest
{
    private static final int LOG_INS = 3_000;
    private static final String CLAIMS = "{\"iss\":\"" + Issuer.NAME + "\",\"aud\":\"" + Issuer.AUDIENCE +
        "\",\"sub\":\"auth0|5f7c8ec7c33c6c004bbafe82\",\"exp\":4000000000}";

    @Test
    void shouldLogInAThousandPlayersPerSecondByRs256(@TempDir final Path directory) throws IOException
    {
        final Issuer issuer = new Issuer();
        final Path keys = Tests.writeSecret(directory.resolve("keys"), issuer.keys());
        double rateOfRsa = 0;
        try (TokenLogIn logIn = TokenLogIn.launch(Issuer.options(keys.toString())))
        {
            for (final String algorithm : Issuer.ALGORITHMS)
            {
                measure(logIn, issuer.token(algorithm, CLAIMS));
                final double rate = measure(logIn, issuer.token(algorithm, CLAIMS));
                rateOfRsa = "RS256".equals(algorithm) ? rate : rateOfRsa;
                System.out.printf("%s: %,.0f log-ins per second, %d workers%n",
                    algorithm, rate, TokenLogInContext.WORKERS_DEFAULT);
            }
        }
        final double rate = rateOfRsa;
        assertTrue(rate >= 1_000, () -> rate + " log-ins per second by RS256");
    }

    private static double measure(final TokenLogIn logIn, final byte[] token)
    {
        final AtomicInteger succeeded = new AtomicInteger();
        final long startNs = System.nanoTime();
        for (int i = 0; i < LOG_INS; i++)
        {
            final int sent = i;
            Tests.await(() -> sent - succeeded.get() < TokenLogIn.QUEUE_LIMIT, "space in the queue");
            logIn.logIn(1, token.clone(), (status, playerId) -> succeeded.addAndGet(0 == status ? 1 : 0));
        }
        Tests.await(() -> LOG_INS == succeeded.get(), () -> succeeded + " log-ins");
        return LOG_INS * (double)TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - startNs);
    }
}
