package io.escapement.server;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Limits the logs of libraries to warnings, and has the engine's logs name the options of the command line. */
final class Quiet
{
    /** Strong references: java.util.logging collects unreferenced loggers together with their level. */
    private static final List<Logger> LOGGERS = List.of(
        Logger.getLogger("org.flywaydb"), Logger.getLogger("com.zaxxer.hikari"));

    private static final Logger CLIENT = Logger.getLogger("io.escapement.client");

    private static final Logger ENGINE = Logger.getLogger("io.escapement.engine");

    private Quiet()
    {
    }

    /** The program prints the trunks' failures itself. */
    static void client()
    {
        CLIENT.setLevel(Level.OFF);
    }

    /** Warnings of the engine name its own options. */
    static void nameOptions()
    {
        ENGINE.setFilter((record) ->
        {
            if (null != record.getMessage())
            {
                record.setMessage(OptionNames.replaced(record.getMessage(), true));
            }
            return true;
        });
    }

    static void libraries()
    {
        LOGGERS.forEach((logger) -> logger.setLevel(Level.WARNING));
    }
}
