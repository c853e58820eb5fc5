/**
 * What a run leaves behind: histograms, environment, options, result and a page to read. Knows nothing of what was run.
 */
package io.escapement.perf.report;
