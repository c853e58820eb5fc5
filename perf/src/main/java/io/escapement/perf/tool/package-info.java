/** The command line: {@code perf/bin/perf}. Starts the processes of a run, compares, reports. */
package io.escapement.perf.tool;
