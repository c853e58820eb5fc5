/** Options of the monitor, and the report of a stalled loop. */
package io.escapement.engine.monitor;
