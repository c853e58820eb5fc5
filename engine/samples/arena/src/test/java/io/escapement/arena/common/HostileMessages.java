package io.escapement.arena.common;

import io.escapement.arena.client.ArenaClient;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ClaimDecoder;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Fixed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Seeded messages of a client that breaks all rules, some of them valid by the schema. */
public final class HostileMessages
{
    private static final int ID = 20;
    private static final byte NEVER_IN_UTF8 = (byte)0xFF;

    private final SplittableRandom random;
    private final ArenaSender maker = new ArenaSender(this::keep);
    private byte[] made;

    /**
     * A source of them.
     *
     * @param random that decides.
     */
    public HostileMessages(final SplittableRandom random)
    {
        this.random = random;
    }

    /**
     * Anything, as it is or damaged.
     *
     * @param now the arena's time, about.
     * @return a message, perhaps.
     */
    public byte[] any(final long now)
    {
        final byte[] bytes = switch (random.nextInt(16))
        {
            case 0, 1, 2, 3, 4, 5, 6 -> arena(now);
            case 7, 8, 9, 10, 11, 12, 13 -> lobby();
            default -> noise();
        };
        return damaged(bytes);
    }

    /**
     * A message that an arena takes, with values as they come.
     *
     * @param now the arena's time, about.
     * @return a message of the schema.
     */
    public byte[] arena(final long now)
    {
        switch (random.nextInt(8))
        {
            case 0, 1 -> maker.claim(now - random.nextInt(4), number(), number(), number(), number());
            case 2, 3 -> maker.claim(now, random.nextInt(32 << 16), random.nextInt(24 << 16), 0, 0);
            case 4 -> maker.dash(number(), number());
            case 5 -> maker.melee(number(), number());
            case 6 -> maker.shoot(number(), number());
            default -> maker.roomChat(text(ArenaMessages.MAX_TEXT_LENGTH));
        }
        return made;
    }

    /**
     * A well-formed request that breaks the rules: too far, too fast, too soon, through a wall.
     *
     * @param player that is shown.
     * @return a message of the schema.
     */
    public byte[] cheat(final ArenaClient player)
    {
        final long now = player.world().subStep();
        final int reach = 1 << random.nextInt(21);
        final int x = player.x() + spread(reach);
        final int y = player.y() + spread(reach);
        switch (random.nextInt(8))
        {
            case 0, 1, 2 -> maker.claim(now, x, y, 0, 0);
            case 3 -> maker.claim(now - random.nextInt(200), x, y, 0, 0);
            case 4 -> maker.claim(
                now, player.x(), player.y(), spread(2 * ArenaRules.RUN_SPEED), spread(2 * ArenaRules.RUN_SPEED));
            case 5 -> maker.dash(spread(Fixed.UNIT), spread(Fixed.UNIT));
            case 6 -> maker.melee(spread(Fixed.UNIT), spread(Fixed.UNIT));
            default -> maker.shoot(spread(Fixed.UNIT), spread(Fixed.UNIT));
        }
        return made;
    }

    /**
     * A message that the lobby takes, with values as they come.
     *
     * @return a message of the schema.
     */
    public byte[] lobby()
    {
        switch (random.nextInt(11))
        {
            case 0 -> maker.lobbyChat(number(), text(ArenaMessages.MAX_TEXT_LENGTH));
            case 1 -> maker.createRoom(number(), text(ArenaMessages.MAX_NAME_LENGTH), random.nextInt(256),
                text(ArenaMessages.MAX_MAP_LENGTH), "");
            case 2, 3 -> maker.enterRoom(
                number(), random.nextInt(ID), random.nextInt(60), text(ArenaMessages.MAX_PASSWORD_LENGTH));
            case 4 -> maker.changeRoom(
                number(), random.nextInt(ID), text(ArenaMessages.MAX_NAME_LENGTH), text(ArenaMessages.MAX_NAME_LENGTH));
            case 5 -> maker.listRooms(number(), random.nextInt(65_536), text(ArenaMessages.MAX_NAME_LENGTH));
            case 6 -> maker.deleteCharacter(number(), random.nextInt(60));
            case 7 -> maker.createCharacter(number(), text(ArenaMessages.MAX_NAME_LENGTH));
            case 8 -> maker.deleteRoom(number(), random.nextInt(ID));
            case 9 -> maker.listLeaders(number());
            default -> maker.listCharacters(number());
        }
        return made;
    }

    /**
     * A header of any message of the schema, and random bytes.
     *
     * @return what no client would send.
     */
    public byte[] noise()
    {
        final byte[] bytes = new byte[8 + random.nextInt(128)];
        random.nextBytes(bytes);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putShort(0, (short)random.nextInt(64));
        buffer.putShort(2, (short)random.nextInt(70));
        buffer.putShort(4, (short)ClaimDecoder.SCHEMA_ID);
        buffer.putShort(6, (short)0);
        return bytes;
    }

    /**
     * The same, but for some bytes, for its length, for its header or for a text that is none.
     *
     * @param bytes a message, which is changed.
     * @return it, or as much as is left of it.
     */
    public byte[] damaged(final byte[] bytes)
    {
        switch (random.nextInt(16))
        {
            case 0, 1 -> bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            case 2 -> bytes[2 * random.nextInt(4)] += 1;
            case 3 -> bytes[bytes.length - 1] = NEVER_IN_UTF8;
            case 4 ->
            {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            case 5 ->
            {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8));
            }
            default ->
            {
            }
        }
        return bytes;
    }

    private String text(final int most)
    {
        return switch (random.nextInt(6))
        {
            case 0 -> "";
            case 1 -> "x".repeat(random.nextInt(most + 1));
            case 2 -> 0 == random.nextInt(2) ? "a bell: \u0007" : "y";
            case 3 -> "Arena " + random.nextInt(4);
            default -> "n" + random.nextInt(100_000);
        };
    }

    private int number()
    {
        return switch (random.nextInt(6))
        {
            case 0 -> Integer.MIN_VALUE;
            case 1 -> Integer.MAX_VALUE;
            case 2 -> 0;
            case 3 -> random.nextInt(20) - 10;
            case 4 -> spread(1 << 16);
            default -> random.nextInt();
        };
    }

    private int spread(final int most)
    {
        return random.nextInt(2 * most + 1) - most;
    }

    private void keep(final DirectBuffer buffer, final int offset, final int length)
    {
        made = new byte[length];
        buffer.getBytes(offset, made);
    }
}
