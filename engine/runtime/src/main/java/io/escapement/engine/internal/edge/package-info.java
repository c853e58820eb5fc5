/**
 * Where trunks come in: handshakes, players' tokens, attaching trunks to loops, and the admission of frames to the
 * loops' rings.
 *
 * <p>One thread owns all of it: the Aeron client's conductor runs in it, every trunk and every publication is made and
 * closed in it. A publication to a trunk is handed to a loop, which alone writes to it until it hands it back.
 */
package io.escapement.engine.internal.edge;
