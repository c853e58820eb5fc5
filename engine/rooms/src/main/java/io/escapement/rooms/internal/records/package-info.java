/** Files of records, the format of turn logs and snapshots. The package {@code rooms.log} describes the layout. */
package io.escapement.rooms.internal.records;
