package io.escapement.rooms.scenario;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every JDK, the interpreter and every later commit must produce these hashes. A commit that changes them states the
 * reason in its message, because logs recorded before it no longer replay.
 */
class GoldenTest
{
    @ParameterizedTest
    @CsvSource({
        "1, 67a4e86073f46f52b20ecdcc896e4d14508ab1de44885416fcd47ff4942695a9, 840:fd836318d533fac1",
        "2, 4043d6d48aead0ce9de29119c4c9ee6dad95b7f0e7464fd88be137d06aa3fb70, 840:de26ff2257bd1b97",
        "3, 5c34f37e1f1fbdaafebda881efe416552c7db18d1d186581ea4bfa3ffe0ca185, 840:bfeddfef062ec48a"})
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
