package io.escapement.engine;

import java.util.List;

/**
 * What an engine held when it had stopped. Everything should be back where it came from.
 *
 * @param lines one for each thing that was looked at.
 */
public record DrainReport(List<Line> lines)
{
    /**
     * One thing that was looked at.
     *
     * @param what     it is.
     * @param expected how many there should be.
     * @param found    how many there are.
     */
    public record Line(String what, long expected, long found)
    {
        /**
         * Whether it is as it should be.
         *
         * @return whether it is.
         */
        public boolean isClean()
        {
            return expected == found;
        }
    }

    /**
     * Whether everything is as it should be.
     *
     * @return whether it is.
     */
    public boolean isClean()
    {
        return lines.stream().allMatch(Line::isClean);
    }

    /**
     * What a process that ends with this report should end with.
     *
     * @return 0 only if everything is as it should be.
     */
    public int exitStatus()
    {
        return isClean() ? 0 : 1;
    }

    /**
     * For people: whether it is clean, and what is not.
     *
     * @return a line, and one more for each thing that is not as it should be.
     */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("drained ");
        text.append(isClean() ? "clean: " : "NOT clean: ").append(lines.size()).append(" things looked at");
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
