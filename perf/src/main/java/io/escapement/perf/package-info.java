/**
 * Benchmarks of the engine and what they share. Run them with {@code java -jar perf/target/benchmarks.jar}; the
 * build only sees that each of them still runs.
 */
package io.escapement.perf;
