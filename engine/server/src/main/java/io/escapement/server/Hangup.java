package io.escapement.server;

/** SIGHUP, on which servers by custom reread their files. */
final class Hangup
{
    private Hangup()
    {
    }

    /**
     * Run a task on each SIGHUP instead of exiting. A process started with nohup does not receive SIGHUP.
     *
     * @param task that is called in a thread for signals.
     */
    // The JDK has no other way to receive a signal, and exports this class for such uses: JEP 260. It is not imported,
    // because Javadoc warns of the import.
    static void handle(final Runnable task)
    {
        sun.misc.Signal.handle(new sun.misc.Signal("HUP"), (signal) -> task.run());
    }
}
