package io.escapement.rooms.scenario;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every JDK, the interpreter and every later commit come to these hashes. A commit that changes them says in its
 * message why: logs recorded before it no longer replay.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GoldenTest
{
    @ParameterizedTest
    @CsvSource({
        "1, 312b7ffd88977ceccefe6fb0c35811d656277d4cc66dfea0169c6601f9aba38b, 900:9294364874b95dea",
        "2, c6d6aa57230aedb0c8c5d0479c8fd0cdb5d6cb11f6db2391f07e27281dc2c8c8, 840:2dd0cb760f37653",
        "3, f2ef5b5aef980f761d5190e02bc14376afd1ffd95b93e9036c5288a9a234fe2a, 840:7b66e1232b8dae6d"})
    void shouldComeToTheHashesThatAreCommitted(final long seed, final String sha256, final String lastStateHash)
    {
        final Scenario scenario = Scenario.run(seed, 5_000);
        final List<String> hashes = scenario.fingerprint.stateHashes;
        assertEquals(
            sha256 + " " + lastStateHash,
            scenario.fingerprint.sha256() + " " + hashes.get(hashes.size() - 1),
            "seed " + seed);
    }
}
