/**
 * {@code echo} and {@code ingress}: one connection over the loopback interface, through the engine and through bare
 * Aeron. Every run has fresh processes. Both sides have the same drivers, threads and load.
 */
package io.escapement.perf.loopback;
