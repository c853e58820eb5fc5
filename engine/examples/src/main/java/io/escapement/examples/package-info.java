/** The command line of the examples: {@code engine/bin/example chat}. */
package io.escapement.examples;
