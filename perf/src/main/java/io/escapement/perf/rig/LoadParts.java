package io.escapement.perf.rig;

/**
 * The parts of a process that sends a load, as the tool asks for them. Those of the warm-up are like the measured one,
 * with their results, because the code that starts and ends a part first executes there, and the JIT recompiles. In
 * the first of them threads park, so that the compilers have a core; after {@link Control#WARM} they wait as in the
 * measured part.
 */
public final class LoadParts
{
    /** Parts of the least warm-up. */
    public static final int LEAST_WARM_UPS = 4;

    /** Sends a load. */
    @FunctionalInterface
    public interface Part
    {
        /** Run, and send the results to the tool. */
        void run(int durationMs);
    }

    private final Control control;
    private String line;

    /** Follow the lines of the tool. */
    public LoadParts(final Control control)
    {
        this.control = control;
    }

    /**
     * Run parts up to the measured one, or until the end of input.
     *
     * @param rig keeps connections alive while the tool thinks.
     */
    public void follow(final RunPlan plan, final LoadRig rig, final Part part)
    {
        control.send(Control.READY);
        boolean isMeasured = false;
        while (!isMeasured)
        {
            final String next = next(rig);
            isMeasured = Control.GO.equals(next);
            if (isMeasured || Control.PART.equals(next))
            {
                part.run(isMeasured ? plan.measureMs : Math.max(1, plan.warmUpMs / LEAST_WARM_UPS));
            }
            else if (Control.END_OF_INPUT.equals(next))
            {
                return;
            }
            else
            {
                control.warm(next);
            }
        }
    }

    private String next(final LoadRig rig)
    {
        line = null;
        rig.await(() -> null != (line = control.poll()), Long.MAX_VALUE);
        return line;
    }
}
