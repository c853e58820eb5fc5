/**
 * The parts that all examples have: the server, the hall of rooms, guests instead of accounts, and lines of text as
 * messages.
 */
package io.escapement.examples.common;
