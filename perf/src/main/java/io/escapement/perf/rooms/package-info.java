/**
 * What rooms cost: messages, frames and timers, each beside the older design that does the same.
 */
package io.escapement.perf.rooms;
