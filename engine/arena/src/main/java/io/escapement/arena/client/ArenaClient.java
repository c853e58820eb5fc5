package io.escapement.arena.client;

import io.escapement.arena.ArenaMaps;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Extrapolation;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldReader;
import io.escapement.codecs.ArenaMessages;
import io.escapement.codecs.arena.ChatDecoder;
import io.escapement.codecs.arena.ClosingDecoder;
import io.escapement.codecs.arena.CorrectionDecoder;
import io.escapement.codecs.arena.DeltaDecoder;
import io.escapement.codecs.arena.EnteredDecoder;
import io.escapement.codecs.arena.EventKind;
import io.escapement.codecs.arena.EventsDecoder;
import io.escapement.codecs.arena.GoneDecoder;
import io.escapement.codecs.arena.PictureDecoder;
import io.escapement.codecs.arena.RefusedDecoder;
import io.escapement.codecs.arena.ScoreDecoder;
import io.escapement.codecs.arena.WelcomeDecoder;
import io.escapement.rooms.MessageHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One player's side of an arena: fed with what comes for its seat, events and states alike, it holds the world as it is
 * shown, moves its own player at once and tells of it at its sampling rate, and looks for what the server may not do.
 * One thread at a time; after the welcome nothing is allocated but for chat and violations.
 */
public final class ArenaClient
{
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;
    /** Errors are measured in thousandths of a unit, up to the size of the largest map. */
    private static final long LARGEST_ERROR = 2_000_000;
    private static final int THOUSANDTHS = 1_000;
    /** A picture is to come within two seconds after a state was lost. */
    private static final long PICTURE_WAIT = 2L * ArenaRules.SUB_STEPS_PER_SECOND;
    private static final int RULES_VERSION = 1;

    private final ArenaMaps maps;
    private final int watched;
    private final ArenaSender sender;
    private final OwnPlayer own;
    private final World world = new World();
    private final WorldReader reader = new WorldReader(world);
    private final Violations violations = new Violations();
    private final WorldCheck check = new WorldCheck(world, violations);
    private final Extrapolation[] others = new Extrapolation[PLAYERS];
    private final boolean[] isShown = new boolean[PLAYERS];
    private final long[] playerIds = new long[PLAYERS];
    private final boolean[] isHere = new boolean[PLAYERS];
    private final Histogram ownError = new Histogram(LARGEST_ERROR, 2);
    private final Histogram othersError = new Histogram(LARGEST_ERROR, 2);
    private final UnsafeBuffer text = new UnsafeBuffer(new byte[ArenaMessages.MAX_TEXT_LENGTH]);
    private final MessageHandlers<ArenaClient> handlers = new MessageHandlers<ArenaClient>(ArenaMessages.RULES)
        .on(new WelcomeDecoder(), ArenaClient::onWelcome)
        .on(new EnteredDecoder(), ArenaClient::onEntered)
        .on(new GoneDecoder(), ArenaClient::onGone)
        .on(new EventsDecoder(), ArenaClient::onEvents)
        .on(new CorrectionDecoder(), ArenaClient::onCorrection)
        .on(new ScoreDecoder(), ArenaClient::onScore)
        .on(new ChatDecoder(), ArenaClient::onChat)
        .on(new RefusedDecoder(), ArenaClient::onRefused)
        .on(new ClosingDecoder(), ArenaClient::onClosing)
        .on(new PictureDecoder(), ArenaClient::onPicture)
        .on(new DeltaDecoder(), ArenaClient::onDelta);
    private ArenaMap map;
    private int index = -1;
    private long lastEventsAt;
    private long gapAt = -1;
    private int lastRefusal;
    private int closing;
    private String lastChat = "";
    private long pictures;
    private long deltas;
    private long gaps;
    private long eventsSeen;
    private long corrections;
    private long refusals;
    private long chats;

