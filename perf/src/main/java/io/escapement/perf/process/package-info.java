/** The processes of a run: how the tool starts them, and how they speak with it. */
package io.escapement.perf.process;
