/**
 * The queues between the threads of an engine, and how a reader of them waits. {@code CommandQueue} is the only object
 * that threads share. {@code ByteFifo} is memory of one thread. No producer blocks, and the package is independent of
 * loops.
 */
package io.escapement.engine.internal.queue;
