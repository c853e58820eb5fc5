/**
 * Work that rooms must not wait for. Each service has workers of its own, threads that may block. Requests of a key are
 * done in order, since they always go to the same worker; answers come back to the room as commands.
 */
package io.escapement.engine.internal.service;
