package io.escapement.rooms.scenario;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every JDK, the interpreter and every later commit must produce these hashes. A commit that changes them states the
 * reason in its message, because logs recorded before it no longer replay.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GoldenTest
{
    @ParameterizedTest
    @CsvSource({
        "1, 73469d690acd1aa767346ca1595206a1c8ca86a04cb411f9f586dd2d911d523a, 840:ddde1abb5e10ba0e",
        "2, 05902fbe2c263b869ac9a62b893074cbc795481e77a24272fd718cb8ddac54ab, 900:751cd3e7ca72e865",
        "3, d77fc478ebf60b7650dae5cdf501c43d78c0fa4aeb2568781f45cba52a738b92, 900:1a1af31a6d63c870"})
    void shouldProduceTheCommittedHashes(final long seed, final String sha256, final String lastStateHash)
    {
        final Scenario scenario = Scenario.run(seed, 5_000);
        final List<String> hashes = scenario.fingerprint.stateHashes;
        assertEquals(
            sha256 + " " + lastStateHash,
            scenario.fingerprint.sha256() + " " + hashes.get(hashes.size() - 1),
            "seed " + seed);
    }
}
