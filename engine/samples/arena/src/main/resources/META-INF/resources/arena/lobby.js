/** The lobby: characters, rooms, chat. Each request has one answer, its own or Refused, found by its request id. */
import {RefusedError} from '../escapement/client.js';
import {
    ArenaCode, CancelMatch, CharacterCreated, CharacterDeleted, CharacterList, Chat, Closing, CreateCharacter,
    CreateRoom, DeleteCharacter, EnterRoom, Leaders, ListCharacters, ListLeaders, ListRooms, LobbyChat, QuickMatch,
    Refused, RoomCreated, RoomPage, SeatReserved, templateId,
} from './arena.js';
import {addChat, text, written} from './written.js';

const LOBBY_ROOM_ID = 1n;
const REFRESH_MS = 2500;
const LEADERS_MS = 10000;
const CHAT_LIMIT = 100;

const byId = (id) => document.getElementById(id);

export class Lobby {
    #handlers;
    #room = null;
    #requestId = 0;
    #requests = new Map();
    #decoders = new Map();
    #characters = [];
    #characterId = null;
    #page = 0;
    #pages = 1;
    #playerId = 0n;
    #accountName = '';
    #timer = 0;
    #leadersTimer = 0;
    #isWaiting = false;

    /** @param handlers onenter(roomId, password), onmatch(roomId), onfailure(error), onlogout(). */
    constructor(handlers) {
        this.#handlers = handlers;
        for (const type of [
            CharacterList, CharacterCreated, CharacterDeleted, Leaders, RoomPage, RoomCreated, SeatReserved,
        ]) {
            this.#decoders.set(type.TEMPLATE_ID,
                {decoder: new type(), handler: (message) => this.#answer(message.requestId, message.toObject())});
        }
        this.#decoders.set(Refused.TEMPLATE_ID, {decoder: new Refused(), handler: (message) =>
            this.#refuse(message.reference, new RefusedError(message.code, message.refusedTemplate))});
        this.#decoders.set(Chat.TEMPLATE_ID, {decoder: new Chat(), handler: (message) => this.#onChat(message)});
        this.#decoders.set(Closing.TEMPLATE_ID, {decoder: new Closing(), handler: (message) =>
            this.#handlers.onfailure(new RefusedError(message.code, 0))});
        this.#listen();
    }

    /** Takes a seat in the lobby and shows the account's characters and the rooms. */
    async join(connection, accountName) {
        this.clear();
        this.#accountName = accountName;
        this.#room = await connection.join(LOBBY_ROOM_ID, {
            onevent: (view, offset, length) => this.#onMessage(view, offset, length),
            onaway: () => this.#fail(),
        });
        this.#playerId = connection.playerId;
        byId('lobby-account').textContent = accountName;
        await this.#listCharacters();
        if (this.#characters.length === 0) {
            // Most players want one character with the name of their account.
            await this.#createCharacter(accountName).catch(() => undefined);
        }
        await this.refresh();
        await this.listLeaders();
        const whileShown = (action) => () => byId('lobby').hidden || document.hidden ? undefined : action();
        this.#timer = setInterval(whileShown(() => this.refresh()), REFRESH_MS);
        this.#leadersTimer = setInterval(whileShown(() => this.listLeaders()), LEADERS_MS);
    }

    clear() {
        clearInterval(this.#timer);
        clearInterval(this.#leadersTimer);
        this.#fail();
        this.#room = null;
        byId('lobby-chat').replaceChildren();
    }

    /** Reserves a seat for the chosen character. */
    async reserve(roomId, password) {
        return this.#request(EnterRoom, {roomId, characterId: this.#chosenCharacter(EnterRoom), password});
    }

    /** Into the liveliest room that has a seat, or into a new room. */
    async quickPlay() {
        await this.#try(this.#quickPlay());
    }

    async refresh() {
        try {
            const answer = await this.#request(ListRooms, {page: this.#page, filter: byId('room-filter').value.trim()});
            this.#pages = Math.max(1, answer.pages);
            this.#showRooms(answer);
        } catch (failure) {
            if (this.#page > 0) {
                this.#page = 0;
            }
        }
    }

    /** Shows the characters with most kills. After a refusal the last list stays. */
    async listLeaders() {
        const answer = await this.#request(ListLeaders, {}).catch(() => null);
        if (answer === null) {
            return;
        }
        const decoder = new TextDecoder();
        byId('leaders').replaceChildren(...answer.characters.map((leader) => {
            const item = document.createElement('li');
            const isOwn = this.#characters.some(({characterId}) => characterId === leader.characterId);
            item.className = isOwn ? 'own' : '';
            item.append(written('name', decoder.decode(leader.name)),
                text('span', 'detail', leader.kills + (leader.kills === 1 ? ' kill' : ' kills')));
            return item;
        }));
        byId('place').textContent = answer.place === 0 ? 'A kill gives you a place here.' :
            'Your best place: ' + answer.place;
    }

    #listen() {
        byId('character-form').addEventListener('submit', (event) => {
            event.preventDefault();
            const field = byId('character-name');
            this.#try(this.#createCharacter(field.value.trim()).then(() => {
                field.value = '';
            }));
        });
        byId('room-filter').addEventListener('input', () => {
            this.#page = 0;
            this.refresh();
        });
        byId('page-before').addEventListener('click', () => this.#turn(-1));
        byId('page-after').addEventListener('click', () => this.#turn(1));
        byId('quick-play').addEventListener('click', () => this.quickPlay());
        byId('quick-match').addEventListener('click', () => this.#try(this.#quickMatch()));
        byId('log-out').addEventListener('click', () => this.#handlers.onlogout());
        byId('room-form').addEventListener('submit', (event) => {
            event.preventDefault();
            this.#try(this.#createRoom());
        });
        byId('lobby-chat-form').addEventListener('submit', (event) => {
            event.preventDefault();
            const field = byId('lobby-chat-text');
            if (field.value.trim() !== '') {
                this.#room.send(LobbyChat, {requestId: ++this.#requestId, text: field.value.trim()});
                field.value = '';
            }
        });
    }

    #try(promise) {
        return promise.catch((failure) => this.#handlers.onfailure(failure));
    }

    #turn(by) {
        this.#page = Math.max(0, Math.min(this.#pages - 1, this.#page + by));
        this.refresh();
    }

    async #quickPlay() {
        const {rooms} = await this.#request(ListRooms, {page: 0, filter: ''});
        const decoder = new TextDecoder();
        const open = rooms.filter((room) => !room.hasPassword && room.seatsTaken < room.seats)
            .sort((a, b) => b.seatsTaken - a.seatsTaken);
        if (open.length > 0) {
            await this.#handlers.onenter(open[0].roomId, '');
            return;
        }
        const taken = new Set(rooms.map((room) => decoder.decode(room.name)));
        let name = this.#accountName + '\'s yard';
        for (let i = 2; taken.has(name); i++) {
            name = this.#accountName + '\'s yard ' + i;
        }
        const {roomId} = await this.#request(CreateRoom, {seats: 8, name, mapName: 'courtyard', password: ''});
        await this.#handlers.onenter(roomId, '');
    }

    /** Waits for a match and enters it. A second click stops waiting. */
    async #quickMatch() {
        if (this.#isWaiting) {
            this.#room.send(CancelMatch, {requestId: ++this.#requestId});
            return;
        }
        this.#showWaiting(true);
        try {
            const {roomId} = await this.#request(QuickMatch,
                {characterId: this.#chosenCharacter(QuickMatch), players: Number(byId('match-players').value)});
            await this.#handlers.onmatch(roomId);
        } catch (failure) {
            if (failure.code !== ArenaCode.MATCH_CANCELLED) {
                throw failure;
            }
        } finally {
            this.#showWaiting(false);
        }
    }

    #showWaiting(isWaiting) {
        this.#isWaiting = isWaiting;
        byId('quick-match').textContent = isWaiting ? 'Cancel waiting' : 'Quick match';
        byId('quick-match').ariaPressed = String(isWaiting);
        byId('match-players').disabled = isWaiting;
        byId('quick-play').disabled = isWaiting;
    }

    async #createRoom() {
        const password = byId('room-password').value;
        const {roomId} = await this.#request(CreateRoom, {
            seats: Number(byId('room-seats').value), name: byId('room-name').value.trim(),
            mapName: byId('room-map').value, password,
        });
        byId('room-name').value = '';
        byId('room-password').value = '';
        await this.#handlers.onenter(roomId, password);
    }

    async #listCharacters() {
        const decoder = new TextDecoder();
        const answer = await this.#request(ListCharacters, {});
        this.#characters = answer.characters.map((character) => ({...character, name: decoder.decode(character.name)}));
        if (!this.#characters.some((character) => character.characterId === this.#characterId)) {
            this.#characterId = this.#characters.length === 0 ? null : this.#characters[0].characterId;
        }
        this.#showCharacters();
    }

    async #createCharacter(name) {
        const {characterId} = await this.#request(CreateCharacter, {name});
        this.#characterId = characterId;
        await this.#listCharacters();
    }

    async #deleteCharacter(character) {
        if (window.confirm('Delete ' + character.name + '? Its score is lost.')) {
            await this.#request(DeleteCharacter, {characterId: character.characterId});
            await this.#listCharacters();
        }
    }

    #chosenCharacter(type) {
        if (this.#characterId === null) {
            byId('character-name').focus();
            throw new RefusedError(ArenaCode.UNKNOWN_CHARACTER, type.TEMPLATE_ID);
        }
        return this.#characterId;
    }

    #showCharacters() {
        const focused = document.activeElement && document.activeElement.dataset.characterId;
        byId('characters').replaceChildren(...this.#characters.map((character) => {
            const item = document.createElement('li');
            item.role = 'option';
            item.tabIndex = 0;
            item.dataset.characterId = String(character.characterId);
            item.ariaSelected = String(character.characterId === this.#characterId);
            const choose = () => {
                this.#characterId = character.characterId;
                this.#showCharacters();
            };
            item.addEventListener('click', choose);
            item.addEventListener('keydown', (event) => {
                if (event.target === item && (event.key === 'Enter' || event.key === ' ')) {
                    event.preventDefault();
                    choose();
                }
            });
            const remove = button('Delete', 'plain', (event) => {
                event.stopPropagation();
                this.#try(this.#deleteCharacter(character));
            });
            remove.ariaLabel = 'Delete ' + character.name;
            item.append(names(character.name, character.kills + ' kills, ' + character.deaths + ' deaths'), remove);
            return item;
        }));
        const again = focused && document.querySelector('[data-character-id="' + focused + '"]');
        if (again) {
            again.focus();
        }
    }

    #showRooms(answer) {
        const decoder = new TextDecoder();
        const focused = document.activeElement && document.activeElement.dataset.roomId;
        const items = answer.rooms.map((room) => {
            const name = decoder.decode(room.name);
            const item = document.createElement('li');
            const fill = document.createElement('div');
            const bar = document.createElement('i');
            fill.className = 'fill';
            bar.style.width = 100 * room.seatsTaken / room.seats + '%';
            fill.append(bar);
            const enter = button('Enter', '', () => this.#enter(room));
            enter.disabled = room.seatsTaken >= room.seats;
            enter.ariaLabel = 'Enter ' + name;
            enter.dataset.roomId = String(room.roomId);
            const isOwn = room.ownerId === this.#playerId ? ', yours' : '';
            const lock = room.hasPassword ? ', password' : '';
            item.append(names(name, decoder.decode(room.mapName) + lock + isOwn), fill,
                text('span', 'detail', room.seatsTaken + ' / ' + room.seats), enter);
            return item;
        });
        byId('rooms').replaceChildren(...items.length > 0 ? items :
            [text('li', 'empty', 'No rooms here. Quick play opens one.')]);
        byId('page-text').textContent = (this.#page + 1) + ' / ' + this.#pages + ', ' + answer.total + ' rooms';
        byId('page-before').disabled = this.#page === 0;
        byId('page-after').disabled = this.#page >= this.#pages - 1;
        const again = focused && document.querySelector('[data-room-id="' + focused + '"]');
        if (again) {
            again.focus();
        }
    }

    #enter(room) {
        if (!room.hasPassword) {
            this.#handlers.onenter(room.roomId, '');
            return;
        }
        const dialog = byId('password-dialog');
        byId('enter-password').value = '';
        dialog.returnValue = '';
        dialog.onclose = () => {
            if (dialog.returnValue === 'enter') {
                this.#handlers.onenter(room.roomId, byId('enter-password').value);
            }
        };
        dialog.showModal();
    }

    #onMessage(view, offset, length) {
        const template = templateId(view, offset, length);
        const entry = this.#decoders.get(template);
        if (entry === undefined) {
            throw new RangeError('template ' + template + ' is not for a player of the lobby');
        }
        entry.handler(entry.decoder.wrap(view, offset, length));
    }

    #onChat(message) {
        const isOwn = message.playerId === this.#playerId;
        addChat(byId('lobby-chat'), isOwn ? 'You' : 'Player ' + message.playerId, message.text, isOwn, CHAT_LIMIT);
    }

    #request(type, fields) {
        const requestId = ++this.#requestId;
        return new Promise((resolve, reject) => {
            if (this.#room === null || !this.#room.send(type, {requestId, ...fields})) {
                reject(new RefusedError(ArenaCode.TOO_MANY_REQUESTS, type.TEMPLATE_ID));
                return;
            }
            this.#requests.set(requestId, {resolve, reject});
        });
    }

    #answer(requestId, fields) {
        const request = this.#requests.get(requestId);
        this.#requests.delete(requestId);
        if (request !== undefined) {
            request.resolve(fields);
        }
    }

    #refuse(requestId, failure) {
        const request = this.#requests.get(requestId);
        this.#requests.delete(requestId);
        if (request !== undefined) {
            request.reject(failure);
        } else {
            this.#handlers.onfailure(failure);
        }
    }

    /** Answers to a lost connection do not arrive. */
    #fail() {
        const requests = [...this.#requests.values()];
        this.#requests.clear();
        for (const {reject} of requests) {
            reject(new RefusedError(ArenaCode.TOO_MANY_REQUESTS, 0));
        }
    }
}

function names(name, detail) {
    const element = document.createElement('div');
    element.className = 'names';
    element.append(written('name', name), text('span', 'detail', detail));
    return element;
}

function button(label, className, onclick) {
    const element = text('button', className, label);
    element.type = 'button';
    element.addEventListener('click', onclick);
    return element;
}
