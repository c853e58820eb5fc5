/** Options of the monitor, its measurements (stalls and latency histograms of loops), and reports for an operator. */
package io.escapement.engine.monitor;
