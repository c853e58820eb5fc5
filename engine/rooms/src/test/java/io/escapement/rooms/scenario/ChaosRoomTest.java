package io.escapement.rooms.scenario;

import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomRandom;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * The room of the scenarios uses the whole API of a room, and has every callback, so that what is added to the API is
 * part of the tests of determinism too.
 */
class ChaosRoomTest
{
    /** The streams of the engine's own state. */
    private static final Set<String> OF_THE_HOST = Set.of("RoomRandom.state()", "RoomRandom.state(long)");

    private static final JavaClasses CLASSES = new ClassFileImporter().importClasses(ChaosRoom.class);

    @Test
    void shouldCallEveryMethodOfARoom()
    {
        final Set<String> called = new TreeSet<>();
        for (final JavaMethodCall call : CLASSES.get(ChaosRoom.class).getMethodCallsFromSelf())
        {
            final MethodCallTarget target = call.getTarget();
            called.add(name(target.getOwner().getSimpleName(), target.getName(),
                target.getRawParameterTypes().stream().map((type) -> type.getSimpleName()).toList()));
        }
        for (final Class<?> api : List.of(Room.class, RoomRandom.class, SeatGroup.class, Seat.class))
        {
            final Set<String> missing = new TreeSet<>();
            for (final Method method : api.getDeclaredMethods())
            {
                missing.add(name(api.getSimpleName(), method.getName(),
                    Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList()));
            }
            assertFalse(missing.isEmpty());
            missing.removeAll(called);
            missing.removeAll(OF_THE_HOST);
            missing.removeIf((method) -> method.contains("lambda$") || method.contains("$jacoco"));
            assertEquals(Set.of(), missing, "not called by ChaosRoom, whose scenarios test determinism");
        }
    }

    @Test
    void shouldHaveEveryCallback()
    {
        final Set<String> missing = new TreeSet<>();
        for (final Method method : RoomLogic.class.getDeclaredMethods())
        {
            missing.add(method.getName());
        }
        for (final JavaMethod method : CLASSES.get(ChaosRoom.class).getMethods())
        {
            missing.remove(method.getName());
        }
        // By default it is the hash of what onSnapshot writes.
        missing.remove("stateHash");
        assertEquals(Set.of(), missing, "no callback of ChaosRoom, whose scenarios test determinism");
    }

    private static String name(final String owner, final String method, final List<String> parameters)
    {
        return owner + "." + method + "(" + String.join(",", parameters) + ")";
    }
}
