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
        "1, 33bb78f8c8531b63429df096ac57bbc90b5cd038ab0cbd9292cefa3d927c258f, 840:710e1d7d19dc1d10",
        "2, 4365852e2f3d75362c0acaa698accb8c57ed0995be35a59b4fcc90ea7ce76c76, 900:a000c718e6a9f90a",
        "3, 92a84a5efd5386923929678dc9c5d4784c819748d54ac4afbe9664e555c9d7b9, 840:f044e2bcdad212d3"})
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
