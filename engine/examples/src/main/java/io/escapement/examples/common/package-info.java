/**
 * The parts that all examples have: the server, guests instead of accounts, and lines of text as messages.
 */
package io.escapement.examples.common;
