/**
 * An auction as a trading backend has it: an order book by price and time, SBE messages, and a ledger that books each
 * trade once.
 *
 * <pre>
 *   trader --PlaceOrder--> AuctionRoom: OrderBook --Accepted, Filled--> both traders
 *                               |                --Top, each frame--> everyone
 *                               Book, many trades
 *                               v
 *                             Ledger, in a thread that may block
 * </pre>
 */
package io.escapement.examples.auction;
