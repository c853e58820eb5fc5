package io.escapement.perf.process;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * How long the compilers of this JVM have worked. While they do, what is measured runs half compiled, and a thread that
 * spins shares its core with them: a figure that counts such a time tells of the warm-up.
 */
public final class CompilerTime
{
    private CompilerTime()
    {
    }

    /**
     * Since the start of the JVM.
     *
     * @return milliseconds of all compilers together, 0 where the JVM does not tell.
     */
    public static long ms()
    {
        final CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
        return null == bean || !bean.isCompilationTimeMonitoringSupported() ? 0 : bean.getTotalCompilationTime();
    }
}
