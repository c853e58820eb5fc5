package io.escapement.rooms;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CorpusRoom.Callback;
import io.escapement.rooms.CorpusScenes.Act;
import io.escapement.rooms.CorpusScenes.Scene;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Writes the files of the corpus to the directory that the property {@code escapement.corpus.write} names. Each is
 * written once, when it is added, by seeded commands and a {@link CorpusWorld} that answers: a file that is there stays
 * as it is.
 */
class CorpusWriter
{
    private static final String PROPERTY = "escapement.corpus.write";
    private static final int SNAPSHOT_EVERY = 19;
    private static final int LINKS = 4;
    private static final long MS = 1_000_000;

    private final Map<String, Integer> countByEventMap = new TreeMap<>();
    private CorpusWorld world;
    private SplittableRandom random;
    private List<byte[]> commands;
    private long nowNs;
    private long requestId;
    private long lastPlayer;
    private long lastJoinRoom;
    private int lastJoinLink;
    private int incarnation;
    private CorpusOrder[] orders;
    private int roomLimit;
    private long asked;

    @Test
    @EnabledIfSystemProperty(named = PROPERTY, matches = ".+")
    void shouldWriteFilesThatAreMissing() throws IOException
    {
        final Path directory = Path.of(System.getProperty(PROPERTY));
        final List<String> names = new ArrayList<>();
        for (final Scene scene : CorpusScenes.all())
        {
            names.add(scene.name());
            final String text = write(scene);
            final Path path = directory.resolve(scene.name() + ".txt");
            if (!Files.exists(path))
            {
                Files.writeString(path, text, StandardCharsets.US_ASCII);
            }
        }
        assertEquals(CorpusFile.NAMES, names);
        Files.writeString(Path.of("target", "corpus-counts.txt"), countByEventMap.toString().replace(", ", "\n"));
    }

    private String write(final Scene scene)
    {
        begin(scene);
        final String first = "host loop=" + CorpusWorld.LOOP + " loops=" + CorpusWorld.LOOPS + " links=" + LINKS +
            " phases=3 epoch=1700000000000 " + scene.options();
        final CorpusHost host = new CorpusHost(CorpusFile.options(first), world);
        final StringBuilder text = new StringBuilder(first).append('\n');
        for (int turn = 1; turn <= scene.turns(); turn++)
        {
            world.turn = turn;
            commands = world.arrivals();
            script(scene, turn);
            if (turn > 3)
            {
                for (int i = random.nextInt(5) - 1; i > 0; i--)
                {
                    act(scene.acts().get(random.nextInt(scene.acts().size())));
                }
            }
            keepAlive(turn);
            final boolean isHeld = 0 == random.nextInt(12);
            final long timeNs = time();
            text.append("t ").append(timeNs).append(isHeld ? " hold\n" : "\n");
            commands.forEach((command) -> text.append("c ").append(hex(command)).append('\n'));
            host.turn(timeNs, isHeld, commands).forEach((line) -> text.append(line).append('\n'));
            if (0 == turn % SNAPSHOT_EVERY && host.isSent())
            {
                text.append(host.snapshot()).append('\n');
            }
        }
        world.countByEventMap.forEach((event, count) -> countByEventMap.merge(event, count, Integer::sum));
        host.observer.countByCallbackMap.forEach(
            (callback, count) -> countByEventMap.merge("callback " + callback, count, Integer::sum));
        return text.toString();
    }

    private static String hex(final byte[] command)
    {
        return CorpusText.hex(new UnsafeBuffer(command), 0, command.length);
    }

    private void begin(final Scene scene)
    {
        world = new CorpusWorld(scene.name().hashCode(), LINKS);
        random = world.random;
        nowNs = 0;
        requestId = 0;
        lastPlayer = 0;
        incarnation = 0;
        orders = scene.orders();
        roomLimit = "limits".equals(scene.name()) ? 4 : 9;
    }

    /** Mostly the pace of a busy loop; sometimes the same time, a stall, or a clock that steps back. */
    private long time()
    {
        final int pace = random.nextInt(40);
        nowNs += 0 == pace ? 0 : pace < 37 ? random.nextLong(7_000_000) : random.nextLong(200_000_000);
        return 39 == pace ? Math.max(0, nowNs - 250_000_000) : nowNs;
    }

