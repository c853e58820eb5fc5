/** Runs a turn log again, the whole of it or one room's, and says where the result differs from what the log holds. */
package io.escapement.rooms.replay;
