/**
 * Benchmarks of the engine. Run the JMH ones by {@code org.openjdk.jmh.Main}; the build checks only
 * that each of them runs.
 */
package io.escapement.perf;
