/**
 * Simulates engines, players and the network between them from seeds, for tests of rooms. See
 * {@link io.escapement.simulator.Simulator}.
 */
package io.escapement.simulator;
