/** The timing wheel that all rooms of a host share. It knows numbers only: what is due, and whose it is. */
package io.escapement.rooms.timers;
