package io.escapement.engine;

import java.util.List;

/**
 * The leak check of a stopped engine: every resource must have been returned.
 *
 * @param lines one for each resource.
 */
public record DrainReport(List<Line> lines)
{
    /**
     * The check of one resource.
     *
     * @param what     name of the resource.
     * @param expected number.
     * @param found    number.
     */
    public record Line(String what, long expected, long found)
    {
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
        text.append(isClean() ? "clean: " : "NOT clean: ").append(lines.size()).append(" resources checked");
        for (final Line line : lines)
        {
            if (!line.isClean())
            {
                text.append(System.lineSeparator()).append("  ").append(line.what())
                    .append(": ").append(line.found()).append(", not ").append(line.expected());
            }
        }
        return text.toString();
    }
}
