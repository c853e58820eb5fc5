// A program as its author would write it: every declaration of the package is used once.
import {
    type Clock, CloseCode, type Connection, ConnectionError, type ConnectOptions, PROTOCOL, RefusedError, type Room,
    type RoomHandlers, closeName, connect, isTransient,
} from '@escapement/client';
import {Lobby, LobbyCode, type LobbyRoom} from '@escapement/client/lobby.js';
import {Matchmaker, MatchmakingCode} from '@escapement/client/matchmaking.js';
import {Ping, State, templateId} from '@escapement/client/player.js';
import {Result, SyncedCopy, type SyncRow, isSync} from '@escapement/client/sync.js';

const clock: Clock = {now: () => 0, setTimeout: () => 1, clearTimeout: () => undefined};
const copy = new SyncedCopy({name: 'world', tables: []}, {
    onadd: (table: string, row: number, entity: SyncRow) => console.log(table, row, entity['x']),
});
const handlers: RoomHandlers = {
    onevent(view: DataView, offset: number, length: number) {
        if (templateId(view, offset, length) === State.TEMPLATE_ID) {
            const id: bigint = new State().wrap(view, offset, length).roomId;
            console.log(id);
        }
    },
    onstate: (view, offset, length) => isSync(view, offset, length) && copy.apply(view, offset, length) === Result.APPLIED &&
        !copy.isBehind && copy.malformedCount === 0,
    onaway: (reason: number) => copy.reset(),
    onrefused: (code, reference, template) => console.log(code, reference, template),
};
const options: ConnectOptions = {
    applicationVersion: 1, clock, retryCodes: [1109], onseat: (room: Room) => room.roomId === 1n ? handlers : null,
    onclose: (code: number, name: string) => console.log(code === CloseCode.REPLACED, name, closeName(code)),
};

export async function play(url: string): Promise<bigint> {
    const connection: Connection = await connect(url, options);
    const {status, playerId} = await connection.logIn(new Uint8Array(3));
    const token: Uint8Array | null = connection.sessionToken;
    if (token !== null && isTransient(status)) {
        await connection.logInAgain(token);
    }
    connection.onlost = (code: number, delayMs: number, attempt: number, name: string) =>
        console.log(code, name, delayMs, attempt, PROTOCOL);
    try {
        const room = await connection.join(5n, handlers, 'arguments');
        const isSent: boolean = room.send(Ping, {clientTimeNs: 5}) && room.send(new Uint8Array(1));
        console.log(isSent, room.seatIndex, room.isPresent, connection.roundTripMs, connection.serverTimeNs());
        await room.leave();
    } catch (error) {
        if (error instanceof RefusedError) {
            console.log(error.code, error.templateId);
        } else if (error instanceof ConnectionError) {
            console.log(error.code);
        }
    }
    const lobby = new Lobby(connection, {
        name: 'Ann', onchange: (rooms: LobbyRoom[]) => console.log(rooms[0].id === 5n),
        onrefused: (code: number) => console.log(code === LobbyCode.UNKNOWN_TYPE),
    });
    const room: Room = await lobby.joinOrCreate(3, {0: 'desert'}, 'Ann', handlers);
    const match: Room = await new Matchmaker(connection, room.roomId).enqueue({rating: 1200});
    console.log(await lobby.say('hello'), match.seatIndex, MatchmakingCode.CANCELLED);
    connection.close();
    return playerId;
}
