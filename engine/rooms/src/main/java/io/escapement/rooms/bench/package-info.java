/**
 * A test bench for rooms: a host in which a test advances time and plays the players. It checks that the recording
 * replays to the same bytes, in this JVM and in other JVMs. It is main code, because the authors of rooms test with it.
 */
package io.escapement.rooms.bench;
