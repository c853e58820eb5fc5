/**
 * Log-in by JSON Web Tokens that an identity provider signs, as a {@link io.escapement.engine.spi.LogInService}.
 *
 * <pre>
 *   log-in thread =&gt; TokenLogIn == bounded queue ==&gt; workers =&gt; TokenVerifier =&gt; reply
 *                                                                  | reads
 *                                                                  v
 *   keys of a file or a URL =&gt; KeyRefresh, in the thread that may wait =&gt; KeySet (volatile)
 *   file of banned players  =&gt; BanList, likewise                       =&gt; entries (volatile)
 * </pre>
 *
 * <p>{@link io.escapement.tokens.TokenLogIn} launches them. A log-in never waits for a file or a server of keys. A
 * token of an unknown key is refused at once, and requests one fetch of the keys.
 */
package io.escapement.tokens;
