package io.escapement.perf.loopback;

import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.LoopbackGame;
import io.escapement.perf.rig.Program;

/** The options of {@code ingress}. */
public final class IngressPlan extends DurablePlan
{
    @Override
    public Program program(final String processRole)
    {
        return SERVER.equals(processRole) && !Ingress.RAW.equals(subject) ?
            serve(true, LoopbackGame.options("solo", Ingress.IDLE)) : Program.NONE;
    }
}
