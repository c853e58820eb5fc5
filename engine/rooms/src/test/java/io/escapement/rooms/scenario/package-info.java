/** Rooms that use the whole API, driven by seeded random commands, to test replay, locality and snapshots. */
package io.escapement.rooms.scenario;
