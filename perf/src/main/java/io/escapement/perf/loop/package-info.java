/**
 * A live loop without edge and network: its ring compared with a bare Disruptor, and its frames compared with a game
 * loop thread. Each run is a process.
 */
package io.escapement.perf.loop;