    private void script(final Scene scene, final int turn)
    {
        if (1 == turn)
        {
            for (int link = 0; link < LINKS - 1; link++)
            {
                add(world.encoder.linkUp(world.buffer, 0, 100 + link, link));
            }
        }
        else if (2 == turn)
        {
            openFirst(scene.name());
        }
        else if (3 == turn)
        {
            for (int i = 0; i < 6; i++)
            {
                act("joins".equals(scene.name()) ? Act.JOIN_LATER : Act.JOIN);
            }
        }
        switch (scene.name())
        {
            case "loops" -> world.takenAfter = turn > 60 && turn < 90 ? -1 : 2;
            case "end" -> end(turn);
            case "faults" ->
            {
                if (0 == turn % 8)
                {
                    everyBomb(turn / 8);
                }
            }
            case "joins" -> decideAndClose(turn);
            case "output" ->
            {
                if (0 == turn % 20 && !world.rooms.isEmpty())
                {
                    // Its rooms lose states in answer to the notice of a lost state, for a while.
                    final long roomId = world.rooms.get(turn / 20 % world.rooms.size());
                    signal(roomId, CorpusOrder.KEEP_OPEN, 1, 0, 0, 1);
                    signal(roomId, CorpusOrder.FLOOD_STATES, 0, 40, 0, 1);
                }
                if (10 == turn % 20)
                {
                    world.rooms.forEach((roomId) -> signal(roomId, CorpusOrder.KEEP_OPEN, 0, 0, 0, 1));
                }
            }
            case "services" ->
            {
                if (30 == turn % 50)
                {
                    // More refusals than can wait.
                    signal(room(), CorpusOrder.ASYNC, 1, 1, 5, 80);
                }
            }
            case "returns" -> returns(turn);
            default ->
            {
                // Its acts are enough.
            }
        }
    }

    private void end(final int turn)
    {
        if (60 == turn)
        {
            act(Act.RESUMED);
            act(Act.LINK_UP);
        }
        if (97 == turn)
        {
            asked = CorpusText.roomId(CorpusWorld.LOOP, ++world.lastSerial);
            open(asked, CorpusTypes.LOBBY);
        }
        if (98 == turn || 99 == turn)
        {
            // Both wait when the host drains.
            join(asked, 60 + turn, 98 == turn ? 0 : 1, 1);
        }
        if (100 == turn)
        {
            act(Act.DRAIN);
        }
    }

    private void returns(final int turn)
    {
        if (0 == turn % 20)
        {
            // Together they are longer than the queue.
            signal(room(), CorpusOrder.SIGNAL, 1, 2, 1_900, 4);
        }
        if (10 == turn % 15 && world.rooms.size() > 2)
        {
            // It closes before it answers.
            asked = world.rooms.get(1);
            signal(world.rooms.get(0), CorpusOrder.ASK, 1, (int)(asked & 0xFF), 0x8000 + 9_000, 1);
            world.payload.putByte(0, (byte)2);
            add(world.encoder.ask(
                world.buffer, 0, asked, 0, ++requestId, 1_000 * MS, world.payload, 0, 2));
        }
        if (12 == turn % 15 && turn > 15)
        {
            add(world.encoder.closeRoom(world.buffer, 0, asked, 0 == turn % 2 ? 0 : 1_050));
        }
    }

    /** A join waits, and its room decides and closes in one callback. */
    private void decideAndClose(final int turn)
    {
        if (19 == turn % 30)
        {
            asked = CorpusText.roomId(CorpusWorld.LOOP, ++world.lastSerial);
            open(asked, CorpusTypes.LOBBY);
        }
        else if (20 == turn % 30)
        {
            join(asked, 80 + turn, world.link(), 1);
            join(asked, 81 + turn, world.link(), 1);
        }
        else if (21 == turn % 30)
        {
            int length = CorpusOrder.DECIDE.write(world.payload, 0, turn % 4, 9, 0);
            length += CorpusOrder.CLOSE.write(world.payload, length, 0, 7, 0);
            add(world.encoder.signal(world.buffer, 0, asked, 0, 0, world.payload, 0, length));
        }
    }

