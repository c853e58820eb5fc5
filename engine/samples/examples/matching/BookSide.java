package matching;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** The orders of one side in sorted arrays. The best order is the last: by price, and at one price the earliest. */
final class BookSide
{
    /** A move of an order copies at most this number of elements per array. */
    static final int MAX_ORDERS = 4_096;

    private final long[] ids = new long[MAX_ORDERS];
    private final int[] owners = new int[MAX_ORDERS];
    private final int[] prices = new int[MAX_ORDERS];
    private final int[] quantities = new int[MAX_ORDERS];
    /** 1 if the highest price is the best, -1 if the lowest price is. */
    private final int sign;
    private int size;

    BookSide(final int sign)
    {
        this.sign = sign;
    }

    boolean isFull()
    {
        return MAX_ORDERS == size;
    }

    /** Whether the best order trades with an order of the other side at this price. */
    boolean meets(final int price)
    {
        return size > 0 && sign * prices[size - 1] >= sign * price;
    }

    long bestId()
    {
        return ids[size - 1];
    }

    int bestOwner()
    {
        return owners[size - 1];
    }

    int bestPrice()
    {
        return prices[size - 1];
    }

    int bestQuantity()
    {
        return quantities[size - 1];
    }

    /** Take a quantity from the best order. A filled order is removed. */
    void fillBest(final int quantity)
    {
        quantities[size - 1] -= quantity;
        size -= 0 == quantities[size - 1] ? 1 : 0;
    }

    void add(final long id, final int owner, final int price, final int quantity)
    {
        int index = size;
        while (index > 0 && sign * prices[index - 1] >= sign * price)
        {
            index--;
        }
        move(index, index + 1);
        ids[index] = id;
        owners[index] = owner;
        prices[index] = price;
        quantities[index] = quantity;
        size++;
    }

    /** Remove an order of an owner. Returns its quantity, or 0 if the owner has no such order. */
    int remove(final long id, final int owner)
    {
        for (int i = size - 1; i >= 0; i--)
        {
            if (ids[i] == id && owners[i] == owner)
            {
                return removeAt(i);
            }
        }
        return 0;
    }

    void removeAll(final int owner)
    {
        for (int i = size - 1; i >= 0; i--)
        {
            if (owners[i] == owner)
            {
                removeAt(i);
            }
        }
    }

    private int removeAt(final int index)
    {
        final int quantity = quantities[index];
        move(index + 1, index);
        size--;
        return quantity;
    }

    private void move(final int from, final int to)
    {
        System.arraycopy(ids, from, ids, to, size - from);
        System.arraycopy(owners, from, owners, to, size - from);
        System.arraycopy(prices, from, prices, to, size - from);
        System.arraycopy(quantities, from, quantities, to, size - from);
    }

    void write(final StateWriter state)
    {
        state.putInt(size);
        for (int i = 0; i < size; i++)
        {
            state.putLong(ids[i]);
            state.putInt(owners[i]);
            state.putInt(prices[i]);
            state.putInt(quantities[i]);
        }
    }

    void read(final StateReader state)
    {
        size = state.getInt();
        for (int i = 0; i < size; i++)
        {
            ids[i] = state.getLong();
            owners[i] = state.getInt();
            prices[i] = state.getInt();
            quantities[i] = state.getInt();
        }
    }
}
