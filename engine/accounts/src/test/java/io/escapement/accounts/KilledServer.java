package io.escapement.accounts;

import io.escapement.testsupport.RealTime;

/** Saves in a loop and prints each acknowledged save, until its process is killed. */
@RealTime("a helper of a server that is killed")
final class KilledServer
{
    static final String ACKNOWLEDGED = "saved ";

    private KilledServer()
    {
    }

    public static void main(final String[] args)
    {
        try (World world = new World(args[0]))
        {
            final long account = world.account("Ann");
            final long id = world.create(account, 5, 1, "Knight");
            for (int i = 1; ; i++)
            {
                if (0 == world.save(account, 5, i, id, i))
                {
                    System.out.println(ACKNOWLEDGED + i + '.');
                }
            }
        }
    }
}
