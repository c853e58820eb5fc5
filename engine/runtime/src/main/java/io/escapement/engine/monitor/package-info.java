/** Options of the monitor, and its measurements: stalls and latency histograms of loops. */
package io.escapement.engine.monitor;
