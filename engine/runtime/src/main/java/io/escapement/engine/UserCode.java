package io.escapement.engine;

import io.escapement.engine.spi.PlacementStrategy;
import org.agrona.ErrorHandler;

/** Guards around code of the application: a failure is reported and has a safe result. */
final class UserCode
{
    private UserCode()
    {
    }

    /** A strategy that never throws: where the given one fails, the room goes to the least loaded loop. */
    static PlacementStrategy placement(final PlacementStrategy strategy, final ErrorHandler errorHandler)
    {
        return (typeId, roomsByLoop) ->
        {
            final int[] rooms = roomsByLoop.clone();
            try
            {
                final int loop = strategy.loopFor(typeId, rooms);
                if (loop >= 0 && loop < roomsByLoop.length)
                {
                    return loop;
                }
                throw new IllegalStateException("it chose loop " + loop + " of " + roomsByLoop.length);
            }
            catch (final Throwable ex)
            {
                errorHandler.onError(new IllegalStateException(
                    "placement: the strategy failed, the room goes to the least loaded loop: " + ex.getMessage(), ex));
                return PlacementStrategy.LEAST_LOADED.loopFor(typeId, roomsByLoop);
            }
        };
    }
}
