package io.escapement.perf.rooms;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.CapturedOutputs;
import org.agrona.concurrent.UnsafeBuffer;

/** A room host with rooms of one type and players on one link, stepped by a benchmark. */
final class BenchedHost
{
    static final int LINK = 1;

    final RoomHost host;
    final RoomEncoder encoder = new RoomEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    final CapturedOutputs outputs = new CapturedOutputs();

    BenchedHost(final RoomType type, final int rooms, final int players)
    {
        host = new RoomHost(new HostContext().roomType(type).outputs(outputs).roomLimit(rooms)
            .seatLimit(rooms * type.seats()).timerLimit(rooms * type.timers()).phaseGroups(1));
        host.beginTurn(0);
        command(encoder.linkUp(buffer, 0, LINK, LINK));
        for (int room = 1; room <= rooms; room++)
        {
            command(encoder.openRoom(buffer, 0, room, room, 0, 0, type.id(), payload, 0, 0));
            for (int player = 0; player < players; player++)
            {
                command(encoder.join(buffer, 0, room, player, 0, LINK, payload, 0, 0));
            }
        }
        host.endTurn();
        outputs.reset();
    }

    void command(final int length)
    {
        final int code = host.onCommand(buffer, 0, length);
        if (0 != code)
        {
            throw new IllegalStateException("the host refused a command: " + code);
        }
    }
}
