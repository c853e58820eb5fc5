package io.escapement.rooms;

/**
 * The receivers of a message: a {@link Seat}, a {@link SeatGroup}, {@link Room#everyone()} or
 * {@link Room#everyoneBut(Seat)}. An audience belongs to one room. Another room refuses it. Only present seats receive.
 *
 * <p>Applications do not implement this interface.
 */
public interface Audience
{
}
