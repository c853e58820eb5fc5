/** Runs a turn log again, of a whole host or of one room, and reports the first difference from the recording. */
package io.escapement.rooms.replay;
