package io.escapement.server;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterDeletedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Creates, deletes and lists characters in the lobby, one request at a time, and records which were acknowledged. A
 * request that was refused because the database was unavailable may have been executed or not.
 */
@RealTime("a helper of a server that is killed")
final class CharacterKeeper
{
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST = 6;

    final List<Long> everCreated = new ArrayList<>();
    final Set<Long> existing = new TreeSet<>();
    final Set<Long> deleted = new TreeSet<>();
    /** Deletions without an acknowledgement: the character may exist or not. */
    private final Set<Long> unsure = new TreeSet<>();
    int unavailable;
    private final TestPlayer player;
    private final Random random;
    private final String name;
    private int made;
    private boolean isWaiting;
    private boolean isListWanted;
    private long deleting;
    private long nextNs;

    CharacterKeeper(final TestPlayer player, final String name, final long seed)
    {
        this.player = player;
        this.name = name;
        random = new Random(seed);
        nextNs = System.nanoTime();
    }

    TestPlayer player()
    {
        return player;
    }

    /** Send the next request once the last was answered. */
    void act(final boolean isActive)
    {
        if (isWaiting)
        {
            poll();
        }
        else if (isActive && System.nanoTime() - nextNs >= 0)
        {
            nextNs = System.nanoTime() + PAUSE_NS;
            request();
        }
    }

    boolean isWaiting()
    {
        return isWaiting;
    }

    private void request()
    {
        isWaiting = true;
        deleting = 0;
        if (isListWanted || 0 == random.nextInt(8))
        {
            player.to(LobbyRoom.ROOM_ID).listCharacters(++made);
        }
        else if (existing.size() >= MOST || existing.size() > 2 && random.nextBoolean())
        {
            deleting = existing.stream().skip(random.nextInt(existing.size())).findFirst().orElseThrow();
            player.to(LobbyRoom.ROOM_ID).deleteCharacter(++made, deleting);
        }
        else
        {
            player.to(LobbyRoom.ROOM_ID).createCharacter(++made, name + 'n' + made);
        }
    }

    private void poll()
    {
        final CharacterCreatedDecoder created = player.take(new CharacterCreatedDecoder());
        final CharacterDeletedDecoder removed = player.take(new CharacterDeletedDecoder());
        final CharacterListDecoder list = player.take(new CharacterListDecoder());
        final RefusedDecoder refused = player.take(new RefusedDecoder());
        isWaiting = null == created && null == removed && null == list && null == refused;
        if (null != created)
        {
            assertEquals(made, created.requestId());
            existing.add(created.characterId());
            everCreated.add(created.characterId());
        }
        if (null != removed)
        {
            assertEquals(deleting, removed.characterId());
            existing.remove(deleting);
            deleted.add(deleting);
        }
        if (null != list)
        {
            onList(list);
        }
        if (null != refused)
        {
            onRefused(refused.code());
        }
    }

    private void onList(final CharacterListDecoder list)
    {
        final Set<Long> listed = new TreeSet<>();
        for (final CharacterListDecoder.CharactersDecoder one : list.characters())
        {
            listed.add(one.characterId());
            one.skipName();
        }
        assertTrue(listed.containsAll(existing), () -> name + " has " + existing + ", and the list " + listed);
        assertTrue(listed.stream().noneMatch(deleted::contains), () -> name + " has deleted some of " + listed);
        // An unacknowledged creation counts as existing from now on; an unacknowledged deletion may still be executed.
        listed.removeAll(unsure);
        existing.addAll(listed);
        isListWanted = false;
    }

    private void onRefused(final ArenaCode code)
    {
        if (ArenaCode.CHARACTERS_UNAVAILABLE == code)
        {
            unavailable++;
            if (0 != deleting)
            {
                existing.remove(deleting);
                unsure.add(deleting);
            }
            isListWanted = true;
            return;
        }
        // Unacknowledged characters count towards the limit, too.
        assertEquals(ArenaCode.TOO_MANY_CHARACTERS, code, name);
        isListWanted = true;
    }
}
