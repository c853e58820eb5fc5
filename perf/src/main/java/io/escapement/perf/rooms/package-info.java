/**
 * JMH benchmarks of rooms: messages, frames and timers, and the same of older designs.
 */
package io.escapement.perf.rooms;
