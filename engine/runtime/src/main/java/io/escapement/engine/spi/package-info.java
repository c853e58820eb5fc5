/**
 * Interfaces that an embedding program implements: authentication of trunks, log-in of players, asynchronous services,
 * and placement of rooms.
 */
package io.escapement.engine.spi;
