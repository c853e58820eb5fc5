/** The page of the exchange: one order book, SBE messages both ways. */
import {byId, element, notice, openConnection, showError, textOf} from '../common.js';
import {Accepted, Cancelled, CancelOrder, Executed, Filled, PlaceOrder, Side, templateId, Top} from './exchange.js';

const ROOM_ID = 1;
const MAX_FILLS = 100;
const TEXTS = {
    1056: 'Price and quantity must be whole numbers in range.',
    1057: 'That order is not in the book any more.',
    1058: 'You have too many orders, or the book is full.',
    1059: 'The ledger is behind. Try again in a moment.',
    1060: 'The exchange closes.',
    1061: 'That order was executed before.',
};

const accepted = new Accepted();
const filled = new Filled();
const cancelled = new Cancelled();
const executed = new Executed();
const top = new Top();
const orders = new Map();
const fills = [];
let room = null;
let lastOrder = 0;
let position = 0;
let cash = 0;
let booked = 0;

const number = (value) => value.toLocaleString();

function onevent(view, offset, length) {
    const template = templateId(view, offset, length);
    switch (template) {
        case Accepted.TEMPLATE_ID:
            accepted.wrap(view, offset, length);
            orders.set(accepted.orderId, {side: accepted.side, price: accepted.price, quantity: accepted.quantity});
            break;
        case Filled.TEMPLATE_ID:
            filled.wrap(view, offset, length);
            onFilled();
            break;
        case Cancelled.TEMPLATE_ID:
            cancelled.wrap(view, offset, length);
            orders.delete(cancelled.orderId);
            break;
        case Executed.TEMPLATE_ID:
            executed.wrap(view, offset, length);
            lastOrder = Math.max(lastOrder, executed.clientOrderId);
            break;
        default:
            throw new RangeError('template ' + template + ' is no event of the book');
    }
    showOrders();
}

function onFilled() {
    const sign = filled.side === Side.BUY ? 1 : -1;
    position += sign * filled.quantity;
    cash -= sign * filled.quantity * filled.price;
    fills.unshift({id: filled.tradeId, side: filled.side, price: filled.price, quantity: filled.quantity});
    fills.length = Math.min(fills.length, MAX_FILLS);
    if (filled.remaining === 0) {
        orders.delete(filled.orderId);
    } else if (orders.has(filled.orderId)) {
        orders.get(filled.orderId).quantity = filled.remaining;
    }
    showFills();
}

function onstate(view, offset, length) {
    // Throws a RangeError for another template.
    top.wrap(view, offset, length);
    byId('bid').textContent = top.bidPrice === 0 ? '-' : number(top.bidPrice);
    byId('ask').textContent = top.askPrice === 0 ? '-' : number(top.askPrice);
    byId('bid-quantity').textContent = top.bidPrice === 0 ? 'nobody' : 'for ' + number(top.bidQuantity);
    byId('ask-quantity').textContent = top.askPrice === 0 ? 'nobody' : 'for ' + number(top.askQuantity);
    byId('last').textContent = top.lastPrice === 0 ? '-' : number(top.lastPrice);
    byId('trades').textContent = number(top.trades);
    byId('volume').textContent = number(top.volume);
    byId('booked').textContent = number(top.booked);
    if (booked !== top.booked) {
        booked = top.booked;
        showFills();
    }
}

function line(side, price, quantity) {
    const item = element('li', side === Side.BUY ? 'buy' : 'sell');
    item.append(element('span', '', (side === Side.BUY ? 'buy ' : 'sell ') + number(quantity) + ' at ' + number(price)));
    return item;
}

function showOrders() {
    byId('orders').replaceChildren(...[...orders].map(([id, order]) => {
        const item = line(order.side, order.price, order.quantity);
        const button = element('button', '', 'Cancel');
        button.type = 'button';
        button.addEventListener('click', () => room.send(CancelOrder, {orderId: id}));
        item.append(button);
        return item;
    }));
}

function showFills() {
    byId('position').textContent = number(position);
    byId('cash').textContent = number(cash);
    byId('fills').replaceChildren(...fills.map((fill) => {
        const item = line(fill.side, fill.price, fill.quantity);
        item.append(element('span', 'state', fill.id <= booked ? 'booked' : 'filled'));
        return item;
    }));
}

byId('order').addEventListener('submit', (event) => {
    event.preventDefault();
    const isSent = room !== null && room.send(PlaceOrder, {
        clientOrderId: ++lastOrder,
        price: Number(byId('price').value),
        quantity: Number(byId('quantity').value),
        side: Number(event.submitter.value),
    });
    if (!isSent) {
        notice('Not sent: there is no connection to the exchange now.');
    }
});

try {
    const connection = await openConnection();
    // The room sends the orders in the book to who joins or is back.
    const onback = () => {
        orders.clear();
        showOrders();
    };
    room = await connection.join(ROOM_ID,
        {onevent, onstate, onback, onrefused: (code) => notice(textOf(code, TEXTS))});
} catch (error) {
    showError(error);
}
