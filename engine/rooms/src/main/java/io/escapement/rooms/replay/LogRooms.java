package io.escapement.rooms.replay;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

/** Lists the rooms of a log. It reads the last part first, because a part extends to the start of the next. */
final class LogRooms
{
    private final OpenRoomDecoder open = new OpenRoomDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    /** Of each part, and a room may be in several. */
    private final List<List<Long>> byPart = new ArrayList<>();
    /** The first proposal of the part that was read before. */
    private long endNumber = Long.MAX_VALUE;
    private int endIncarnation;

    LogRooms(final LogHistory history)
    {
        for (int start = history.starts() - 1; start >= 0; start--)
        {
            history.read(start, this::readPart);
        }
    }

    /** Ids of the rooms, in the order in which they opened. */
    List<Long> rooms()
    {
        final List<Long> rooms = new ArrayList<>();
        final LongHashSet known = new LongHashSet();
        for (final List<Long> part : byPart)
        {
            for (final long room : part)
            {
                if (known.add(room))
                {
                    rooms.add(room);
                }
            }
        }
        return rooms;
    }

    private void readPart(final LogSource log)
    {
        final List<Long> found = new ArrayList<>();
        byPart.add(0, found);
        final DirectBuffer snapshot = log.snapshot();
        for (final long room : null == snapshot ? new long[0] : RoomHost.roomsOf(snapshot))
        {
            found.add(room);
        }
        final ProposalReader turn = new ProposalReader();
        long firstNumber = endNumber;
        int firstIncarnation = endIncarnation;
        boolean isFirst = true;
        while (log.next())
        {
            if (!ProposalReader.isProposal(log.buffer(), log.offset(), log.length()) ||
                0 != turn.wrap(log.buffer(), log.offset(), log.length()))
            {
                continue;
            }
            // A proposal that never ran may have the number, in an older incarnation.
            if (turn.number() >= endNumber && turn.incarnation() >= endIncarnation)
            {
                break;
            }
            if (isFirst)
            {
                isFirst = false;
                firstNumber = turn.number();
                firstIncarnation = turn.incarnation();
            }
            addOpened(turn, found);
        }
        endNumber = firstNumber;
        endIncarnation = firstIncarnation;
    }

    private void addOpened(final ProposalReader turn, final List<Long> rooms)
    {
        while (turn.nextCommand())
        {
            if (OpenRoomDecoder.TEMPLATE_ID == SchemaRules.templateId(turn.buffer(), turn.commandOffset()))
            {
                rooms.add(open.wrapAndApplyHeader(turn.buffer(), turn.commandOffset(), header).roomId());
            }
        }
    }
}
