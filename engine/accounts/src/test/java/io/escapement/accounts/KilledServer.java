package io.escapement.accounts;

import java.io.PrintStream;

/** A process of its own that saves and tells each save that was acknowledged, until somebody kills it. */
final class KilledServer
{
    private KilledServer()
    {
    }

    /** Where the database is: the first argument. */
    public static void main(final String[] args)
    {
        final PrintStream told = System.out;
        try (World world = new World(args[0]))
        {
            final long account = world.account("Ann");
            final long id = world.create(account, 5, 1, "Knight");
            for (int i = 1; ; i++)
            {
                if (0 == world.save(account, 5, i, id, i))
                {
                    told.println(i);
                    told.flush();
                }
            }
        }
    }
}
