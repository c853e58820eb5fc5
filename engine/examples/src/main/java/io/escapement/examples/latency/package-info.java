/** A client of the auction in Java, which measures how long the auction takes to accept an order. */
package io.escapement.examples.latency;
