/** Games to begin with: {@code engine/bin/escapement new} makes a project of each. */
package io.escapement.examples;
