/**
 * Benchmarks of the engine. Run the JMH benchmarks with {@code org.openjdk.jmh.Main}. The build only checks that each
 * benchmark runs.
 */
package io.escapement.perf;
