package io.escapement.perf;

/**
 * Flags that the JVM of a benchmark needs, for {@code @Fork(jvmArgsAppend = JvmFlags.ADD_OPENS)}. The manifest's entry
 * helps the JVM that was started with {@code -jar} only; JMH starts the forks with a class path.
 */
public final class JvmFlags
{
    /** Agrona reads jdk.internal.misc.Unsafe. */
    public static final String ADD_OPENS = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    private JvmFlags()
    {
    }
}
