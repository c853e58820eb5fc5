package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.RoomUseException;
import io.escapement.rooms.Seat;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RoomGuardTest
{
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final RecordedEvents events = new RecordedEvents();
    private final List<String> ran = new ArrayList<>();
    private Room room;
    private Throwable fromOtherThread;

    @Test
    void shouldRefuseARoomOutsideItsCallbacks()
    {
        host(RoomType.of(1, "kept", 1, () -> new Keeping(false)));
        final RoomUseException thrown = assertThrows(RoomUseException.class, () -> room.after(1, 1, 1));
        assertTrue(thrown.getMessage().contains("outside its own callbacks"), thrown.getMessage());
        assertThrows(RoomUseException.class, () -> room.sendEvent(room.everyone(), buffer, 0, 8));
        assertThrows(RoomUseException.class, () -> room.nowNs());
    }

    @Test
    void shouldRefuseARoomOnAnotherThread()
    {
        host(RoomType.of(1, "kept", 1, () -> new Keeping(true)));
        final RoomUseException thrown = assertInstanceOf(RoomUseException.class, fromOtherThread);
        assertTrue(thrown.getMessage().contains("from thread 'stranger'"), thrown.getMessage());
        assertEquals(List.of(), events.failures);
    }

    @Test
    void shouldRefuseClosuresInRecordedRooms()
    {
        final RoomHost host = host(RoomType.of(1, "recorded", 1, () -> new Keeping(false)));
        assertEquals(RefusalCode.ROOM_IS_RECORDED.value(), inTurn(host, 1));
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(), inTurn(host, 7));

        final RoomHost other = host(RoomType.of(1, "recorded", 1, () -> new Closing()));
        assertEquals(0, other.openRooms());
        assertInstanceOf(IllegalStateException.class, events.failures.get(0));
    }

    @Test
    void shouldRunClosuresInEphemeralRooms()
    {
        final RoomHost host = host(RoomType.of(1, "ephemeral", 1, () -> new Closing()).ephemeral());
        assertEquals(0, inTurn(host, 1));
        host.beginTurn(50_000_000);
        host.endTurn();
        host.beginTurn(100_000_000);
        host.endTurn();
        assertEquals(List.of("executed", "after", "frame"), ran);
    }

    @Test
    void shouldRefuseCommandsOutsideATurn()
    {
        final RoomHost host = host(RoomType.of(1, "kept", 1, () -> new Keeping(false)));
        assertThrows(IllegalStateException.class, () -> host.onCommand(buffer, 0, 8));
        host.beginTurn(1);
        assertThrows(IllegalStateException.class, () -> host.beginTurn(2));
        assertThrows(IllegalStateException.class, host::stateHash);
        host.endTurn();
    }

    private int inTurn(final RoomHost host, final long roomId)
    {
        host.beginTurn(1);
        final int code = host.execute(roomId, (within) -> ran.add("executed"));
        host.endTurn();
        return code;
    }

    private RoomHost host(final RoomType type)
    {
        final RoomHost host = new RoomHost(new HostContext().outputs(new NoOutputs()).roomType(type)
            .listener(events));
        host.beginTurn(0);
        host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, buffer, 0, 0));
        host.endTurn();
        return host;
    }

    private final class Keeping implements RoomLogic
    {
        private final boolean asksStranger;

        Keeping(final boolean asksStranger)
        {
            this.asksStranger = asksStranger;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            if (asksStranger)
            {
                final FutureTask<Long> task = new FutureTask<>(() -> opened.nowNs());
                new Thread(task, "stranger").start();
                try
                {
                    task.get();
                }
                catch (final ExecutionException e)
                {
                    fromOtherThread = e.getCause();
                }
                catch (final InterruptedException e)
                {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            ran.add("message");
        }
    }

    private final class Closing implements RoomLogic
    {
        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            opened.frameRate(10);
            opened.after(5_000_000, (within) -> ran.add("after"));
            opened.nextFrame((within) -> ran.add("frame"));
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            ran.add("message");
        }
    }
}
