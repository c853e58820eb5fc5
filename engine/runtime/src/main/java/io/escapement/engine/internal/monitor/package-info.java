/**
 * Observes the loops from outside: watchdog, governor, histogram log and metrics, in the monitor's thread. It reads
 * counters and interval histograms and never blocks a loop. User jobs have another thread ({@code escapement-jobs}),
 * so that a slow job cannot delay stall detection.
 *
 * <p>Decisions:
 * <ul>
 * <li>Load is busy time: from the start of a turn that had work until the start of the next turn. In one thread this
 * includes the driver's share. Above 85 % the governor lowers frame rates one step, 60, 30, 15, 8; it raises them
 * when twice the work would fit.
 * <li>The watchdog can name the room that exceeds the limit, with its stack, but cannot stop it.
 * <li>Five histograms for each loop are taken as intervals of a SingleWriterRecorder. Room-frames that never ran are
 * also recorded, to prevent coordinated omission.
 * <li>Type ids of counters start at 70,000 (loops), 71,000 (edge), 72,000 (guards), 73,000 (monitor) and 74,000
 * (counters of rooms). Each refusal code has a counter for each loop.
 * </ul>
 */
package io.escapement.engine.internal.monitor;
