package io.escapement.accounts;

/**
 * Told who logged in and who logged out, so that a server can keep an account to one seat.
 *
 * <p>Each log-in of an account has a session number, and the numbers of an account rise, whatever server it logs in
 * to. When the session before was not ended by a log-out, its number comes as {@code replacedSession}: the account's
 * player may still sit somewhere, and this is the moment to send the old place away and let the new one in. A server
 * that keeps the number beside the account's seat knows an old seat by its lower number, whenever it hears of it. The
 * number of a session that a killed server left behind comes in the same way; there is no seat for it then, and nothing
 * to do.
 *
 * <p>Called in a thread of the log-in, for one account always the same one, before the answer goes out. May not block.
 */
public interface SessionListener
{
    /**
     * An account has logged in, by a sign-up or a log-in.
     *
     * @param accountId       the account, which is the player's id.
     * @param session         number of the new session.
     * @param replacedSession number of the session that this one takes the place of, or 0.
     * @param trunkId         trunk that the player came by.
     */
    void onLogIn(long accountId, long session, long replacedSession, long trunkId);

    /**
     * An account has logged out.
     *
     * @param accountId the account.
     * @param session   number of the session that ended.
     * @param trunkId   trunk that the log-out came by.
     */
    void onLogOut(long accountId, long session, long trunkId);
}