    /** Rooms, links and players end in many ways, and a file of refusals alone would be of no use. */
    private void keepAlive(final int turn)
    {
        if (turn < 5 || 0 != turn % 4)
        {
            return;
        }
        final int link = turn / 4 % LINKS;
        if (!world.isUp[link])
        {
            add(0 == random.nextInt(3) ? world.encoder.linkResumed(world.buffer, 0, 100 + link, link, link) :
                world.encoder.linkUp(world.buffer, 0, 100 + link, link));
        }
        if (world.rooms.size() < 3)
        {
            act(Act.OPEN);
        }
        if (world.places.size() < 3)
        {
            act(Act.JOIN);
        }
    }

    private void openFirst(final String name)
    {
        final int[] types = switch (name)
        {
            case "sync" -> new int[]{CorpusTypes.RAID, CorpusTypes.RAID};
            case "reservations" -> new int[]{CorpusTypes.VAULT, CorpusTypes.DUEL, CorpusTypes.VAULT};
            case "reload" -> new int[]{CorpusTypes.DUEL, CorpusTypes.DUEL, CorpusTypes.DUEL};
            case "limits" -> new int[]{CorpusTypes.DUEL};
            case "joins" -> new int[]{CorpusTypes.DUEL, CorpusTypes.DUEL, CorpusTypes.LOBBY, CorpusTypes.RAID};
            default -> new int[]{CorpusTypes.DUEL, CorpusTypes.LOBBY, CorpusTypes.RAID, CorpusTypes.DUEL,
                CorpusTypes.VAULT};
        };
        for (final int type : types)
        {
            open(CorpusText.roomId(CorpusWorld.LOOP, ++world.lastSerial), type);
        }
    }

    /** A room gets the order to throw in a callback, each in its turn, and then a command that runs this callback. */
    private void everyBomb(final int number)
    {
        final Callback callback = Callback.values()[number % Callback.RESTORE.ordinal()];
        final long roomId = room();
        signal(roomId, CorpusOrder.BOMB, callback.ordinal(), random.nextInt(3), 0, 1);
        switch (callback)
        {
            case ASK -> act(Act.ASK);
            case WATCH_REQUEST -> act(Act.WATCH);
            case LEAVE -> act(Act.LEAVE);
            case DIRECTORY -> act(Act.DIRECTORY);
            case STATE_LOST -> act(Act.STATE_LOST);
            case CLOSE -> add(world.encoder.closeRoom(world.buffer, 0, roomId));
            case AWAY, BACK -> act(Act.LINK_DOWN);
            default -> act(Act.JOIN);
        }
    }

    private void add(final int length)
    {
        commands.add(world.bytes(length));
    }

    private long room()
    {
        return world.rooms.isEmpty() || 0 == random.nextInt(30) ?
            CorpusText.roomId(CorpusWorld.LOOP, 1 + random.nextInt(12)) :
            world.rooms.get(random.nextInt(world.rooms.size()));
    }

    private CorpusWorld.Place place()
    {
        return world.places.get(random.nextInt(world.places.size()));
    }

    private void open(final long roomId, final int type)
    {
        final CorpusOrder order = 0 == random.nextInt(3) ? CorpusOrder.RANDOM : CorpusOrder.NOTHING;
        final int length = order.write(world.payload, 0, 0, 0, 9);
        add(world.encoder.openRoom(
            world.buffer, 0, roomId, random.nextLong(), 0, 0, type, world.payload, 0, length));
    }

    private void signal(
        final long roomId, final CorpusOrder order, final int x, final int y, final int z, final int times)
    {
        int length = 0;
        for (int i = 0; i < times; i++)
        {
            length += order.write(world.payload, length, x, y, z);
        }
        add(world.encoder.signal(world.buffer, 0, roomId, 0, 0, world.payload, 0, length));
    }

    private int someOrders()
    {
        int length = 0;
        for (int i = random.nextInt(3); i >= 0; i--)
        {
            length += someOrder(length, orders[random.nextInt(orders.length)]);
        }
        return length;
    }

