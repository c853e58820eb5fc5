/**
 * Work that may block, outside the loops. Each service has worker threads. All requests with one order key go to the
 * same worker, which handles them in order. Replies reach the room as commands in its loop's inbox.
 *
 * <p>A request reserves the inbox slot of its reply, and at most half of the inbox is reserved. A reply therefore
 * always finds a slot. A request beyond the limit is refused with QUEUE_FULL.
 */
package io.escapement.engine.internal.service;
