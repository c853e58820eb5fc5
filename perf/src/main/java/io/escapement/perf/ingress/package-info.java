/**
 * One way into a server as fast as it goes: bare Aeron, and commands into a room, single and batched. Server and client
 * are processes of their own; the server counts.
 */
package io.escapement.perf.ingress;
