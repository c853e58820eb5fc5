package io.escapement.rooms;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The surroundings of a host while the corpus is written: trunks, services, the directory and two other loops. */
final class CorpusWorld
{
    /** The loop of the host. */
    static final int LOOP = 1;
    static final int LOOPS = 3;
    private static final int NO_LOOP = -1;
    private static final int LATE = 7;

    /** A player's seat, as its trunk knows it. */
    static final class Place
    {
        final long roomId;
        final int seatIndex;
        final int generation;
        final long playerId;
        final int link;
        long sequence;

        Place(final JoinedDecoder joined, final int link)
        {
            roomId = joined.roomId();
            seatIndex = joined.seatIndex();
            generation = joined.generation();
            playerId = joined.playerId();
            sequence = joined.sequence();
            this.link = link;
        }

        Place(final SeatResumedDecoder resumed, final int link)
        {
            roomId = resumed.roomId();
            seatIndex = resumed.seatIndex();
            generation = resumed.generation();
            playerId = resumed.playerId();
            sequence = resumed.sequence();
            this.link = link;
        }
    }

    /** A command that arrives in a later turn, of another loop if it has one. */
    private record Waiting(int turn, int loop, byte[] command)
    {
    }

    final RoomEncoder encoder = new RoomEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * RoomCommands.MAX_COMMAND_LENGTH]);
    final UnsafeBuffer payload = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    final SplittableRandom random;
    final List<Place> places = new ArrayList<>();
    final List<Long> rooms = new ArrayList<>();
    final Map<String, Integer> countByEventMap = new TreeMap<>();
    final long[] lastNumbers = new long[LOOPS];
    final boolean[] isUp;
    /** Of the duels. */
    final Map<Long, Integer> versionByRoomMap = new TreeMap<>();
    private int openingVersion = 1;
    long lastSerial;
    int turn;
    /** Turns until another loop says that it has taken a command; -1 for never. */
    int takenAfter = 2;
    private final List<Waiting> waiting = new ArrayList<>();
    private final byte[][] lastOfLoop = new byte[LOOPS][];
    private final List<Long> subscribers = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.escapement.codecs.trunk.MessageHeaderDecoder trunkHeader =
        new io.escapement.codecs.trunk.MessageHeaderDecoder();

    CorpusWorld(final long seed, final int links)
    {
        random = new SplittableRandom(seed);
        isUp = new boolean[links];
    }

    /** The command in the buffer. */
    byte[] bytes(final int length)
    {
        return Arrays.copyOf(buffer.byteArray(), length);
    }

    /** The commands that arrive in this turn. */
    List<byte[]> arrivals()
    {
        final List<byte[]> arrivals = new ArrayList<>();
        final List<Waiting> due = new ArrayList<>(waiting.stream().filter((w) -> w.turn <= turn).toList());
        waiting.removeAll(due);
        for (final Waiting entry : due)
        {
            arrivals.add(NO_LOOP == entry.loop ? entry.command : fromLoop(entry.loop, entry.command));
        }
        return arrivals;
    }

    /** The next command of another loop. */
    byte[] fromLoop(final int loop, final byte[] command)
    {
        lastOfLoop[loop] = command;
        return fromLoop(loop, ++lastNumbers[loop], command);
    }

    byte[] fromLoop(final int loop, final long number, final byte[] command)
    {
        return bytes(encoder.loopCommand(
            buffer, 0, number, loop, new UnsafeBuffer(command), 0, command.length));
    }

    /** The last command of another loop, once more. */
    byte[] repeated(final int loop)
    {
        return null == lastOfLoop[loop] ? fromLoop(loop, bytes(encoder.signal(
            buffer, 0, rooms.isEmpty() ? 1 : rooms.get(0), CorpusText.roomId(loop, 1), 1, payload, 0, 2))) :
            fromLoop(loop, lastNumbers[loop], lastOfLoop[loop]);
    }

    private void later(final int turns, final int loop, final int length)
    {
        waiting.add(new Waiting(turn + turns, loop, bytes(length)));
    }

    private void count(final String event)
    {
        countByEventMap.merge(event, 1, Integer::sum);
    }

    void onCode(final byte[] command, final int code)
    {
        count("command " + (command.length < MessageHeaderDecoder.ENCODED_LENGTH ? "too short" :
            SchemaRules.templateId(new UnsafeBuffer(command), 0)));
        if (0 == code)
        {
            onRun(new UnsafeBuffer(command));
        }
        else
        {
            count("code " + (code < RoomLogic.FIRST_APPLICATION_CODE ? Codes.nameOf(code) : "of the application"));
        }
    }

    private void onRun(final DirectBuffer command)
    {
        switch (SchemaRules.templateId(command, 0))
        {
            case LinkUpDecoder.TEMPLATE_ID ->
                isUp[new LinkUpDecoder().wrapAndApplyHeader(command, 0, header).link()] = true;
            case LinkResumedDecoder.TEMPLATE_ID ->
                isUp[new LinkResumedDecoder().wrapAndApplyHeader(command, 0, header).link()] = true;
            case LinkDownDecoder.TEMPLATE_ID ->
                isUp[new LinkDownDecoder().wrapAndApplyHeader(command, 0, header).link()] = false;
            case ReloadDecoder.TEMPLATE_ID ->
            {
                final ReloadDecoder reload = new ReloadDecoder().wrapAndApplyHeader(command, 0, header);
                if (0 == reload.roomId())
                {
                    openingVersion = reload.toVersion();
                }
                else
                {
                    versionByRoomMap.put(reload.roomId(), reload.toVersion());
                }
            }
            case HostResumedDecoder.TEMPLATE_ID -> Arrays.fill(isUp, false);
            default ->
            {
                // No link changes.
            }
        }
    }

    /** A link that is up, as far as there is one, and sometimes another. */
    int link()
    {
        int link = random.nextInt(isUp.length);
        for (int i = 0; i < isUp.length && !isUp[link] && 0 != random.nextInt(8); i++)
        {
            link = (link + 1) % isUp.length;
        }
        return link;
    }

    void onMessage(
        final int link, final long roomId, final int outputClass, final int audience, final long selector)
    {
        count("message " + outputClass + " " + audience);
        if (Outputs.STATE == outputClass && Outputs.ONE == audience && 0 == random.nextInt(30))
        {
            later(1, NO_LOOP, encoder.stateLost(
                buffer, 0, roomId, (int)selector, (int)(selector >>> 32), link));
        }
    }

    void onLink(final int link, final DirectBuffer source, final int offset, final int length)
    {
        switch (trunkHeader.wrap(source, offset).templateId())
        {
            case JoinedDecoder.TEMPLATE_ID ->
            {
                final Place place =
                    new Place(new JoinedDecoder().wrapAndApplyHeader(source, offset, trunkHeader), link);
                count(0 == place.sequence ? "Joined" : "Joined again");
                forget(place.roomId, place.seatIndex);
                places.add(place);
            }
            case SeatResumedDecoder.TEMPLATE_ID ->
            {
                final Place place =
                    new Place(new SeatResumedDecoder().wrapAndApplyHeader(source, offset, trunkHeader), link);
                count("SeatResumed");
                forget(place.roomId, place.seatIndex);
                places.add(place);
            }
            case SeatAwayDecoder.TEMPLATE_ID -> count("SeatAway " +
                new SeatAwayDecoder().wrapAndApplyHeader(source, offset, trunkHeader).reason());
            case LeftDecoder.TEMPLATE_ID ->
            {
                final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(source, offset, trunkHeader);
                count("Left " + left.reason() + (0 == left.code() ? "" : " with a code"));
                if (0 != random.nextInt(10))
                {
                    forget(left.roomId(), left.seatIndex());
                }
            }
            default ->
            {
                final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(source, offset, trunkHeader);
                count("Refused");
                if (RefusalCode.STALE_SEAT.value() == refused.code() && 0 != random.nextInt(4))
                {
                    forget(refused.roomId(), refused.seatIndex());
                }
            }
        }
    }

    private void forget(final long roomId, final int seatIndex)
    {
        places.removeIf((place) -> place.roomId == roomId && place.seatIndex == seatIndex);
    }

    void onApplication(final DirectBuffer source, final int offset, final int length)
    {
        count("to the program " + SchemaRules.templateId(source, offset));
    }

    void onLoop(final int loop, final DirectBuffer source, final int offset, final int length)
    {
        if (LoopCommandDecoder.TEMPLATE_ID != SchemaRules.templateId(source, offset))
        {
            count("Taken");
            return;
        }
        final long number = new LoopCommandDecoder().wrapAndApplyHeader(source, offset, header).number();
        if (takenAfter >= 0)
        {
            later(takenAfter, NO_LOOP, encoder.taken(buffer, 0, number, loop));
        }
        final int inner = RoomCommands.carriedOffset(offset);
        final int template = SchemaRules.templateId(source, inner);
        count("to a loop " + template);
        switch (template)
        {
            case SignalDecoder.TEMPLATE_ID ->
            {
                final SignalDecoder signal = new SignalDecoder().wrapAndApplyHeader(source, inner, header);
                if (0 == random.nextInt(3))
                {
                    later(1, loop, encoder.refusal(buffer, 0, signal.fromRoomId(), signal.correlationId(),
                        RefusalCode.UNKNOWN_ROOM.value()));
                }
            }
            case AskDecoder.TEMPLATE_ID ->
            {
                final AskDecoder ask = new AskDecoder().wrapAndApplyHeader(source, inner, header);
                later(1 + random.nextInt(LATE), loop, 0 == random.nextInt(4) ?
                    encoder.refusal(buffer, 0, ask.fromRoomId(), ask.correlationId(), RefusalCode.TIMED_OUT.value()) :
                    encoder.reply(buffer, 0, ask.fromRoomId(), ask.correlationId(), 0 == random.nextInt(3) ? 1_030 : 0,
                        ask.roomId(), payload, 0, 4));
            }
            case ReserveDecoder.TEMPLATE_ID ->
            {
                final ReserveDecoder reserve = new ReserveDecoder().wrapAndApplyHeader(source, inner, header);
                later(1, loop, encoder.reply(buffer, 0, reserve.fromRoomId(), reserve.correlationId(),
                    0 == random.nextInt(2) ? 0 : RefusalCode.ROOM_FULL.value(), payload, 0, 8));
            }
            default ->
            {
                // An answer.
            }
        }
    }

    void onRequest(final DirectBuffer source, final int offset, final int length)
    {
        if (OpenRoomDecoder.TEMPLATE_ID == SchemaRules.templateId(source, offset))
        {
            count("OpenRoom");
            source.getBytes(offset, buffer, 0, length);
            new OpenRoomEncoder().wrap(buffer, MessageHeaderDecoder.ENCODED_LENGTH)
                .roomId(CorpusText.roomId(LOOP, ++lastSerial)).seed(random.nextLong());
            later(1, NO_LOOP, length);
            if (0 == random.nextInt(4))
            {
                // Sent again, after a change of the leader.
                new OpenRoomEncoder().wrap(buffer, MessageHeaderDecoder.ENCODED_LENGTH)
                    .roomId(CorpusText.roomId(LOOP, ++lastSerial));
                later(3, NO_LOOP, length);
            }
            return;
        }
        final RequestDecoder request = new RequestDecoder().wrapAndApplyHeader(source, offset, header);
        final int service = request.serviceId();
        count("Request " + service);
        final long roomId = request.roomId();
        final long id = request.correlationId();
        switch (service)
        {
            case 1 -> later(1, NO_LOOP, encoder.reply(buffer, 0, roomId, id, 0, payload, 0, 6));
            case 2 -> later(LATE, NO_LOOP, encoder.reply(buffer, 0, roomId, id, 9, payload, 0, 0));
            case 3 -> later(1, NO_LOOP, encoder.refusal(buffer, 0, roomId, id, RefusalCode.UNKNOWN_SERVICE.value()));
            default -> later(5 * LATE, NO_LOOP, encoder.reply(buffer, 0, roomId, id, 0, payload, 0, 1));
        }
    }

    void onDirectory(final DirectBuffer source, final int offset, final int length)
    {
        if (SubscribeDecoder.TEMPLATE_ID == SchemaRules.templateId(source, offset))
        {
            count("Subscribe");
            final long subscriber = new SubscribeDecoder().wrapAndApplyHeader(source, offset, header).roomId();
            subscribers.add(subscriber);
            later(1, NO_LOOP, encoder.directoryEntry(
                buffer, 0, subscriber, 0, 0, 0, 0, 0, DirectoryChange.RESET, payload, 0, 0));
            for (final long roomId : rooms)
            {
                later(1, NO_LOOP, encoder.directoryEntry(
                    buffer, 0, subscriber, roomId, 1, 0, 3, 0, DirectoryChange.OPENED, payload, 0, 0));
            }
            return;
        }
        final DirectoryEntryDecoder entry = new DirectoryEntryDecoder().wrapAndApplyHeader(source, offset, header);
        count("DirectoryEntry " + entry.change());
        final Long subject = entry.subjectRoomId();
        if (DirectoryChange.OPENED == entry.change())
        {
            rooms.add(subject);
            versionByRoomMap.put(subject, openingVersion);
            lastSerial = Math.max(lastSerial, subject & 0xFFFF);
        }
        else if (DirectoryChange.CLOSED == entry.change())
        {
            rooms.remove(subject);
            subscribers.removeIf(subject::equals);
            places.removeIf((place) -> place.roomId == subject && 0 != random.nextInt(10));
        }
        if (!subscribers.isEmpty())
        {
            source.getBytes(offset, buffer, 0, length);
            buffer.putLong(MessageHeaderDecoder.ENCODED_LENGTH, subscribers.get(random.nextInt(subscribers.size())));
            later(1, NO_LOOP, length);
        }
    }
}
