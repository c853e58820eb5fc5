/**
 * What looks at the loops from outside: the governor, the watchdog, the writer of histograms, the exporter of metrics
 * and the engine's periodic jobs. One thread, the keeper, does all of it; loops are read through counters and recorders
 * and are never made to wait.
 */
package io.escapement.engine.internal.monitor;
