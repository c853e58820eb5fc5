/**
 * One side of a trunk: what gateways, bots and tests speak to an engine through.
 *
 * <p>{@link io.escapement.client.TrunkClient} has no thread of its own: whoever holds it polls it, and everything
 * happens inside that call or inside the call that sends. One stream goes to the engine for control, and one for each
 * loop that a seat is on, opened when it is first needed.
 */
package io.escapement.client;
