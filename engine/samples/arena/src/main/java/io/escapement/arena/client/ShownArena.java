package io.escapement.arena.client;

import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.ClosingDecoder;
import io.escapement.arena.codecs.CorrectionDecoder;
import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.EventKind;
import io.escapement.arena.codecs.EventsDecoder;
import io.escapement.arena.codecs.FullStateDecoder;
import io.escapement.arena.codecs.GoneDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoundDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.codecs.WelcomeDecoder;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.world.World;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** The arena as one player sees it. Events and states update it, and are checked against the rules of the game. */
final class ShownArena
{
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;
    private static final int RULES_VERSION = 1;

    final World world = new World();
    final ClientStats stats = new ClientStats();
    final Violations violations = new Violations();
    final Roster roster = new Roster(violations);
    private final ClientCommons commons;
    private final OwnPlayer own;
    private final OtherPlayers others;
    private final StateFeed feed = new StateFeed(world, violations, stats);
    private final WorldCheck check = new WorldCheck(world, violations);
    private final UnsafeBuffer text = new UnsafeBuffer(new byte[ArenaMessages.MAX_TEXT_LENGTH]);
    private ArenaMap map;
    private int index = -1;
    private long lastEventsAt;

    ShownArena(final ClientCommons commons, final OwnPlayer own, final int watched)
    {
        this.commons = commons;
        this.own = own;
        others = new OtherPlayers(world, commons, watched);
    }

    /** Start over with the next welcome. */
    void clear()
    {
        index = -1;
        map = null;
        feed.forget();
        own.clear(null);
    }

    /** The map, or null before the welcome. */
    ArenaMap map()
    {
        return map;
    }

    /** Index of the own player, or -1 before the welcome. */
    int index()
    {
        return index;
    }

    /** Whether the own player lives, and the world was shown since it spawned. */
    boolean canAct()
    {
        return index >= 0 && World.NO_SEQUENCE != world.sequence() && own.canAct();
    }

    void onWelcome(final WelcomeDecoder welcome)
    {
        final int player = welcome.playerIndex();
        final long fingerprint = welcome.mapFingerprint();
        final boolean isOfTheseRules = RULES_VERSION == welcome.rulesVersion();
        final int length = welcome.getMapName(text, 0, text.capacity());
        map = commons.maps.byName(text, 0, length);
        if (null == map || map.fingerprint() != fingerprint || !isOfTheseRules || player >= PLAYERS)
        {
            violations.add("welcome to a map or rules that are not ours", player, fingerprint);
            map = null;
            return;
        }
        index = player;
        lastEventsAt = 0;
        feed.await();
        check.forget();
        own.clear(map);
        others.clear(map);
        roster.clear();
    }

    void onEntered(final EnteredDecoder entered)
    {
        final long playerId = entered.playerId();
        final long newUntil = entered.newUntil();
        final int player = entered.playerIndex();
        if (roster.enter(player, playerId, newUntil))
        {
            others.hide(player);
            check.entered(player);
        }
    }

    void onGone(final GoneDecoder message)
    {
        final int player = message.playerIndex();
        if (roster.leave(player, message.playerId()))
        {
            others.hide(player);
        }
    }

    void onEvents(final EventsDecoder message)
    {
        final long subStep = message.subStep();
        if (subStep < lastEventsAt)
        {
            violations.add("events out of order", subStep, lastEventsAt);
        }
        lastEventsAt = subStep;
        if (null == map)
        {
            return;
        }
        for (final EventsDecoder.EntriesDecoder entry : message.entries())
        {
            stats.events++;
            final EventKind kind = entry.kind();
            final int player = entry.playerIndex();
            if (player >= PLAYERS || EventKind.SBE_UNKNOWN == kind || EventKind.NULL_VAL == kind)
            {
                violations.add("an event that cannot be", player, subStep);
                continue;
            }
            onEvent(kind, player, entry, subStep);
        }
    }

    private void onEvent(
        final EventKind kind, final int player, final EventsDecoder.EntriesDecoder entry, final long subStep)
    {
        if (EventKind.SPAWN == kind)
        {
            check.spawned(player, subStep);
            others.hide(player);
            if (player == index)
            {
                own.place(entry.x(), entry.y(), 0, 0, subStep);
            }
        }
        else if (EventKind.DEATH == kind && player == index)
        {
            own.die();
        }
        else if (EventKind.HIT == kind &&
            (entry.value() < 1 || entry.value() > ArenaRules.FULL_HEALTH || entry.otherIndex() >= PLAYERS))
        {
            violations.add("a hit that cannot be", player, entry.value());
        }
    }

    void onCorrection(final CorrectionDecoder correction)
    {
        stats.corrections++;
        if (null != map && own.isPlaced())
        {
            own.place(correction.x(), correction.y(), correction.vx(), correction.vy(), correction.subStep());
        }
    }

    void onScore(final ScoreDecoder score)
    {
        if (score.playerIndex() >= PLAYERS)
        {
            violations.add("a score of nobody", score.playerIndex(), score.kills());
            return;
        }
        check.score(score.playerIndex(), score.kills(), score.deaths());
    }

    void onRound(final RoundDecoder round)
    {
        if (round.endsAt() < round.subStep())
        {
            violations.add("a round that has ended", round.endsAt(), round.subStep());
        }
        if (0 == round.isPause())
        {
            check.roundStarted(round.subStep());
        }
    }

    void onChat(final ChatDecoder chat)
    {
        stats.chats++;
        final int length = chat.getText(text, 0, text.capacity());
        if (0 != ArenaMessages.checkText(text, 0, length, ArenaMessages.TEXT_LIMIT))
        {
            violations.add("a text that is none", chat.sbeTemplateId(), length);
            return;
        }
        final byte[] bytes = new byte[length];
        text.getBytes(0, bytes);
        stats.lastChat = new String(bytes, StandardCharsets.UTF_8);
    }

    void onRefused(final RefusedDecoder refused)
    {
        stats.refusals++;
        stats.lastRefusal = refused.code().value();
    }

    void onClosing(final ClosingDecoder message)
    {
        stats.closing = message.code().value();
    }

    void onFullState(final FullStateDecoder fullState)
    {
        if (!feed.take(fullState))
        {
            return;
        }
        check.fullStateApplied();
        if (null != map)
        {
            own.time(world.subStep());
            if (!own.isPlaced() && index >= 0 && world.isLiving(index))
            {
                // A player that has returned alive receives no SPAWN.
                own.place(world.x(index), world.y(index), world.vx(index), world.vy(index), world.subStep());
            }
            look(false);
        }
    }

    void onDelta(final DeltaDecoder delta)
    {
        final long before = world.subStep();
        if (feed.take(delta) && null != map)
        {
            show((int)(world.subStep() - before));
        }
    }

    private void show(final int subSteps)
    {
        others.measure(index, subSteps);
        final boolean isOwnComparable = canAct() && own.isAllTold() && world.isLiving(index);
        own.time(world.subStep());
        if (!world.isLiving(index))
        {
            own.onStateDead();
        }
        if (isOwnComparable && own.isPlaced())
        {
            commons.ownError(own.error(world.x(index), world.y(index)));
        }
        look(true);
    }

    private void look(final boolean isDelta)
    {
        check.player(map, index);
        for (int i = 1; i <= others.watched(); i++)
        {
            check.player(map, others.at(index, i));
        }
        others.show(index);
        if (others.watched() > 0 || !isDelta)
        {
            check.shots(map);
        }
    }
}
