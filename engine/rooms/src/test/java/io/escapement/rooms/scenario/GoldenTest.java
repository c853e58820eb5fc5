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
        "1, 05c12b98270f5f63dddb6ccb6413703a0667b11ef3809435039dacdd9c189208, 840:7d31624521d2fff2",
        "2, b1ef324fe7eb44a05a4fe8ca615d7e25911952d9bbdcb32a1718de0c7c7ed3a6, 840:4b9aaa79b1fe36cd",
        "3, 7f9b43f71452a45b8fb79d8bee7b9b3498114e20fe183895ac08fd8d253126ac, 840:ec25af331709af43"})
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
