package io.escapement.rooms.sync;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Every JDK, the interpreter and every later commit must send the same bytes. */
class GoldenTest
{
    private static final int EVENTS = 600;
    private static final int PLAYERS = 3;
    private static final String SHA_256 = "cf8a6c37b3cdbb37572338bff918e3bb19c9b1fe68b77badb704359eed8a85e4";

    @Test
    void shouldSendTheCommittedBytes() throws NoSuchAlgorithmException
    {
        final SplittableRandom random = new SplittableRandom(1);
        final SyncPlayers players = new SyncPlayers(SyncRoom.type(SyncRoom.VIEW_PER_SEAT, 64 * 1024), PLAYERS);
        for (int player = 0; player < PLAYERS; player++)
        {
            players.join(player);
        }
        players.apply(Op.of(Op.Kind.ADD, SyncRoom.SHIPS, 0, 0, 0));
        for (int event = 0; event < EVENTS; event++)
        {
            switch (random.nextInt(8))
            {
                case 0 -> players.apply(Op.of(Op.Kind.ADD, SyncRoom.SHIPS, 0, 0, 0));
                case 1 -> players.apply(Op.of(Op.Kind.SET_DOUBLE, SyncRoom.Y, 0, 0,
                    Double.doubleToLongBits(Math.sqrt(event))));
                case 2 -> players.apply(Op.of(Op.Kind.LOOK, random.nextInt(400), random.nextInt(300),
                    random.nextInt(PLAYERS), random.nextInt(200)));
                case 3 -> players.apply(
                    Op.of(Op.Kind.SET, SyncRoom.GOLD, random.nextInt(PLAYERS), 0, random.nextLong()));
                case 4 -> players.stateLost(random.nextInt(PLAYERS));
                default ->
                {
                    players.apply(Op.of(Op.Kind.SET, SyncRoom.ROUND, 0, 0, event));
                    players.frame();
                }
            }
        }
        assertEquals(List.of(), players.rig.failures);
        final MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        for (int player = 0; player < PLAYERS; player++)
        {
            players.received(player).forEach(sha256::update);
        }
        assertEquals(SHA_256, HexFormat.of().formatHex(sha256.digest()));
    }
}
