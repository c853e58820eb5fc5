/**
 * Older designs, written anew in Java, that the engine is compared with. Each does what its original does and no
 * more, as fast as that design allows: a benchmark against a weak peer says nothing. No part of the engine uses them.
 */
package io.escapement.perf.peers;
