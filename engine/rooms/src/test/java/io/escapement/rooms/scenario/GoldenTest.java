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
        "1, 61a668158f50f0704db2a802d131fdf87568536a530555f9115b77e376c995e6, 840:3c9be4158216664a",
        "2, 4f09c0bd880c1ae877b880dba258c37493ee74874585f48fd90165b99827a8ac, 840:71df45c17d8259b3",
        "3, 27b02febafcd90164aaadd2c7f5b243bb8fe1f144bf475c6f0b7e9ec56eeb63f, 840:615b0fc833add1d5"})
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