    /**
     * A client that is not in an arena yet.
     *
     * @param maps     the same as the server's.
     * @param sampling fewest sub-steps between two claims, 1 to {@link ArenaRules#SAMPLING_LIMIT}.
     * @param watched  how many others it shows, 0 to 15: those behind its own index. Showing one costs what moving one
     *                 costs, so a process with many bots watches few in each.
     * @param output   where its messages go.
     */
    public ArenaClient(final ArenaMaps maps, final int sampling, final int watched, final ArenaSender.Output output)
    {
        if (sampling < 1 || sampling > ArenaRules.SAMPLING_LIMIT || watched < 0 || watched >= PLAYERS)
        {
            throw new IllegalArgumentException("sampling " + sampling + ", watched " + watched);
        }
        this.maps = maps;
        this.watched = watched;
        sender = new ArenaSender(output);
        own = new OwnPlayer(sender, sampling);
    }

    /**
     * Something came for this seat, an event or a state.
     *
     * @param buffer with it.
     * @param offset of it.
     * @param length of it in bytes.
     */
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = handlers.onMessage(this, buffer, offset, length);
        if (0 != code)
        {
            violations.add("a message that is none", code, length);
        }
    }

    /** The connection was lost, or the seat left. The next welcome begins anew. */
    public void onAway()
    {
        index = -1;
        gapAt = -1;
        map = null;
        reader.forget();
        own.clear(null);
    }

    /**
     * Run in a direction from now on.
     *
     * @param dirX direction, at most {@link ArenaRules#DIRECTION_LIMIT} either way; both 0 to stand.
     * @param dirY direction.
     */
    public void run(final int dirX, final int dirY)
    {
        final boolean isRest = 0 == (dirX | dirY);
        own.steer(
            isRest ? 0 : Fixed.scale(dirX, dirX, dirY, ArenaRules.RUN_SPEED),
            isRest ? 0 : Fixed.scale(dirY, dirX, dirY, ArenaRules.RUN_SPEED));
    }

    /**
     * Dash.
     *
     * @param dirX direction, not 0 both.
     * @param dirY direction.
     * @return false if it is too early for one, by the rules or by the sampling rate.
     */
    public boolean dash(final int dirX, final int dirY)
    {
        return own.dash(dirX, dirY);
    }

    /**
     * Swing.
     *
     * @param dirX direction, not 0 both.
     * @param dirY direction.
     * @return false if the player is dead or busy.
     */
    public boolean melee(final int dirX, final int dirY)
    {
        return own.melee(dirX, dirY);
    }

    /**
     * Shoot.
     *
     * @param dirX direction, not 0 both.
     * @param dirY direction.
     * @return false if the player is dead or busy, or it is too early.
     */
    public boolean shoot(final int dirX, final int dirY)
    {
        return own.shoot(dirX, dirY);
    }

    /**
     * Say something.
     *
     * @param words up to {@link ArenaMessages#TEXT_LIMIT} bytes of UTF-8.
     */
    public void say(final String words)
    {
        sender.roomChat(words);
    }

    /**
     * Whether the player may act.
     *
     * @return true while it lives and the world has been shown since it spawned.
     */
    public boolean canAct()
    {
        return index >= 0 && World.NO_SEQUENCE != world.sequence() && own.canAct();
    }

    /**
     * Index of the own player.
     *
     * @return from 0, or -1 before the welcome.
     */
    public int index()
    {
        return index;
    }

    /**
     * Where the own player is shown. Only while it {@link #canAct()}.
     *
     * @return x of its middle.
     */
    public int x()
    {
        return own.x();
    }

    /**
     * Where the own player is shown. Only while it {@link #canAct()}.
     *
     * @return y of its middle.
     */
    public int y()
    {
        return own.y();
    }

    /**
     * The map.
     *
     * @return the map, or null before the welcome.
     */
    public ArenaMap map()
    {
        return map;
    }

    /**
     * What was heard of the arena.
     *
     * @return always the same world.
     */
    public World world()
    {
        return world;
    }

    /**
     * Who plays at an index.
     *
     * @param player index.
     * @return the player's id, or 0.
     */
    public long playerId(final int player)
    {
        return isHere[player] ? playerIds[player] : 0;
    }

    /**
     * What the server may not do and did, the first of it.
     *
     * @return a text each.
     */
    public List<String> violations()
    {
        return violations.texts();
    }

    /**
     * How often the server did what it may not do.
     *
     * @return the number.
     */
    public long violationCount()
    {
        return violations.count();
    }

    /**
     * How far the own player was shown from where the server held it, in thousandths of a unit, once a state in which
     * everything was told.
     *
     * @return the histogram.
     */
    public Histogram ownError()
    {
        return ownError;
    }

    /**
     * How far watched others were shown from where the server held them, in thousandths of a unit, once a state.
     *
     * @return the histogram.
     */
    public Histogram othersError()
    {
        return othersError;
    }

    /**
     * Pictures taken.
     *
     * @return the number.
     */
    public long pictures()
    {
        return pictures;
    }

    /**
     * Deltas taken.
     *
     * @return the number.
     */
    public long deltas()
    {
        return deltas;
    }

    /**
     * How often the next delta was not the one that had to come.
     *
     * @return the number.
     */
    public long gaps()
    {
        return gaps;
    }

    /**
     * Hits, deaths and the like.
     *
     * @return the number.
     */
    public long eventsSeen()
    {
        return eventsSeen;
    }

    /**
     * How often the server put the own player elsewhere.
     *
     * @return the number.
     */
    public long corrections()
    {
        return corrections;
    }

    /**
     * Messages of this client that the room refused.
     *
     * @return the number.
     */
    public long refusals()
    {
        return refusals;
    }

    /**
     * Why the last one was.
     *
     * @return the value of an {@link io.escapement.codecs.arena.ArenaCode}, or 0.
     */
    public int lastRefusal()
    {
        return lastRefusal;
    }

    /**
     * Texts heard.
     *
     * @return the number.
     */
    public long chats()
    {
        return chats;
    }

    /**
     * The last text heard.
     *
     * @return the text.
     */
    public String lastChat()
    {
        return lastChat;
    }

    /**
     * Whether the room said that it closes.
     *
     * @return 0, or why.
     */
    public int closing()
    {
        return closing;
    }

    private void onWelcome(final WelcomeDecoder welcome)
    {
        final int player = welcome.playerIndex();
        final long fingerprint = welcome.mapFingerprint();
        final boolean isOfTheseRules = RULES_VERSION == welcome.rulesVersion();
        final int length = welcome.getMapName(text, 0, text.capacity());
        map = maps.byName(text, 0, length);
        if (null == map || map.fingerprint() != fingerprint || !isOfTheseRules || player >= PLAYERS)
        {
            violations.add("welcome to a map or rules that are not ours", player, fingerprint);
            map = null;
            return;
        }
        index = player;
        gapAt = -1;
        lastEventsAt = 0;
        reader.forget();
        check.forget();
        own.clear(map);
        for (int i = 0; i < PLAYERS; i++)
        {
            others[i] = new Extrapolation(map);
            isShown[i] = false;
            isHere[i] = false;
        }
    }

    private void onEntered(final EnteredDecoder entered)
    {
        final int player = entered.playerIndex();
        if (player >= PLAYERS)
        {
            violations.add("somebody entered nowhere", player, entered.playerId());
            return;
        }
        isHere[player] = true;
        playerIds[player] = entered.playerId();
        isShown[player] = false;
        check.entered(player);
    }

    private void onGone(final GoneDecoder gone)
    {
        final int player = gone.playerIndex();
        if (player >= PLAYERS || !isHere[player] || playerIds[player] != gone.playerId())
        {
            violations.add("somebody left who was not here", player, gone.playerId());
            return;
        }
        isHere[player] = false;
        isShown[player] = false;
    }

    private void onEvents(final EventsDecoder message)
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
            eventsSeen++;
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
            isShown[player] = false;
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

    private void onCorrection(final CorrectionDecoder correction)
    {
        corrections++;
        if (null != map && own.isPlaced())
        {
            own.place(correction.x(), correction.y(), correction.vx(), correction.vy(), correction.subStep());
        }
    }

    private void onScore(final ScoreDecoder score)
    {
        if (score.playerIndex() >= PLAYERS)
        {
            violations.add("a score of nobody", score.playerIndex(), score.kills());
            return;
        }
        check.score(score.playerIndex(), score.kills(), score.deaths());
    }

    private void onChat(final ChatDecoder chat)
    {
        chats++;
        final int length = chat.getText(text, 0, text.capacity());
        if (0 != ArenaMessages.checkText(text, 0, length, ArenaMessages.TEXT_LIMIT))
        {
            violations.add("a text that is none", chat.sbeTemplateId(), length);
            return;
        }
        final byte[] bytes = new byte[length];
        text.getBytes(0, bytes);
        lastChat = new String(bytes, StandardCharsets.UTF_8);
    }

    private void onRefused(final RefusedDecoder refused)
    {
        refusals++;
        lastRefusal = refused.code().value();
    }

    private void onClosing(final ClosingDecoder message)
    {
        closing = message.code().value();
    }

    private void onPicture(final PictureDecoder picture)
    {
        final WorldReader.Outcome outcome = reader.apply(picture);
        if (WorldReader.Outcome.APPLIED != outcome)
        {
            violations.add("a picture that is " + outcome);
            return;
        }
        pictures++;
        gapAt = -1;
        check.pictured();
        if (null != map)
        {
            own.time(world.subStep());
            if (!own.isPlaced() && index >= 0 && world.isLiving(index))
            {
                // Back again: the player went on living, and its spawn was told to the others.
                own.place(world.x(index), world.y(index), world.vx(index), world.vy(index), world.subStep());
            }
            look(false);
        }
    }

    private void onDelta(final DeltaDecoder delta)
    {
        final long before = world.subStep();
        final long subStep = delta.subStep();
        switch (reader.apply(delta))
        {
            case APPLIED ->
            {
                deltas++;
                if (null != map)
                {
                    show((int)(world.subStep() - before));
                }
            }
            case GAP -> onGap(subStep);
            case OLD -> violations.add("a delta of the past", subStep, before);
            default -> violations.add("a delta that cannot be", subStep, before);
        }
    }

    /** States may be lost, and one of before the join may come; but then a picture has to follow soon. */
    private void onGap(final long subStep)
    {
        if (gapAt < 0)
        {
            gaps += World.NO_SEQUENCE == world.sequence() ? 0 : 1;
            gapAt = subStep;
        }
        else if (subStep - gapAt > PICTURE_WAIT)
        {
            violations.add("deltas without a picture", gapAt, subStep);
            gapAt = subStep;
        }
    }

    private void show(final int subSteps)
    {
        for (int i = 1; i <= watched; i++)
        {
            final int other = (index + i) % PLAYERS;
            if (isShown[other] && world.isLiving(other))
            {
                others[other].advance(subSteps);
                record(othersError, others[other].error(world.x(other), world.y(other)));
            }
        }
        final boolean isOwnComparable = canAct() && own.isAllTold() && world.isLiving(index);
        own.time(world.subStep());
        if (!world.isLiving(index))
        {
            own.heldDead();
        }
        if (isOwnComparable && own.isPlaced())
        {
            record(ownError, own.error(world.x(index), world.y(index)));
        }
        look(true);
    }

    private void look(final boolean isDelta)
    {
        check.player(map, index);
        for (int i = 1; i <= watched; i++)
        {
            final int other = (index + i) % PLAYERS;
            check.player(map, other);
            isShown[other] = world.isLiving(other);
            if (isShown[other])
            {
                others[other].set(world.x(other), world.y(other), world.vx(other), world.vy(other));
                if (world.dashLeft(other) > 0)
                {
                    others[other].dash(world.dashVx(other), world.dashVy(other), world.dashLeft(other));
                }
            }
        }
        if (watched > 0 || !isDelta)
        {
            check.shots(map);
        }
    }

    private static void record(final Histogram histogram, final long error)
    {
        histogram.recordValue(Math.min(LARGEST_ERROR, error * THOUSANDTHS >> Fixed.SHIFT));
    }
}
