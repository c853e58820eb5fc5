package io.escapement.engine;

import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The status of a process that runs an engine until a signal. */
@RealTime("a process that gets signals")
class RunUntilSignalTest
{
    private static final int TYPE = 1;
    private static final int STATUS = 7;

    @TempDir
    Path directory;

    @Test
    void shouldKeepTheRoomsOfAJournal()
    {
        assertEquals(0, statusAfterASignal("journal", "recovered 0 room 1"));
        assertEquals(0, statusAfterASignal("journal", "recovered 1 room 1"));
    }

    @Test
    void shouldHaveTheStatusOfTheProgramsStop()
    {
        assertEquals(STATUS, statusAfterASignal("stop", "recovered 0 room 1"));
    }

    @Test
    void shouldEndByItselfAfterAFault()
    {
        try (ChildJvm server = launch("fault"))
        {
            assertEquals(1, server.exitStatus(), server.lines()::toString);
        }
    }

    private int statusAfterASignal(final String mode, final String line)
    {
        try (ChildJvm server = launch(mode))
        {
            Tests.await(() -> server.lines().contains(line), () -> line + " in " + server.lines());
            server.terminate();
            return server.exitStatus();
        }
    }

    private ChildJvm launch(final String mode)
    {
        return new ChildJvm(Server.class, List.of(), List.of(mode, directory.resolve("journal").toString()));
    }

    /** A room that may break its loop. */
    private static final class Plain implements RoomLogic
    {
        private final boolean isBroken;

        Plain(final boolean isBroken)
        {
            this.isBroken = isBroken;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            if (isBroken)
            {
                throw new InternalError("of the test");
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }
    }

    /** The program. */
    static final class Server
    {
        private Server()
        {
        }

        public static void main(final String[] args)
        {
            final String mode = args[0];
            final EngineContext context = new EngineContext().loops(1)
                .roomType(RoomType.of(TYPE, "plain", 1, () -> new Plain("fault".equals(mode))))
                .trunks(new TrunkServerContext().ipc(true).secret(new byte[32], false).limit(1));
            if ("journal".equals(mode))
            {
                context.durability(Durability.journal(Path.of(args[1])).withoutTail());
            }
            final Consumer<Engine> started = (engine) -> System.out.println(
                "recovered " + engine.recoveredRooms(TYPE).size() + " room " + engine.openRoomOnce(TYPE).roomId());
            if ("stop".equals(mode))
            {
                Engine.runUntilSignal(context, started, (engine) -> STATUS);
            }
            Engine.runUntilSignal(context, started);
        }
    }
}
