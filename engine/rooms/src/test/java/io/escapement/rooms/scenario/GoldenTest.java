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
        "1, a4c91b44b88aae9fe80ca49b12456c240009e05ed207db8c3db7ce8e02d0f85f, 840:3bdb3c0417a2b8f8",
        "2, 270a82ea5eef5f2625936075b541cfd42aadacb77ee1dae4988f2f2abdb7a3e9, 840:560adc32e60844f2",
        "3, 137230b0c97a7c1c18e6b3e4dce3a41bd21e4bbbb4ca32b11ac8d90bfb53b904, 840:711048c5c064740b"})
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
