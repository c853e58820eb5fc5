package io.escapement.arena.program;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps libraries from telling of what went well. */
final class Quiet
{
    /** Held, since loggers that nobody holds forget their level. */
    private static final List<Logger> LOGGERS = List.of(
        Logger.getLogger("org.flywaydb"), Logger.getLogger("com.zaxxer.hikari"));

    private Quiet()
    {
    }

    static void libraries()
    {
        LOGGERS.forEach((logger) -> logger.setLevel(Level.WARNING));
    }
}
