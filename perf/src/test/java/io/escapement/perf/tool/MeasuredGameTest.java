package io.escapement.perf.tool;

import io.escapement.rooms.RoomType;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class MeasuredGameTest
{
    @Test
    void shouldBeTheOnlyGameThatTheProgramFinds()
    {
        assertEquals(List.of(MeasuredGame.class),
            ServiceLoader.load(RoomType.Provider.class).stream().map(ServiceLoader.Provider::type).toList());
    }
}
