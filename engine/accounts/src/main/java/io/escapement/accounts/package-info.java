/**
 * Accounts and their characters in a database, for an engine's rooms and its log-in.
 *
 * <pre>
 *   control stream =&gt; edge thread == AccountLogIn ==&gt; log-in workers ==+
 *                                    (bounded queue)   (passwords)    |
 *                                                                     +=&gt; pool =&gt; H2 or PostgreSQL
 *   room =&gt; loop thread =&gt; engine's queue =&gt; AccountService, workers ==+
 *                                            a saver thread each =====+
 * </pre>
 *
 * <p>{@link io.escapement.accounts.Accounts} opens it all. Requests of an account are done by one worker in order. What
 * changes something carries a key that is stored in the same transaction, so that a retry changes nothing twice. While
 * the database is away saves are held in memory, the latest of each character, and written when it is back.
 */
package io.escapement.accounts;
