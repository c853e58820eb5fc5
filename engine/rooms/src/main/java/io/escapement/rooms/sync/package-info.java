/**
 * State that synchronises itself. A {@link io.escapement.rooms.sync.SyncedRoom} declares a layout
 * ({@link io.escapement.codecs.sync.SyncSchema}) and sets its fields in a {@link io.escapement.rooms.sync.SyncedState}.
 * The clients copy it.
 *
 * <pre>{@code
 *   onJoin, onBack, onLeave, onStateLost  ->  Receivers: which seats are current, which wait for a full state
 *   set, add, remove                      ->  StateRows: values, presence, dirty bits
 *   see, look                             ->  StateView, SightGrid: which rows a view may see, and has
 *
 *   publish(): for each view  rows seen ^ rows known | seen & touched  ->  FrameEncoder  ->  Room.claimState
 *              then full states for the seats that are due, until their budget is used up
 * }</pre>
 *
 * <p>The sets of rows are bits. Therefore a view without a change costs a few operations for each 64 rows. Each view
 * numbers its states. A difference names the state it leads to, and a copy applies it only to the state before.
 */
package io.escapement.rooms.sync;
