package io.escapement.engine;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * The leak check of a stopped engine: every resource must have been returned.
 *
 * @param lines  one line per resource.
 * @param memory of the JVM after it. It includes memory of the application and does not affect the result.
 */
public record DrainReport(List<Line> lines, Memory memory)
{
    /**
     * Memory of the JVM.
     *
     * @param heapBytes   in use, including garbage that is not yet collected.
     * @param directBytes of buffers outside the heap.
     * @param mappedBytes of files, such as the shared memory of a media driver.
     */
    public record Memory(long heapBytes, long directBytes, long mappedBytes)
    {
        private static final double MB = 1e6;

        /** The memory in use now. */
        public static Memory now()
        {
            return new Memory(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                pool("direct"), pool("mapped"));
        }

        @Override
        public String toString()
        {
            return String.format(Locale.ROOT, "memory: heap %.1f MB, direct %.1f MB, mapped %.1f MB",
                heapBytes / MB, directBytes / MB, mappedBytes / MB);
        }

        private static long pool(final String name)
        {
            return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter((pool) -> name.equals(pool.getName())).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
        }
    }

    /**
     * A report with the memory of this moment.
     *
     * @param lines one line per resource.
     */
    public DrainReport(final List<Line> lines)
    {
        this(lines, Memory.now());
    }

    /**
     * The check of one resource.
     *
     * @param what     name of the resource.
     * @param expected number.
     * @param found    number.
     * @param detail   more about a leak, such as the stack of a thread that does not exit. Empty without detail.
     */
    public record Line(String what, long expected, long found, String detail)
    {
        /**
         * A check without a detail.
         *
         * @param what     name of the resource.
         * @param expected number.
         * @param found    number.
         */
        public Line(final String what, final long expected, final long found)
        {
            this(what, expected, found, "");
        }

        /** Whether the numbers agree. */
        public boolean isClean()
        {
            return expected == found;
        }
    }

    /** Whether no resource leaked. */
    public boolean isClean()
    {
        return lines.stream().allMatch(Line::isClean);
    }

    /** The exit status for the process: 0 if no resource leaked, otherwise 1. */
    public int exitStatus()
    {
        return isClean() ? 0 : 1;
    }

    /** A summary line, and a line for each leaked resource. */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("drained ");
        text.append(isClean() ? "clean: " : "NOT clean: ").append(lines.size()).append(" resources checked; ")
            .append(memory);
        for (final Line line : lines)
        {
            if (!line.isClean())
            {
                text.append(System.lineSeparator()).append("  ").append(line.what())
                    .append(": ").append(line.found()).append(", not ").append(line.expected());
                if (!line.detail().isEmpty())
                {
                    text.append(": ").append(line.detail());
                }
            }
        }
        return text.toString();
    }
}
