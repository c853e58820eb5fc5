package io.escapement.accounts;

/**
 * What it costs to hash a password with Argon2id. The cost stands in each hash.
 *
 * @param memoryKib  memory in KiB.
 * @param iterations passes over the memory.
 * @param lanes      lanes, of which one thread does one after the other.
 */
public record PasswordCost(int memoryKib, int iterations, int lanes)
{
    /** For people's passwords: 19 MiB, 2 passes, 1 lane. */
    public static final PasswordCost STANDARD = new PasswordCost(19 * 1_024, 2, 1);

    /** For bots and demonstrations: thousands of them log in within a second. It protects nothing. */
    public static final PasswordCost DEMO = new PasswordCost(64, 1, 1);

    /** No cost that is meant to protect somebody is below this. */
    private static final int DEMO_LIMIT_KIB = 1_024;

    /** What a damaged row may make a worker do at most. */
    private static final int MAX_MEMORY_KIB = 256 * 1_024;
    private static final int MAX_ITERATIONS = 16;
    private static final int MAX_LANES = 4;
    private static final int LEAST_KIB_A_LANE = 8;

    /**
     * Check the numbers.
     *
     * @throws IllegalArgumentException when one is out of range.
     */
    public PasswordCost
    {
        if (lanes < 1 || lanes > MAX_LANES || iterations < 1 || iterations > MAX_ITERATIONS ||
            memoryKib < LEAST_KIB_A_LANE * lanes || memoryKib > MAX_MEMORY_KIB)
        {
            throw new IllegalArgumentException(
                "cost: " + memoryKib + " KiB, " + iterations + " passes, " + lanes + " lanes");
        }
    }

    /**
     * Whether accounts hashed at this cost are accounts of demonstrations.
     *
     * @return whether they are.
     */
    public boolean isDemo()
    {
        return memoryKib < DEMO_LIMIT_KIB;
    }

    boolean isWeakerThan(final PasswordCost other)
    {
        return memoryKib < other.memoryKib || iterations < other.iterations;
    }
}