    private int someOrder(final int offset, final CorpusOrder order)
    {
        int x = random.nextInt(6);
        int y = random.nextInt(20);
        int z = random.nextInt(900);
        switch (order)
        {
            case SIGNAL, ASK, RESERVE, RELEASE ->
            {
                x = random.nextInt(4) < 2 ? CorpusWorld.LOOP : random.nextInt(4);
                y = 1 + random.nextInt((int)Math.max(6, world.lastSerial));
                z = CorpusOrder.SIGNAL == order ? (0 == random.nextInt(4) ? 1_800 : random.nextInt(40)) +
                    (random.nextBoolean() ? 0x8000 : 0) : CorpusOrder.ASK == order ?
                    (random.nextInt(4) << 14) + random.nextInt(1_500) : random.nextInt(65_536);
            }
            case FLOOD_EVENTS, FLOOD_STATES -> y = random.nextInt(16);
            case KICK -> x = random.nextInt(4);
            case LOCK -> x = random.nextInt(4) / 3;
            case RATE -> z = new int[]{0, 7, 30, 60, 100, 144}[x];
            case ASYNC -> z = random.nextInt(30);
            case OPEN_ROOM ->
            {
                x = 1 + random.nextInt(5);
                y = 5 * random.nextInt(2);
            }
            case BOMB ->
            {
                x = random.nextInt(Callback.RESTORE.ordinal());
                y = random.nextInt(3);
            }
            case CLOSE -> y = random.nextInt(2) * y;
            default ->
            {
                // Anything.
            }
        }
        return order.write(world.payload, offset, x, y, z);
    }

    private void act(final Act act)
    {
        if (act.ordinal() <= Act.CANCEL.ordinal())
        {
            join(act);
        }
        else if (act.ordinal() <= Act.SEAT_DOWN.ordinal())
        {
            play(act);
        }
        else if (act.ordinal() <= Act.LOCK_TYPE.ordinal())
        {
            manage(act);
        }
        else if (act.ordinal() <= Act.RESUMED.ordinal())
        {
            operate(act);
        }
        else
        {
            otherLoop(act);
        }
    }

    private void join(final Act act)
    {
        final int link = world.link();
        switch (act)
        {
            case OPEN ->
            {
                if (world.rooms.size() < roomLimit)
                {
                    open(CorpusText.roomId(CorpusWorld.LOOP, ++world.lastSerial),
                        0 == random.nextInt(8) ? CorpusTypes.VAULT : 1 + random.nextInt(CorpusTypes.RAID));
                }
            }
            case OPEN_ODD ->
            {
                open(0 == random.nextInt(3) ? room() :
                    CorpusText.roomId(CorpusWorld.LOOP, ++world.lastSerial), random.nextInt(6));
                // More seats than the type has, or fewer.
                new OpenRoomEncoder().wrap(new UnsafeBuffer(commands.get(commands.size() - 1)),
                    MessageHeaderDecoder.ENCODED_LENGTH).seatLimit(random.nextInt(5));
            }
            case CLOSE ->
            {
                if (0 == random.nextInt(3))
                {
                    add(world.encoder.closeRoom(world.buffer, 0, room(), random.nextInt(2) * 1_033));
                }
            }
            case JOIN -> join(room(), 1 + random.nextInt(40), link, 0);
            case JOIN_LATER -> join(room(), 1 + random.nextInt(40), link, 1);
            case JOIN_ODD -> join(room(), 1 + random.nextInt(40), link, 2 + random.nextInt(4));
            case WATCH -> add(world.encoder.join(world.buffer, 0, room(), 1 + random.nextInt(60), ++requestId, link,
                true, world.payload, 0, random.nextInt(3)));
            case REJOIN ->
            {
                if (random.nextBoolean())
                {
                    join(lastJoinRoom, lastPlayer, lastJoinLink, random.nextInt(2));
                }
                else if (!world.places.isEmpty())
                {
                    final CorpusWorld.Place place = place();
                    join(place.roomId, place.playerId, random.nextBoolean() ? link : place.link, 0);
                }
            }
            default -> add(world.encoder.cancelJoin(world.buffer, 0, lastJoinRoom, lastPlayer, requestId,
                0 == random.nextInt(4) ? link : lastJoinLink));
        }
    }

    private void join(final long roomId, final long playerId, final int link, final int mode)
    {
        lastJoinRoom = roomId;
        lastPlayer = playerId;
        lastJoinLink = link;
        world.payload.putByte(0, (byte)mode);
        world.payload.putByte(1, (byte)7);
        add(world.encoder.join(world.buffer, 0, roomId, playerId, ++requestId, link, world.payload, 0,
            0 == mode ? 0 : 1 + random.nextInt(2)));
    }

