package io.escapement.rooms.replay;

import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogReader;
import org.agrona.DirectBuffer;

/** Runs the turns of a log in a host. */
final class LoggedTurns
{
    private final RoomHost host;
    private final TurnLogReader.CommandHandler handler = this::onCommand;
    private int returnsLeft;
    private String difference;

    LoggedTurns(final RoomHost host)
    {
        this.host = host;
    }

    /** Run the turn to which a log points. Returns null, or how the commands between rooms differ from the log. */
    String run(final TurnLogReader log)
    {
        difference = null;
        host.beginTurn(log.nowNs());
        returnsLeft = host.loopState().returns();
        log.forEachCommand(handler);
        if (0 != returnsLeft)
        {
            difference = "the log lacks " + returnsLeft + " commands that the rooms of the host have sent";
        }
        host.endTurn();
        return difference;
    }

    /** The commands that rooms had sent to each other come first, and are those that this host's rooms have sent. */
    private void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        final int templateId = SchemaRules.templateId(buffer, offset);
        if (0 == returnsLeft || FailedAtDecoder.TEMPLATE_ID == templateId)
        {
            host.onCommand(buffer, offset, length);
            return;
        }
        returnsLeft--;
        if (!host.onReturn(buffer, offset, length))
        {
            returnsLeft = 0;
            difference = "a command of template " + templateId + " is not what the rooms of the host sent next";
        }
    }
}
