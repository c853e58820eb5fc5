/**
 * Older designs, reimplemented in Java, that the engine is compared with. Each does the same as its original, as fast
 * as that design allows, because a benchmark against a weak peer is worthless. The engine does not use them.
 */
package io.escapement.perf.peers;
