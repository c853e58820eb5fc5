/**
 * The state of a loop, which {@link io.escapement.rooms.loop.LoopState} describes: {@code LoopLedger} holds it,
 * {@code KeepingOutputs} adds what rooms send. Not exported.
 */
package io.escapement.rooms.internal.loop;
