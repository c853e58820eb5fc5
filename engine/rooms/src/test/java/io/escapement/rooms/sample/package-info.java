/** The README's room and its test, compiled and run here so that the README stays correct. */
package io.escapement.rooms.sample;
