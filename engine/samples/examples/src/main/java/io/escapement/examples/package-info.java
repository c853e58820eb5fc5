/** Games to start with: {@code engine/bin/escapement new} makes a project of each. */
package io.escapement.examples;
