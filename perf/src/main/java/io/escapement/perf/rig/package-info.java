/**
 * The common part of all measurements: the options of a run, the open-loop load, transports, recorders, results, and
 * the control channel between the tool and its measured processes.
 *
 * <pre>
 *   tool ---- options file ----&gt; measured process: the same command with --role,
 *                                or the program of escapement-server with an EngineGame
 *        &lt;--- control lines ---&gt;
 *        &lt;--- results file -----
 * </pre>
 */
package io.escapement.perf.rig;
