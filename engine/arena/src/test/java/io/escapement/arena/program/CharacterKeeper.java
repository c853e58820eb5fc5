package io.escapement.arena.program;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterDeletedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Makes, deletes and lists characters in the lobby, one request after the other, and knows what was acknowledged. What
 * was refused because the database was away may have been done all the same, or not.
 */
final class CharacterKeeper
{
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST = 6;

    final List<Long> everCreated = new ArrayList<>();
    final Set<Long> there = new TreeSet<>();
    final Set<Long> deleted = new TreeSet<>();
    /** What was to be deleted, and nobody knows. */
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

    /** Ask for the next thing when the last was answered. */
    void act(final boolean isToGoOn)
    {
        if (isWaiting)
        {
            hear();
        }
        else if (isToGoOn && System.nanoTime() - nextNs >= 0)
        {
            nextNs = System.nanoTime() + PAUSE_NS;
            ask();
        }
    }

    boolean isWaiting()
    {
        return isWaiting;
    }

    private void ask()
    {
        isWaiting = true;
        deleting = 0;
        if (isListWanted || 0 == random.nextInt(8))
        {
            player.to(ArenaServer.LOBBY_ROOM_ID).listCharacters(++made);
        }
        else if (there.size() >= MOST || there.size() > 2 && random.nextBoolean())
        {
            deleting = there.stream().skip(random.nextInt(there.size())).findFirst().orElseThrow();
            player.to(ArenaServer.LOBBY_ROOM_ID).deleteCharacter(++made, deleting);
        }
        else
        {
            player.to(ArenaServer.LOBBY_ROOM_ID).createCharacter(++made, name + 'n' + made);
        }
    }

    private void hear()
    {
        final CharacterCreatedDecoder created = player.take(new CharacterCreatedDecoder());
        final CharacterDeletedDecoder gone = player.take(new CharacterDeletedDecoder());
        final CharacterListDecoder list = player.take(new CharacterListDecoder());
        final RefusedDecoder refused = player.take(new RefusedDecoder());
        isWaiting = null == created && null == gone && null == list && null == refused;
        if (null != created)
        {
            assertEquals(made, created.requestId());
            there.add(created.characterId());
            everCreated.add(created.characterId());
        }
        if (null != gone)
        {
            assertEquals(deleting, gone.characterId());
            there.remove(deleting);
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
        assertTrue(listed.containsAll(there), () -> name + " has " + there + ", and the list " + listed);
        assertTrue(listed.stream().noneMatch(deleted::contains), () -> name + " has deleted some of " + listed);
        // What was made and not acknowledged is like all others from now on; what was deleted so may go yet.
        listed.removeAll(unsure);
        there.addAll(listed);
        isListWanted = false;
    }

    private void onRefused(final ArenaCode code)
    {
        if (ArenaCode.CHARACTERS_UNAVAILABLE == code)
        {
            unavailable++;
            if (0 != deleting)
            {
                there.remove(deleting);
                unsure.add(deleting);
            }
            isListWanted = true;
            return;
        }
        // Those that nobody acknowledged take places, too.
        assertEquals(ArenaCode.TOO_MANY_CHARACTERS, code, name);
        isListWanted = true;
    }
}
