package io.escapement.arena.simulation;

import org.junit.jupiter.api.Test;
import static io.escapement.arena.simulation.Maps.units;
import static org.junit.jupiter.api.Assertions.assertEquals;

class ExtrapolationTest
{
    private static final int RUN = ArenaRules.RUN_SPEED;

    private final ArenaMap map = Maps.open("box 60 40 1 20");
    private final Extrapolation shown = new Extrapolation(map);

    @Test
    void shouldShowWhatTheSimulationHolds()
    {
        final ArenaSimulation simulation = new ArenaSimulation(map);
        final ArenaPlayers players = simulation.players();
        simulation.enter(0);
        simulation.place(0, units(50), units(45));
        simulation.claim(0, units(50), units(45), RUN / 2, RUN / 2, 0);
        simulation.step(30);
        simulation.dash(0, 3, 1);
        simulation.step(5);
        shown.set(players.x(0), players.y(0), players.vx(0), players.vy(0));
        shown.dash(players.dashVx(0), players.dashVy(0), players.dashLeft(0));
        // Through the rest of the dash, against the wall, along it, past its end and on.
        for (int i = 0; i < 600; i++)
        {
            simulation.step(1);
            shown.advance(1);
            assertEquals(0, shown.error(players.x(0), players.y(0)), "after " + i);
        }
        assertEquals(true, players.x(0) > units(61));
    }

    @Test
    void shouldTellHowFarItIsOff()
    {
        shown.set(units(20), units(20), RUN, 0);
        assertEquals(0, shown.error(units(20), units(20)));
        shown.advance(10);
        assertEquals(10 * RUN, shown.error(units(20), units(20)));
        assertEquals(units(5), shown.error(units(20) + 10 * RUN + units(3), units(16)));
    }

    @Test
    void shouldKeepADashOverATurnAndForgetItWhenAllIsSet()
    {
        shown.set(units(20), units(20), 0, 0);
        shown.dash(100, 0, 10);
        shown.advance(4);
        shown.turn(0, 7);
        shown.advance(10);
        assertEquals(units(20) + 1_000, shown.x());
        assertEquals(units(20) + 28, shown.y());
        shown.dash(100, 0, 10);
        shown.set(units(30), units(20), 0, 0);
        shown.advance(10);
        assertEquals(units(30), shown.x());
    }
}