    private void play(final Act act)
    {
        final int link = random.nextInt(LINKS);
        if (Act.LINK_UP == act && world.isUp[link] && 0 != random.nextInt(8))
        {
            // It would be refused.
            join(Act.JOIN);
        }
        else if (Act.LINK_UP == act)
        {
            add(world.encoder.linkUp(world.buffer, 0, 100 + link, link));
        }
        else if (Act.LINK_DOWN == act)
        {
            if (0 == random.nextInt(3))
            {
                add(world.encoder.linkDown(world.buffer, 0, link));
            }
        }
        else if (Act.LINK_RESUMED == act)
        {
            final int previous = random.nextInt(LINKS);
            add(world.encoder.linkResumed(
                world.buffer, 0, 100 + previous, random.nextBoolean() ? previous : link, previous));
        }
        else if (world.places.isEmpty())
        {
            join(Act.JOIN);
        }
        else
        {
            play(act, place());
        }
    }

    private void play(final Act act, final CorpusWorld.Place place)
    {
        switch (act)
        {
            case MESSAGE ->
            {
                final int length = someOrders();
                add(world.encoder.message(world.buffer, 0, place.roomId, ++place.sequence, place.seatIndex,
                    place.generation, place.link, world.payload, 0, length));
            }
            case ODD_MESSAGE ->
            {
                final int length = someOrders();
                final int odd = random.nextInt(5);
                add(world.encoder.message(world.buffer, 0, place.roomId, 2 == odd ? place.sequence : place.sequence + 1,
                    4 == odd ? 99 : place.seatIndex, place.generation + (0 == odd ? 1 : 0),
                    1 == odd ? random.nextInt(LINKS) : place.link, world.payload, 0, 3 == odd ? length - 1 : length));
                if (3 == odd)
                {
                    place.sequence++;
                }
            }
            case LEAVE -> add(world.encoder.leave(world.buffer, 0, place.roomId, place.seatIndex, place.generation,
                0 == random.nextInt(6) ? random.nextInt(LINKS) : place.link, random.nextInt(2) * 1_040));
            case KICK -> add(world.encoder.kick(world.buffer, 0, place.roomId,
                0 == random.nextInt(5) ? 77 : place.playerId, random.nextInt(2) * random.nextInt(2_000)));
            default -> add(world.encoder.seatDown(world.buffer, 0, place.roomId, place.seatIndex, place.generation,
                0 == random.nextInt(5) ? random.nextInt(LINKS) : place.link));
        }
    }

    private void manage(final Act act)
    {
        final long roomId = room();
        switch (act)
        {
            case RESERVE -> add(world.encoder.reserve(world.buffer, 0, roomId, 1 + random.nextInt(40),
                0 == random.nextInt(4) ? 0 : random.nextLong(200 * MS),
                random.nextBoolean() ? 0 : room(), 1_000 + requestId));
            case SIGNAL -> add(world.encoder.signal(world.buffer, 0, roomId, 0, 0, world.payload, 0, someOrders()));
            case ASK ->
            {
                world.payload.putByte(0, (byte)random.nextInt(4));
                add(world.encoder.ask(world.buffer, 0, roomId, 0, ++requestId, 1 + random.nextLong(90 * MS),
                    world.payload, 0, random.nextInt(4)));
            }
            case STATE_LOST ->
            {
                if (!world.places.isEmpty())
                {
                    final CorpusWorld.Place place = place();
                    add(random.nextBoolean() ?
                        world.encoder.stateLost(world.buffer, 0, place.roomId, place.seatIndex, place.generation) :
                        world.encoder.stateLost(world.buffer, 0, place.roomId, place.seatIndex,
                            place.generation, random.nextInt(3) == 0 ? random.nextInt(LINKS) : place.link));
                }
            }
            case LINK_STATE_LOST -> add(world.encoder.linkStateLost(world.buffer, 0, random.nextInt(LINKS)));
            case SET_RATE -> add(world.encoder.setRate(
                world.buffer, 0, random.nextInt(6), new int[]{0, 0, 8, 15, 30, 60}[random.nextInt(6)]));
            case LOCK_ROOM -> add(world.encoder.lockRoom(world.buffer, 0, roomId, 0 == random.nextInt(4)));
            default -> add(world.encoder.lockType(world.buffer, 0, random.nextInt(6), 0 == random.nextInt(5)));
        }
    }

