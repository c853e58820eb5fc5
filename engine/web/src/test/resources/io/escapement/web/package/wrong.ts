// Each line is one mistake, which the compiler finds by the declarations alone.
import {type Connection} from '@escapement/client';
import {Ping} from '@escapement/client/player.js';
import {SyncedCopy} from '@escapement/client/sync.js';

declare const connection: Connection;
export const id: number = connection.playerId;
export const room = connection.join('room');
connection.logInAgain('text');
connection.rooms[0]!.send(Ping, {clientTime: 5});
connection.retryCodes = [];
new SyncedCopy(5);
