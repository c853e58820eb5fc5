/**
 * Accounts and their characters in a database, as a service for an engine's rooms and its log-in.
 *
 * <pre>
 *   control stream =&gt; edge thread == AccountLogIn ==&gt; log-in workers ==+
 *                                    (bounded queue)   (passwords)    |
 *                                                                     +=&gt; pool =&gt; H2 or PostgreSQL
 *   room =&gt; loop thread =&gt; engine's queue =&gt; AccountService, workers ==+
 *                                        a saver thread for each =====+
 * </pre>
 *
 * <p>{@link io.escapement.accounts.Accounts} opens them. One worker processes all requests of an account in order. A
 * request that changes data carries an idempotency key, stored in the same transaction. A retry thus has no effect. In
 * a database outage the latest save of each character is buffered in memory and written when the database is back.
 */
package io.escapement.accounts;