    private void operate(final Act act)
    {
        switch (act)
        {
            case STALE_ANSWER -> add(random.nextBoolean() ?
                world.encoder.reply(world.buffer, 0, room(), random.nextInt(20), 3, world.payload, 0, 4) :
                world.encoder.refusal(
                    world.buffer, 0, room(), random.nextInt(20), RefusalCode.QUEUE_FULL.value()));
            case DIRECTORY -> add(world.encoder.directoryEntry(world.buffer, 0, room(),
                room(), 1, 2, 3, random.nextInt(3), DirectoryChange.get((short)random.nextInt(5)), world.payload, 0,
                random.nextInt(9)));
            case RELOAD ->
            {
                final long roomId = room();
                final int from = 0 == random.nextInt(8) ? 2 : world.versionByRoomMap.getOrDefault(roomId, 1);
                add(world.encoder.reload(world.buffer, 0, roomId, 0 == random.nextInt(8) ? 2 : 1, from,
                    2 + random.nextInt(4)));
            }
            case RELOAD_TYPE ->
            {
                if (0 == random.nextInt(4))
                {
                    add(world.encoder.reload(world.buffer, 0, 0, 1, 1, 2));
                }
            }
            default ->
            {
                // Rarely: all links are down after it.
                if (0 == random.nextInt(4) || 0 == incarnation)
                {
                    incarnation++;
                    add(world.encoder.hostResumed(
                        world.buffer, 0, 1_700_000_100_000L + incarnation, incarnation, incarnation % 3));
                    for (int link = 0; link < 2; link++)
                    {
                        add(random.nextBoolean() ? world.encoder.linkUp(world.buffer, 0, 100 + link, link) :
                            world.encoder.linkResumed(world.buffer, 0, 100 + link, link, link));
                    }
                }
            }
        }
    }

    private void otherLoop(final Act act)
    {
        final int loop = random.nextInt(2) * 2;
        final long from = CorpusText.roomId(loop, 1 + random.nextInt(3));
        switch (act)
        {
            case LOOP_SIGNAL ->
            {
                world.payload.putByte(0, (byte)(random.nextBoolean() ? CorpusRoom.ECHO : 0));
                commands.add(world.fromLoop(loop, world.bytes(world.encoder.signal(
                    world.buffer, 0, room(), from, ++requestId, world.payload, 0, 1 + random.nextInt(9)))));
            }
            case LOOP_ASK ->
            {
                world.payload.putByte(0, (byte)random.nextInt(4));
                commands.add(world.fromLoop(loop, world.bytes(world.encoder.ask(world.buffer, 0, room(), from,
                    ++requestId, 1 + random.nextLong(90 * MS), world.payload, 0, 1 + random.nextInt(3)))));
            }
            case LOOP_RESERVE -> commands.add(world.fromLoop(loop, world.bytes(world.encoder.reserve(world.buffer, 0,
                room(), 1 + random.nextInt(40), random.nextLong(100 * MS), from, ++requestId))));
            case LOOP_ODD ->
            {
                final byte[] inner = world.bytes(world.encoder.signal(
                    world.buffer, 0, room(), from, ++requestId, world.payload, 0, 3));
                final int odd = random.nextInt(4);
                commands.add(odd < 2 ? world.repeated(loop) : 2 == odd ?
                    world.fromLoop(loop, world.lastNumbers[loop] + 3, inner) : world.fromLoop(1, 1, inner));
            }
            case TAKEN_ODD -> add(world.encoder.taken(
                world.buffer, 0, random.nextInt(4) * 10, random.nextInt(4)));
            case DRAIN -> add(world.encoder.drain(world.buffer, 0, nowNs + 100 * MS));
            default ->
            {
                final int length = world.encoder.kick(world.buffer, 0, room(), 7);
                // Not in the header, whose versions may change.
                final int at = MessageHeaderDecoder.ENCODED_LENGTH + random.nextInt(length - 8);
                world.buffer.putByte(at, (byte)random.nextInt(256));
                add(random.nextBoolean() ? length : random.nextInt(length + 8));
            }
        }
    }
}
