package io.escapement.engine.sample;

import io.escapement.engine.Engine;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import java.util.function.Supplier;
import static java.lang.System.Logger.Level.INFO;

/** The reload that the guide shows. */
final class NewRules
{
    private static final System.Logger LOGGER = System.getLogger(NewRules.class.getName());

    private NewRules()
    {
    }

    static void apply(final Engine engine, final Supplier<RoomLogic> newChatRoom)
    {
        engine.operator().register(RoomType.of(1, "chat", 2, newChatRoom));
        engine.operator().reload(1, 1, 2).thenAccept((result) ->
            LOGGER.log(INFO, "{0} rooms reloaded, {1} refused", result.rooms(), result.refused()));
    }
}
