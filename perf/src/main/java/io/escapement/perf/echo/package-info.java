/**
 * Round trips: bare Aeron against client, trunk, ring, room and back. Server and client are processes of their own,
 * made afresh for every run; both sides of a comparison have the same driver, layout of threads and load.
 */
package io.escapement.perf.echo;
