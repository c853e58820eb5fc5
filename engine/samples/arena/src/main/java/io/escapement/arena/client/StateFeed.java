package io.escapement.arena.client;

import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.FullStateDecoder;
import io.escapement.arena.codecs.MessageHeaderDecoder;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldReader;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Applies states to the world in order. Because deltas and full states arrive separately, an early delta is held until
 * the full state or the delta before it arrives. After a lost state a full state must follow soon.
 */
final class StateFeed
{
    /** A full state must arrive within two seconds after a lost state. */
    private static final long FULL_STATE_WAIT = 2L * ArenaRules.SUB_STEPS_PER_SECOND;
    private static final int NO_GAP = -1;
    /** Frames of a quarter of a second, after which a room sends a full state, plus one. */
    private static final int HELD_LIMIT = 16;

    private final World world;
    private final WorldReader reader;
    private final Violations violations;
    private final ClientStats stats;
    /** Early deltas, each with its message header, in the order in which they arrived. */
    private final ArrayDeque<UnsafeBuffer> held = new ArrayDeque<>();
    private final DeltaDecoder heldDelta = new DeltaDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private long gapAt = NO_GAP;

    StateFeed(final World world, final Violations violations, final ClientStats stats)
    {
        this.world = world;
        this.violations = violations;
        this.stats = stats;
        reader = new WorldReader(world);
    }

    /** Start over: the next state must be a full state. Deltas that follow it may be here. */
    void await()
    {
        gapAt = NO_GAP;
        reader.forget();
    }

    /** Start over, perhaps in another arena. */
    void forget()
    {
        await();
        held.clear();
    }

    /** Apply a full state. False if it is refused. */
    boolean take(final FullStateDecoder fullState)
    {
        final WorldReader.Result result = reader.apply(fullState);
        if (WorldReader.Result.OLD == result)
        {
            // The deltas after it arrived first.
            return false;
        }
        if (WorldReader.Result.APPLIED != result)
        {
            violations.add("full state refused: " + result);
            return false;
        }
        stats.fullStates++;
        gapAt = NO_GAP;
        applyHeld();
        return true;
    }

    private void applyHeld()
    {
        for (int i = held.size(); i > 0; i--)
        {
            final UnsafeBuffer next = held.remove();
            heldDelta.wrapAndApplyHeader(next, 0, header);
            switch (reader.apply(heldDelta))
            {
                case APPLIED -> stats.deltas++;
                case GAP -> held.add(next);
                case OLD ->
                {
                    // The full state has it.
                }
                default -> violations.add("invalid delta", heldDelta.subStep(), world.subStep());
            }
        }
    }

    private void hold(final DeltaDecoder delta)
    {
        if (HELD_LIMIT == held.size())
        {
            held.remove();
        }
        final int from = delta.offset() - MessageHeaderDecoder.ENCODED_LENGTH;
        delta.sbeSkip();
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[delta.limit() - from]);
        copy.putBytes(0, delta.buffer(), from, copy.capacity());
        held.add(copy);
    }

    /** Apply a delta. False if it is refused. */
    boolean take(final DeltaDecoder delta)
    {
        final long before = world.subStep();
        final long subStep = delta.subStep();
        switch (reader.apply(delta))
        {
            case APPLIED ->
            {
                stats.deltas++;
                applyHeld();
                return true;
            }
            case GAP ->
            {
                hold(delta);
                onGap(subStep);
            }
            case OLD ->
            {
                // A full state that arrived first contains it.
            }
            default -> violations.add("invalid delta", subStep, before);
        }
        return false;
    }

    /** A delta may arrive before the full state of a join. It does not count as lost. */
    private void onGap(final long subStep)
    {
        if (gapAt < 0)
        {
            stats.gaps += World.NO_SEQUENCE == world.sequence() ? 0 : 1;
            gapAt = subStep;
        }
        else if (subStep - gapAt > FULL_STATE_WAIT)
        {
            violations.add("no full state after a lost state", gapAt, subStep);
            gapAt = subStep;
        }
    }
}
