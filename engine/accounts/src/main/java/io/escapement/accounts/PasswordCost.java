package io.escapement.accounts;

import io.escapement.config.ConfigException;

/**
 * Cost parameters of Argon2id, stored in each hash.
 *
 * @param memoryKib  memory in KiB.
 * @param iterations passes over the memory.
 * @param lanes      computed sequentially by one thread.
 */
public record PasswordCost(int memoryKib, int iterations, int lanes)
{
    /** OWASP's minimum for real passwords: 19 MiB, 2 passes, 1 lane. */
    public static final PasswordCost STANDARD = new PasswordCost(19 * 1_024, 2, 1);

    /** For bots and demos, thousands of which log in per second. It gives no protection. */
    public static final PasswordCost DEMO = new PasswordCost(64, 1, 1);

    /** Costs below this limit mark demo accounts. */
    private static final int DEMO_LIMIT_KIB = 1_024;

    /** Bounds the work that a corrupt row can cause. */
    private static final int MAX_MEMORY_KIB = 256 * 1_024;
    private static final int MAX_ITERATIONS = 16;
    private static final int MAX_LANES = 4;
    private static final int MIN_KIB_PER_LANE = 8;

    /** Validates the parameters. */
    public PasswordCost
    {
        ConfigException.check(lanes >= 1 && lanes <= MAX_LANES, "passwordCost.lanes", lanes, "1 to " + MAX_LANES);
        ConfigException.check(iterations >= 1 && iterations <= MAX_ITERATIONS, "passwordCost.iterations", iterations,
            "1 to " + MAX_ITERATIONS);
        ConfigException.check(memoryKib >= MIN_KIB_PER_LANE * lanes && memoryKib <= MAX_MEMORY_KIB,
            "passwordCost.memoryKib", memoryKib, MIN_KIB_PER_LANE + " per lane to " + MAX_MEMORY_KIB);
    }

    /** Whether accounts with this cost are demo accounts. */
    public boolean isDemo()
    {
        return memoryKib < DEMO_LIMIT_KIB;
    }

    boolean isWeakerThan(final PasswordCost other)
    {
        return memoryKib < other.memoryKib || iterations < other.iterations;
    }
}
