/**
 * The processes of a run: how the tool starts them, what they have in common, and how they tell what they found.
 */
package io.escapement.perf.process;
