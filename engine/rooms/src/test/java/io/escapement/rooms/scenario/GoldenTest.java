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
        "1, f84f4c19ee8d3c7cb1e5fbc9b877701b6b0d56ae853bb751b142cff5f547fb16, 840:59a44aba6a6bb25b",
        "2, 1ee29804d48b1a287909057688256dc1938dc5af68dc0f7f4434311b8193bf25, 900:e0527019ebe3f0e7",
        "3, d9e2eb279ce4c00944ab732f29424050c80382ecdc822cbb00bfc068ac51eae2, 840:d9238f1e0494a88a"})
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
