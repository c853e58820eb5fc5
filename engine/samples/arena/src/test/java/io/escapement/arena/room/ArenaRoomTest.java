package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ChangeArenaEncoder;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.ClosingDecoder;
import io.escapement.arena.codecs.CorrectionDecoder;
import io.escapement.arena.codecs.DeleteArenaEncoder;
import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.FullStateDecoder;
import io.escapement.arena.codecs.GoneDecoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.codecs.WelcomeDecoder;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.common.Received;
import io.escapement.arena.simulation.Refusal;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static io.escapement.arena.common.Received.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ArenaRoomTest
{
    private static final long SECOND = 1_000_000_000L;
    /** Frames within which a full state follows a loss. */
    private static final int FULL_STATE_FRAMES = 17;

    private ArenaBench arena = new ArenaBench(16);

    @AfterEach
    void shouldReplayToTheSame()
    {
        arena.assertReplaysToTheSame();
    }

    @Test
    void shouldWelcomeAPlayer()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        assertEquals(1, Received.last(bob.seat, new WelcomeDecoder()).playerIndex());
        assertEquals(2, Received.count(bob.seat, EnteredDecoder.TEMPLATE_ID));
        assertEquals(2, Received.count(ann.seat, EnteredDecoder.TEMPLATE_ID));
        assertEquals(2, ann.client.playerId(1));
        assertEquals(1, bob.client.stats().fullStates());
        assertTrue(bob.client.world().isLiving(0) && bob.client.world().isLiving(1));
        assertTrue(ann.client.canAct() && bob.client.canAct());
        assertWorldsAreEqual();
    }

    @Test
    void shouldAdmitGuestsOnly()
    {
        final ArenaBench.Player ann = arena.player(1);
        ann.sit();
        assertEquals(List.of(RefusalCode.NOT_RESERVED.value()), ann.seat.refusals());
        arena.letIn(2, 2);
        // A reservation is valid for its player only.
        ann.sit();
        assertEquals(List.of(RefusalCode.NOT_RESERVED.value()), ann.seat.refusals());
        // The seat is reserved, but the lobby has not announced the player.
        arena.reserve(1);
        ann.sit();
        assertEquals(List.of(ArenaCode.NOT_A_GUEST.value()), ann.seat.refusals());
        // The announcement has expired.
        arena.letIn(1, ann.characterId);
        arena.bench.runFor(Guests.EXPIRY_NS + SECOND);
        arena.reserve(1);
        ann.sit();
        assertEquals(List.of(ArenaCode.NOT_A_GUEST.value()), ann.seat.refusals());
    }

    @Test
    void shouldStepExactlyAtEveryRate()
    {
        arena.player(1).join();
        int slowest = 60;
        for (final int rate : new int[] {60, 30, 15, 8, 60, 7, 50})
        {
            // The first frame at a new rate makes up for the last one at the old.
            final int slower = Math.min(slowest, rate);
            slowest = rate;
            arena.rate(rate);
            final long atNs = arena.bench.host().nowNs();
            final long at = arena.room().simulation().subStep();
            arena.bench.runFor(60 * SECOND);
            final double seconds = (arena.bench.host().nowNs() - atNs) / 1e9;
            assertEquals(120 * seconds, arena.room().simulation().subStep() - at, 120.0 / slower + 1, "rate " + rate);
        }
    }

    @Test
    void shouldStepEvenly()
    {
        arena.player(1).join();
        arena.bench.step(1);
        for (final int rate : new int[] {60, 30, 15, 8})
        {
            arena.rate(rate);
            arena.bench.step(2);
            for (int i = 0; i < 100; i++)
            {
                final long before = arena.room().simulation().subStep();
                arena.bench.step(1);
                assertEquals(120 / rate, arena.room().simulation().subStep() - before, "rate " + rate);
            }
        }
    }

    @Test
    void shouldSendAFullStateAfterAReturnAndAfterLostState()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(10);
        arena.stateLost(ann);
        arena.play(FULL_STATE_FRAMES);
        assertEquals(2, Received.count(ann.seat, FullStateDecoder.TEMPLATE_ID));
        assertEquals(1, Received.count(bob.seat, FullStateDecoder.TEMPLATE_ID));
        bob.seat.disconnect();
        bob.client.onAway();
        arena.play(30);
        bob.sit();
        arena.play(2);
        assertEquals(1, bob.seat.index());
        assertEquals(1, Received.count(bob.seat, FullStateDecoder.TEMPLATE_ID));
        assertTrue(bob.client.canAct());
        assertEquals(1, bob.client.playerId(0));
        assertWorldsAreEqual();
    }

    @Test
    void shouldRecoverAfterLostStates()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(5);
        bob.client.run(-1, -1);
        ann.isLossy = true;
        arena.play(3);
        ann.isLossy = false;
        final long before = ann.client.stats().deltas();
        arena.play(3);
        assertEquals(1, ann.client.stats().gaps());
        assertEquals(before, ann.client.stats().deltas());
        arena.stateLost(ann);
        arena.play(FULL_STATE_FRAMES);
        assertTrue(ann.client.stats().deltas() > before);
        assertWorldsAreEqual();
    }

    @Test
    void shouldSendDeltasToAllAndAFullStateToASeatThatLostState()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(5);
        arena.stateLost(ann);
        final long before = Received.count(ann.seat, DeltaDecoder.TEMPLATE_ID);
        final long beforeBob = Received.count(bob.seat, DeltaDecoder.TEMPLATE_ID);
        int waited = 0;
        while (Received.count(ann.seat, FullStateDecoder.TEMPLATE_ID) < 2)
        {
            assertTrue(++waited <= FULL_STATE_FRAMES);
            // Further losses before the full state are covered by it.
            arena.stateLost(ann);
            arena.play(1);
        }
        arena.play(FULL_STATE_FRAMES);
        assertEquals(before + waited + FULL_STATE_FRAMES, Received.count(ann.seat, DeltaDecoder.TEMPLATE_ID));
        assertEquals(beforeBob + waited + FULL_STATE_FRAMES, Received.count(bob.seat, DeltaDecoder.TEMPLATE_ID));
        assertEquals(1, Received.count(bob.seat, FullStateDecoder.TEMPLATE_ID));
        assertEquals(2, Received.count(ann.seat, FullStateDecoder.TEMPLATE_ID));
        assertEquals(0, ann.client.stats().gaps());
        assertWorldsAreEqual();
    }

    @Test
    void shouldMoveAPlayerWhereItsClientShowsIt()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        final int from = ann.client.x();
        ann.client.run(1, 0);
        arena.play(30);
        assertTrue(ann.client.x() > from);
        assertEquals(ann.client.x(), arena.room().simulation().players().x(0));
        assertTrue(ann.client.dash(0, 1));
        assertFalse(ann.client.dash(0, 1));
        arena.play(60);
        assertEquals(ann.client.x(), arena.room().simulation().players().x(0));
        assertEquals(ann.client.y(), arena.room().simulation().players().y(0));
        // Discard the error from before the claim reached the server.
        ann.commons.ownError().reset();
        arena.play(60);
        assertEquals(60, ann.commons.ownError().getTotalCount());
        assertEquals(0, ann.commons.ownError().getMaxValue());
        assertEquals(0, ann.client.stats().corrections());
    }

    @Test
    void shouldSendAVelocityThatMovesNobody()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        for (final int[] way : new int[][] {{-1, 0}, {0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 0}, {0, -1}, {0, 0}})
        {
            ann.client.run(way[0], way[1]);
            for (int i = 0; i < 120; i++)
            {
                arena.play(1);
                assertWorldsAreEqual();
            }
        }
    }

    @Test
    void shouldOmitWhatExtrapolationPredicts()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        bob.client.shoot(-1, 0);
        bob.client.run(-1, 0);
        arena.play(4);
        final int from = ann.seat.received().size();
        arena.play(3);
        assertTrue(arena.room().simulation().shots().owner(0) >= 0);
        for (final byte[] message : ann.seat.received().subList(from, from + 3))
        {
            assertEquals(DeltaDecoder.TEMPLATE_ID, SchemaRules.templateId(new UnsafeBuffer(message), 0));
            assertEquals(8 + DeltaDecoder.BLOCK_LENGTH + 3 * 4, message.length);
        }
        assertWorldsAreEqual();
    }

    @Test
    void shouldAnswerEachRefusalWithItsCode()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        final long now = arena.room().simulation().subStep();
        final int x = ann.client.x();
        final int y = ann.client.y();
        ann.sender.claim(now + 1, x, y, 0, 0);
        assertRefusal(ann, ArenaCode.BAD_AGE);
        ann.sender.claim(Long.MIN_VALUE, x, y, 0, 0);
        assertRefusal(ann, ArenaCode.BAD_AGE);
        ann.sender.claim(now, Integer.MIN_VALUE, y, 0, 0);
        assertRefusal(ann, ArenaCode.NULL_VALUE);
        ann.sender.dash(0, 0);
        assertRefusal(ann, ArenaCode.BAD_DIRECTION);
        ann.sender.dash(1, 0);
        ann.sender.dash(1, 0);
        assertRefusal(ann, ArenaCode.COOLDOWN);
        ann.sender.melee(1, 0);
        assertRefusal(ann, ArenaCode.BUSY);
        arena.play(60);
        ann.sender.shoot(1, 0);
        ann.sender.shoot(1, 0);
        assertRefusal(ann, ArenaCode.COOLDOWN);
        ann.sender.shoot(1 << 20, 0);
        assertRefusal(ann, ArenaCode.BAD_DIRECTION);
        assertEquals(7, Received.refusals(ann.seat).stream().distinct().count() + 2);
        assertEquals(8, Received.refusals(ann.seat).size());
    }

    @Test
    void shouldCorrectAWrongClaimOfOneClientOnly()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        final int x = arena.room().simulation().players().x(0);
        final int y = arena.room().simulation().players().y(0);
        final Object[][] claims = {
            {x, y, 1 << 20, 0, ArenaCode.TOO_FAST}, {-5, y, 0, 0, ArenaCode.OFF_MAP},
            {10, 10, 0, 0, ArenaCode.IN_WALL}, {16 << 16, 2 << 16, 0, 0, ArenaCode.OUT_OF_REACH}};
        for (final Object[] claim : claims)
        {
            final long now = arena.room().simulation().subStep();
            ann.sender.claim(now, (int)claim[0], (int)claim[1], (int)claim[2], (int)claim[3]);
            arena.play(1);
            assertEquals(claim[4], Received.last(ann.seat, new CorrectionDecoder()).code());
            ann.sender.claim(now - 1, x, y, 0, 0);
            arena.play(1);
            assertRefused(ArenaCode.STALE, ann.seat);
            ann.sender.claim(arena.room().simulation().subStep(), x, y, 0, 0);
            arena.play(1);
        }
        assertEquals(claims.length, ann.client.stats().corrections());
        assertEquals(0, Received.count(bob.seat, CorrectionDecoder.TEMPLATE_ID));
        assertWorldsAreEqual();
    }

    @Test
    void shouldKillWakeAndScore()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        final int deadAt = arena.shootUntilDeath(ann, bob);
        assertFalse(bob.client.canAct());
        bob.sender.dash(1, 0);
        assertRefusal(bob, ArenaCode.DEAD);
        assertEquals(1, Received.last(bob.seat, new ScoreDecoder()).kills());
        arena.play(3 * 60 + 2);
        assertTrue(bob.client.canAct(), "dead since " + deadAt);
        assertEquals(100, arena.room().simulation().players().health(1));
        assertWorldsAreEqual();
    }

    @Test
    void shouldForgetAPlayerThatLeavesDead()
    {
        arena = new ArenaBench(2);
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        arena.shootUntilDeath(ann, bob);
        bob.leave();
        final ArenaBench.Player eve = arena.player(3).join();
        assertEquals(1, eve.seat.index());
        arena.play(400);
        assertEquals(1, Received.count(ann.seat, GoneDecoder.TEMPLATE_ID));
        assertEquals(0, arena.room().simulation().refusals(Refusal.ALIVE));
        assertEquals(0, arena.room().simulation().players().deaths(1));
        assertWorldsAreEqual();
    }

    @Test
    void shouldSaveOnLeaveAndPeriodically()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        arena.shootUntilDeath(ann, bob);
        bob.leave();
        final InMemoryCharacters.Character bobs = arena.characters.characterByIdMap.get(bob.characterId);
        assertEquals(10, bobs.kills);
        assertEquals(6, bobs.deaths);
        arena.bench.runFor(61 * SECOND);
        final InMemoryCharacters.Character anns = arena.characters.characterByIdMap.get(ann.characterId);
        assertTrue(anns.saves >= 2 && anns.saves <= 3, "saves " + anns.saves);
        assertEquals(11, anns.kills);
    }

    @Test
    void shouldRetryARefusedSave()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        arena.characters.refuseWith = ArenaCode.CHARACTERS_UNAVAILABLE.value();
        ann.leave();
        arena.bench.runFor(10 * SECOND);
        final InMemoryCharacters.Character anns = arena.characters.characterByIdMap.get(ann.characterId);
        assertEquals(0, anns.saves);
        arena.characters.refuseWith = 0;
        arena.bench.runFor(3 * SECOND);
        assertEquals(1, anns.saves);
        arena.bench.runFor(60 * SECOND);
        assertEquals(1, anns.saves);
        assertEquals(1, arena.characters.saveSerials.stream().distinct().count());
    }

    @Test
    void shouldNotTryToSaveACharacterThatWasDeleted()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        arena.characters.refuseWith = ArenaCode.UNKNOWN_CHARACTER.value();
        ann.leave();
        arena.characters.refuseWith = 0;
        arena.bench.runFor(10 * SECOND);
        assertEquals(0, arena.characters.characterByIdMap.get(ann.characterId).saves);
    }

    @Test
    void shouldChat()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        ann.sender.roomChat("na\u00efve");
        arena.play(1);
        assertEquals("na\u00efve", bob.client.stats().lastChat());
        assertEquals(0, Received.last(bob.seat, new ChatDecoder()).playerIndex());
        bob.sender.roomChat("x".repeat(200));
        assertRefusal(bob, ArenaCode.TEXT_TOO_LONG);
        bob.sender.roomChat("bell \u0007");
        assertRefusal(bob, ArenaCode.TEXT_NOT_PRINTABLE);
        for (int i = 0; i < 5; i++)
        {
            bob.sender.roomChat("spam");
        }
        assertRefusal(bob, ArenaCode.CHAT_FLOOD);
        assertEquals(5, ann.client.stats().chats());
    }

    @Test
    void shouldStopAFlood()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player bob = arena.player(2).join();
        arena.play(2);
        for (int i = 0; i < 5_000; i++)
        {
            ann.sender.melee(1, 0);
        }
        arena.play(1);
        assertEquals(1, Received.refusals(ann.seat).stream().filter((code) -> ArenaCode.FLOOD == code).count());
        assertEquals(60, Received.refusals(ann.seat).size());
        assertTrue(ann.seat.isPresent() && bob.seat.isPresent());
        arena.bench.runFor(2 * SECOND);
        ann.sender.melee(1, 0);
        arena.play(1);
        assertEquals(60, Received.refusals(ann.seat).size());
        assertEquals(61, Received.last(ann.seat, new RefusedDecoder()).reference());
    }

    @Test
    void shouldAcceptSignalsOfItsLobbyOnly()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(1);
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        final int delete = 8 + new DeleteArenaEncoder().wrapAndApplyHeader(arena.message(), 0, header)
            .ownerId(1).encodedLength();
        arena.signal(99, delete);
        arena.signal(0, 3);
        arena.play(20);
        assertEquals(0, ann.client.stats().closing());
        final int change = 8 + new ChangeArenaEncoder().wrapAndApplyHeader(arena.message(), 0, header)
            .hasPassword((short)1).putName(new byte[] {'D', 'e', 'n'}, 0, 3).encodedLength();
        arena.signal(0, change);
        final int again = 8 + new DeleteArenaEncoder().wrapAndApplyHeader(arena.message(), 0, header)
            .ownerId(1).encodedLength();
        arena.signal(0, again);
        assertEquals(1, arena.characters.characterByIdMap.get(ann.characterId).saves);
        arena.bench.runFor(SECOND);
        assertEquals(ArenaCode.ROOM_DELETED, Received.last(ann.seat, new ClosingDecoder()).code());
        assertEquals(0, arena.bench.host().openRooms());
    }

    @Test
    void shouldSaveBeforeItStops()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        arena.characters.refuseWith = ArenaCode.CHARACTERS_UNAVAILABLE.value();
        arena.drain(arena.bench.host().nowNs() + 10 * SECOND);
        arena.bench.runFor(SECOND);
        assertEquals(1, arena.bench.host().openRooms());
        assertEquals(ArenaCode.STOPPING, Received.last(ann.seat, new ClosingDecoder()).code());
        arena.characters.refuseWith = 0;
        arena.bench.runFor(SECOND);
        assertTrue(arena.characters.characterByIdMap.get(ann.characterId).saves > 0);
        assertEquals(0, arena.bench.host().openRooms());
    }

    @Test
    void shouldStopAnAwayPlayer()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(2);
        ann.client.run(1, 1);
        arena.play(5);
        ann.seat.disconnect();
        assertEquals(0, arena.room().simulation().players().vx(0));
        arena.bench.runFor(31 * SECOND);
        assertEquals(0, arena.room().simulation().players().flags(0));
        final long saves = arena.characters.characterByIdMap.get(ann.characterId).saves;
        assertTrue(saves > 0);
        arena.bench.runFor(31 * SECOND);
        assertEquals(saves, arena.characters.characterByIdMap.get(ann.characterId).saves);
    }

    private void assertRefusal(final ArenaBench.Player player, final ArenaCode code)
    {
        arena.play(1);
        assertRefused(code, player.seat);
    }

    private void assertWorldsAreEqual()
    {
        for (final ArenaBench.Player player : arena.players)
        {
            if (player.seat.isPresent())
            {
                assertEquals(
                    arena.room().sentWorld().stateHash(), player.client.world().stateHash(),
                    "player " + player.playerId);
            }
        }
    }
}
