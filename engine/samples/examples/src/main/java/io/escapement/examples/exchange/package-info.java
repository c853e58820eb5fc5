/**
 * A part of a trading backend: an order book by price and time, SBE messages, and a ledger that books each
 * trade once.
 *
 * <pre>
 *   trader --PlaceOrder--> BookRoom: OrderBook --Accepted, Filled--> both traders
 *                               |                --Top, each frame--> everyone
 *                               Book, many trades
 *                               v
 *                             Ledger, in a thread that may block
 * </pre>
 */
package io.escapement.examples.exchange;
