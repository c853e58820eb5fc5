package matching;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.MessageHandlers;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import matching.codecs.CancelOrderDecoder;
import matching.codecs.OrdersEncoder;
import matching.codecs.PlaceOrderDecoder;
import matching.codecs.Side;
import org.agrona.DirectBuffer;

/** The order book of one symbol. Traders are players with the ids 1 to 64. */
class BookRoom implements RoomLogic
{
    static final int TYPE_ID = 1;
    static final int TRADERS = 64;
    static final int MAX_PRICE = 1_000_000;
    static final int MAX_QUANTITY = 1_000_000;
    /** Most fills of a message, which bounds its time and its output. */
    static final int MAX_FILLS = 64;
    static final int UNKNOWN_TRADER = FIRST_APPLICATION_CODE;
    static final int BAD_ORDER = FIRST_APPLICATION_CODE + 1;
    static final int OLD_ORDER_ID = FIRST_APPLICATION_CODE + 2;
    static final int BOOK_FULL = FIRST_APPLICATION_CODE + 3;
    static final int UNKNOWN_ORDER = FIRST_APPLICATION_CODE + 4;

    private final MessageHandlers<Seat> messages = new MessageHandlers<Seat>()
        .on(new PlaceOrderDecoder(), this::onPlaceOrder)
        .on(new CancelOrderDecoder(), this::onCancelOrder);
    private final OrdersEncoder encoder = new OrdersEncoder();
    private final BookSide bids = new BookSide(1);
    private final BookSide asks = new BookSide(-1);
    /** The last accepted order of each trader, by player id: the trader's number, and the room's. */
    private final long[] lastClientOrderIds = new long[TRADERS + 1];
    private final long[] lastOrderIds = new long[TRADERS + 1];
    private Room room;
    private long orders;

    static RoomType type()
    {
        return RoomType.of(TYPE_ID, "book", 1, BookRoom::new).seats(TRADERS);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        return playerId >= 1 && playerId <= TRADERS ? ACCEPT : UNKNOWN_TRADER;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = messages.onMessage(from, buffer, offset, length);
        if (0 != code)
        {
            room.refuse(from, code);
        }
    }

    private void onPlaceOrder(final Seat from, final PlaceOrderDecoder order)
    {
        final boolean isBuying = Side.BUY == order.side();
        final BookSide own = isBuying ? bids : asks;
        final BookSide other = isBuying ? asks : bids;
        final int code = check(from, order, own);
        if (0 != code)
        {
            room.refuse(from, code);
            return;
        }
        final long id = ++orders;
        final int price = order.price();
        int rest = order.quantity();
        lastClientOrderIds[(int)from.playerId()] = order.clientOrderId();
        lastOrderIds[(int)from.playerId()] = id;
        sendAccepted(from);
        for (int fills = 0; rest > 0 && fills < MAX_FILLS && other.meets(price); fills++)
        {
            final int quantity = Math.min(rest, other.bestQuantity());
            rest -= quantity;
            sendFilled(from, id, other.bestPrice(), quantity, rest);
            sendFilled(room.seat(other.bestOwner()), other.bestId(), other.bestPrice(), quantity,
                other.bestQuantity() - quantity);
            other.fillBest(quantity);
        }
        if (rest > 0 && other.meets(price))
        {
            sendCancelled(from, id, rest);
        }
        else if (rest > 0)
        {
            own.add(id, from.index(), price, rest);
        }
    }

    private int check(final Seat from, final PlaceOrderDecoder order, final BookSide own)
    {
        final boolean isValid = order.price() >= 1 && order.price() <= MAX_PRICE && order.quantity() >= 1 &&
            order.quantity() <= MAX_QUANTITY && (Side.BUY == order.side() || Side.SELL == order.side());
        final boolean isNew = order.clientOrderId() > lastClientOrderIds[(int)from.playerId()];
        return !isValid ? BAD_ORDER : !isNew ? OLD_ORDER_ID : own.isFull() ? BOOK_FULL : 0;
    }

    private void onCancelOrder(final Seat from, final CancelOrderDecoder cancel)
    {
        final int quantity = bids.remove(cancel.orderId(), from.index()) + asks.remove(cancel.orderId(), from.index());
        if (0 == quantity)
        {
            room.refuse(from, UNKNOWN_ORDER);
            return;
        }
        sendCancelled(from, cancel.orderId(), quantity);
    }

    @Override
    public void onJoin(final Seat seat)
    {
        onBack(seat);
    }

    /** Answers are lost with a connection. The last accepted order answers all earlier orders of its trader. */
    @Override
    public void onBack(final Seat seat)
    {
        sendAccepted(seat);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        bids.removeAll(seat.index());
        asks.removeAll(seat.index());
    }

    private void sendAccepted(final Seat to)
    {
        room.commit(encoder.accepted(room.claimEvent(to, OrdersEncoder.acceptedLength()), 0,
            lastClientOrderIds[(int)to.playerId()], lastOrderIds[(int)to.playerId()]));
    }

    private void sendFilled(final Seat to, final long id, final int price, final int quantity, final int rest)
    {
        room.commit(encoder.filled(
            room.claimEvent(to, OrdersEncoder.filledLength()), 0, id, price, quantity, rest));
    }

    private void sendCancelled(final Seat to, final long id, final int quantity)
    {
        room.commit(encoder.cancelled(room.claimEvent(to, OrdersEncoder.cancelledLength()), 0, id, quantity));
    }

    @Override
    public void onSnapshot(final StateWriter state)
    {
        bids.write(state);
        asks.write(state);
        state.putLong(orders);
        for (int trader = 1; trader <= TRADERS; trader++)
        {
            state.putLong(lastClientOrderIds[trader]);
            state.putLong(lastOrderIds[trader]);
        }
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader state)
    {
        room = restored;
        bids.read(state);
        asks.read(state);
        orders = state.getLong();
        for (int trader = 1; trader <= TRADERS; trader++)
        {
            lastClientOrderIds[trader] = state.getLong();
            lastOrderIds[trader] = state.getLong();
        }
    }
}
