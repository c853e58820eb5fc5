/**
 * The report of a run: histograms, environment, options, result and a page. Independent of the commands.
 */
package io.escapement.perf.report;
