/**
 * Benchmarks of the engine. Run the JMH ones with {@code java -jar perf/target/benchmarks.jar}; the build checks only
 * that each of them runs.
 */
package io.escapement.perf;
