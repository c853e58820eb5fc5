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
        "1, 2f49e628967f143f0127f2c36563452a0290fd3356bade55941915cc448767da, 840:7d31624521d2fff2",
        "2, 50b6f002762786740610dbd36140e5a320d9dc267deb8dd340d5ea4c0ef444e4, 840:4b9aaa79b1fe36cd",
        "3, 2205bdbf8785517d25a4e0083e57762d36db1bef2c2466d40c5de99b929257ba, 840:ec25af331709af43"})
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
