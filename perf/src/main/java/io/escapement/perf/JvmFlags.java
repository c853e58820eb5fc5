package io.escapement.perf;

/**
 * JVM flags for {@code @Fork(jvmArgsAppend = JvmFlags.ADD_OPENS)}. The manifest's entry applies to {@code java -jar}
 * only, and JMH starts its forks on a class path.
 */
public final class JvmFlags
{
    /** Agrona reads jdk.internal.misc.Unsafe. */
    public static final String ADD_OPENS = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    private JvmFlags()
    {
    }
}
