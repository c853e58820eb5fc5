/**
 * A test bench for rooms: a host in which a test advances time, plays the players, and checks that the recording
 * replays to the same bytes, in this JVM, and that other JVMs come to the same. It is main code, because the authors of
 * rooms test with it.
 */
package io.escapement.rooms.bench;
