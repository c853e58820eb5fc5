package io.escapement.server;

import io.escapement.accounts.Accounts;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;

/** Prints a page of accounts, a line each, for people and for cut. */
final class AccountList
{
    private AccountList()
    {
    }

    /**
     * Print a page.
     *
     * @param accounts of a database.
     * @param prefix   of the names, or null.
     * @param after    name after which the page starts, or null.
     * @param limit    most accounts of the page.
     * @param out      for the lines.
     */
    static void print(
        final Accounts accounts, final String prefix, final String after, final int limit, final PrintWriter out)
    {
        final List<Accounts.Listed> page =
            accounts.list(null == prefix ? "" : prefix, null == after ? "" : after, limit);
        ServeCommand.print(out, "id\tname\tcreated\tbanned");
        for (final Accounts.Listed account : page)
        {
            ServeCommand.print(out, account.id() + "\t" + account.name() + "\t" +
                Instant.ofEpochMilli(account.createdMs()) + "\t" + ban(account.bannedUntilMs()));
        }
        if (limit == page.size())
        {
            ServeCommand.print(out, "next page: --after " + page.get(limit - 1).name());
        }
    }

    private static String ban(final long untilMs)
    {
        return Long.MAX_VALUE == untilMs ? "for ever" :
            untilMs > System.currentTimeMillis() ? "until " + Instant.ofEpochMilli(untilMs) : "no";
    }
}
