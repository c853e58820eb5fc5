package io.escapement.examples.exchange;

import io.escapement.examples.exchange.codecs.CancelOrderDecoder;
import io.escapement.examples.exchange.codecs.ExchangeEncoder;
import io.escapement.examples.exchange.codecs.PlaceOrderDecoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.rooms.Audience;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Outbox;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The order book of one thing. Both traders get each fill at once. The ledger gets each trade in the background. */
class BookRoom implements RoomLogic
{
    static final int TYPE_ID = 1;
    static final int LEDGER = 1;
    static final int MAX_PRICE = 10_000;
    static final int MAX_QUANTITY = 1_000_000;
    /** Orders of a side that a trader may have in the book. */
    static final int ORDERS_PER_TRADER = 64;
    /** Most orders that an order meets. Its rest is cancelled. It bounds the work and the output of a message. */
    static final int MAX_FILLS = 64;
    /** Trades by which the ledger may lag. */
    static final int UNBOOKED_TRADES = 4_096;
    static final int BAD_ORDER = FIRST_APPLICATION_CODE + 32;
    static final int UNKNOWN_ORDER = FIRST_APPLICATION_CODE + 33;
    static final int TOO_MANY_ORDERS = FIRST_APPLICATION_CODE + 34;
    static final int LEDGER_BEHIND = FIRST_APPLICATION_CODE + 35;
    static final int CLOSING = FIRST_APPLICATION_CODE + 36;
    static final int ALREADY_EXECUTED = FIRST_APPLICATION_CODE + 37;

    private static final int SEATS = 256;
    private static final int FRAME_RATE = 20;
    private static final int BOOK_AGAIN = 1;
    /** Traders without a seat but with known numbers. A further trader displaces the trader who left first. */
    private static final int ABSENT_TRADERS = 4 * SEATS;
    private static final int TRADE_LENGTH = ExchangeEncoder.tradeLength();

