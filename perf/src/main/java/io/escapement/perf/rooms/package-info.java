/**
 * JMH benchmarks of rooms: messages, frames and timers, and those of the older designs that do the same.
 */
package io.escapement.perf.rooms;
