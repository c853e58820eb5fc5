/** Rooms that do everything, driven by seeded random commands: what replay, locality and snapshots are tested with. */
package io.escapement.rooms.scenario;
