/**
 * What rooms cost: messages, frames and timers, each beside the older design that does the same. Benchmarks, and the
 * run of the timers command.
 */
package io.escapement.perf.rooms;
