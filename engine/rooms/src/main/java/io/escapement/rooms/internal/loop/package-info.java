/**
 * The state of a loop, which {@link io.escapement.rooms.loop.LoopState} describes: {@code LoopLedger} holds it,
 * and the host's output adds what rooms send. Not exported.
 */
package io.escapement.rooms.internal.loop;
