/**
 * A bench for rooms: run them in a test, step by step, without a thread, a clock or a socket, see what each seat got,
 * and have every run replayed from its own log.
 */
package io.escapement.rooms.bench;
