package io.escapement.examples.exchange;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * The orders of one side, in arrays from the worst to the best: by price, and at one price the earliest is best. So the
 * best is taken from the end, and an added order moves only better orders.
 */
final class BookSide
{
    static final int MAX_ORDERS = 2_048;

    final long[] ids = new long[MAX_ORDERS];
    final int[] owners = new int[MAX_ORDERS];
    final int[] prices = new int[MAX_ORDERS];
    final int[] quantities = new int[MAX_ORDERS];
    /** 1 if a higher price is better, -1 if a lower price is better. */
    private final int sign;
    private int size;

    BookSide(final boolean isBuying)
    {
        sign = isBuying ? 1 : -1;
    }

    /** Index of the best order, or -1. */
    int best()
    {
        return size - 1;
    }

    /** The best price, or 0. */
    int price()
    {
        return 0 == size ? 0 : prices[best()];
    }

    /** The quantity of all orders at the best price. */
    int quantity()
    {
        int sum = 0;
        for (int i = best(); i >= 0 && prices[i] == price(); i--)
        {
            sum += quantities[i];
        }
        return sum;
    }

    /** Whether the best order meets an order of the other side with this limit. */
    boolean meets(final int limit)
    {
        return size > 0 && sign * price() >= sign * limit;
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

    void remove(final int index)
    {
        move(index + 1, index);
        size--;
    }

    private void move(final int from, final int to)
    {
        final int count = size - from;
        System.arraycopy(ids, from, ids, to, count);
        System.arraycopy(owners, from, owners, to, count);
        System.arraycopy(prices, from, prices, to, count);
        System.arraycopy(quantities, from, quantities, to, count);
    }

    /** Index of an order of a trader, or -1. */
    int find(final long id, final int owner)
    {
        int index = best();
        while (index >= 0 && (ids[index] != id || owners[index] != owner))
        {
            index--;
        }
        return index;
    }

    int count(final int owner)
    {
        int count = 0;
        for (int i = 0; i < size; i++)
        {
            count += owners[i] == owner ? 1 : 0;
        }
        return count;
    }

    void removeAll(final int owner)
    {
        for (int i = best(); i >= 0; i--)
        {
            if (owners[i] == owner)
            {
                remove(i);
            }
        }
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