    private final MessageHandlers<Seat> messages = new MessageHandlers<Seat>()
        .on(new PlaceOrderDecoder(), this::onPlaceOrder).on(new CancelOrderDecoder(), this::onCancelOrder);
    private final BookSide bids = new BookSide(true);
    private final BookSide asks = new BookSide(false);
    private final Outbox ledger = new Outbox(LEDGER, TRADE_LENGTH, UNBOOKED_TRADES, BOOK_AGAIN);
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[TRADE_LENGTH]);
    private final ExchangeEncoder answers = new ExchangeEncoder();
    private final ExecutedOrders[] executed = new ExecutedOrders[SEATS];
    /** By player, in the order in which they left. */
    private final Map<Long, ExecutedOrders> executedByAbsentMap = new LinkedHashMap<>();
    private Room room;
    private long orders;
    private long volume;
    private int lastPrice;
    private boolean hasChanged;
    private boolean isClosing;

    static RoomType type()
    {
        return RoomType.of(TYPE_ID, "book", 1, BookRoom::new).seats(SEATS).outputLimit(1024 * 1024);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        ledger.room(opened);
        room.frameRate(FRAME_RATE);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = messages.onMessage(from, buffer, offset, length);
        if (0 != code)
        {
            room.refuse(from, code);
        }
        ledger.send();
    }

    private void onPlaceOrder(final Seat from, final PlaceOrderDecoder order)
    {
        final BookSide own = Side.BUY == order.side() ? bids : asks;
        final BookSide other = bids == own ? asks : bids;
        final int price = order.price();
        final int code = check(own, from, order);
        if (0 != code)
        {
            room.refuse(from, code);
            return;
        }
        executed[from.index()].add(order.clientOrderId());
        final long id = ++orders;
        int remaining = order.quantity();
        sendAccepted(from, order.clientOrderId(), id, price, remaining, order.side());
        for (int fills = 0; remaining > 0 && other.meets(price) && fills < MAX_FILLS; fills++)
        {
            final int best = other.best();
            final Seat waiter = room.seat(other.owners[best]);
            if (waiter.index() == from.index())
            {
                // A trader does not trade with itself: the rest is cancelled.
                break;
            }
            final int quantity = Math.min(remaining, other.quantities[best]);
            remaining -= quantity;
            other.quantities[best] -= quantity;
            keepTrade(bids == own ? from : waiter, bids == own ? waiter : from, other.prices[best], quantity);
            sendFilled(from, id, quantity, remaining, order.side());
            sendFilled(waiter, other.ids[best], quantity, other.quantities[best], bids == own ? Side.SELL : Side.BUY);
            if (0 == other.quantities[best])
            {
                other.remove(best);
            }
        }
        if (remaining > 0 && other.meets(price))
        {
            sendCancelled(from, id, remaining);
        }
        else if (remaining > 0)
        {
            own.add(id, from.index(), price, remaining);
        }
        hasChanged = true;
    }

    /** Whether the book contains orders that would have met. */
    boolean isCrossed()
    {
        return bids.quantity() > 0 && asks.quantity() > 0 && bids.price() >= asks.price();
    }

    private int check(final BookSide own, final Seat from, final PlaceOrderDecoder order)
    {
        final boolean isValid = order.clientOrderId() >= 1 && order.price() >= 1 && order.price() <= MAX_PRICE &&
            order.quantity() >= 1 && order.quantity() <= MAX_QUANTITY &&
            (Side.BUY == order.side() || Side.SELL == order.side());
        final boolean hasPlace = own.best() < BookSide.MAX_ORDERS - 1 && own.count(from.index()) < ORDERS_PER_TRADER;
        return !isValid ? BAD_ORDER : executed[from.index()].has(order.clientOrderId()) ? ALREADY_EXECUTED :
            !hasPlace ? TOO_MANY_ORDERS : isClosing ? CLOSING : ledger.hasSpace(MAX_FILLS) ? 0 : LEDGER_BEHIND;
    }

    private void keepTrade(final Seat buyer, final Seat seller, final int price, final int quantity)
    {
        answers.trade(record, 0, room.roomId(), ledger.added() + 1, buyer.playerId(), seller.playerId(), price,
            quantity);
        ledger.add(record, 0);
        lastPrice = price;
        volume += quantity;
    }

    private void onCancelOrder(final Seat from, final CancelOrderDecoder cancel)
    {
        final BookSide side = bids.find(cancel.orderId(), from.index()) >= 0 ? bids : asks;
        final int index = side.find(cancel.orderId(), from.index());
        if (index < 0)
        {
            room.refuse(from, UNKNOWN_ORDER);
            return;
        }
        sendCancelled(from, cancel.orderId(), side.quantities[index]);
        side.remove(index);
        hasChanged = true;
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        bids.removeAll(seat.index());
        asks.removeAll(seat.index());
        hasChanged = true;
        if (executed[seat.index()].last() > 0)
        {
            executedByAbsentMap.put(seat.playerId(), executed[seat.index()]);
        }
        executed[seat.index()] = null;
        if (executedByAbsentMap.size() > ABSENT_TRADERS)
        {
            executedByAbsentMap.remove(executedByAbsentMap.keySet().iterator().next());
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        ledger.onReply(correlationId, status);
        hasChanged = true;
        closeIfBooked();
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        ledger.onTimer(kind);
    }

    @Override
    public void onDrain(final Room draining, final long deadlineNs)
    {
        isClosing = true;
        closeIfBooked();
    }

    private void closeIfBooked()
    {
        if (isClosing && ledger.confirmed() == ledger.added())
        {
            room.close();
        }
    }

    @Override
    public void onJoin(final Seat seat)
    {
        final ExecutedOrders known = executedByAbsentMap.remove(seat.playerId());
        executed[seat.index()] = null == known ? new ExecutedOrders() : known;
        onBack(seat);
    }

    @Override
    public void onBack(final Seat seat)
    {
        sendExecuted(seat, executed[seat.index()]);
        sendOrders(seat, bids, Side.BUY);
        sendOrders(seat, asks, Side.SELL);
        sendTop(seat);
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        sendTop(seat);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        if (hasChanged)
        {
            hasChanged = false;
            sendTop(room.everyone());
        }
    }

    private void sendOrders(final Seat seat, final BookSide side, final Side name)
    {
        for (int i = side.best(); i >= 0; i--)
        {
            if (side.owners[i] == seat.index())
            {
                sendAccepted(seat, 0, side.ids[i], side.prices[i], side.quantities[i], name);
            }
        }
    }

    private void sendExecuted(final Seat seat, final ExecutedOrders known)
    {
        room.commit(answers.executed(
            room.claimEvent(seat, ExchangeEncoder.executedLength()), 0, known.last(), known.window()));
    }

    private void sendAccepted(
        final Seat seat, final long clientOrderId, final long id, final int price, final int quantity, final Side side)
    {
        room.commit(answers.accepted(room.claimEvent(seat, ExchangeEncoder.acceptedLength()), 0, clientOrderId, id,
            price, quantity, side));
    }

    private void sendFilled(
        final Seat seat, final long id, final int quantity, final int remaining, final Side side)
    {
        room.commit(answers.filled(room.claimEvent(seat, ExchangeEncoder.filledLength()), 0, ledger.added(), id,
            lastPrice, quantity, remaining, side));
    }

    private void sendCancelled(final Seat seat, final long id, final int quantity)
    {
        room.commit(
            answers.cancelled(room.claimEvent(seat, ExchangeEncoder.cancelledLength()), 0, id, quantity));
    }

    private void sendTop(final Audience audience)
    {
        room.commit(answers.top(room.claimState(audience, ExchangeEncoder.topLength()), 0, bids.price(),
            bids.quantity(), asks.price(), asks.quantity(), lastPrice, ledger.added(), ledger.confirmed(), volume));
    }

    @Override
    public void onSnapshot(final StateWriter state)
    {
        bids.write(state);
        asks.write(state);
        ledger.write(state);
        for (final ExecutedOrders one : executed)
        {
            state.putBoolean(null != one);
            if (null != one)
            {
                one.write(state);
            }
        }
        state.putInt(executedByAbsentMap.size());
        executedByAbsentMap.forEach((playerId, one) ->
        {
            state.putLong(playerId);
            one.write(state);
        });
        state.putLong(orders);
        state.putLong(volume);
        state.putInt(lastPrice);
        state.putBoolean(hasChanged);
        state.putBoolean(isClosing);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader state)
    {
        room = restored;
        ledger.room(restored);
        bids.read(state);
        asks.read(state);
        ledger.read(state);
        for (int i = 0; i < SEATS; i++)
        {
            executed[i] = state.getBoolean() ? new ExecutedOrders().read(state) : null;
        }
        for (int i = state.getInt(); i > 0; i--)
        {
            executedByAbsentMap.put(state.getLong(), new ExecutedOrders().read(state));
        }
        orders = state.getLong();
        volume = state.getLong();
        lastPrice = state.getInt();
        hasChanged = state.getBoolean();
        isClosing = state.getBoolean();
    }
}
