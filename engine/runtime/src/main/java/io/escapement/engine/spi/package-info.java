/**
 * Interfaces that an application implements: authentication of trunks, log-in of players, asynchronous services,
 * and placement of rooms. {@code ReplicatedLog} is for a log that several nodes keep, as escapement-cluster has one.
 */
package io.escapement.engine.spi;
