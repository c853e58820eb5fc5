/**
 * One loop by itself, live in a thread of its own, with neither edge nor network: its ring beside a bare Disruptor, its
 * frames beside a game loop thread. Each run is a process.
 */
package io.escapement.perf.loop;
