/**
 * A lobby: {@link io.escapement.lobby.Lobby} is the room that players join first.
 *
 * <pre>
 *   directory --> LobbyRooms --SyncedState--> list of rooms of each page
 *                     |
 *   Ask --> Asks --found--> reserve a seat --> Answer: the room to join
 *             |                    ^
 *             +--none--> Openings: openRoom; others who ask for the same wait too
 * </pre>
 *
 * <p>All of it is in arrays that are as large as the room: no allocation after it is open.
 */
package io.escapement.lobby;
