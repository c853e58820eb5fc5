package io.escapement.perf.players;

/**
 * A while of a steady rate of moves.
 *
 * @param movesPerSecond of all players together.
 * @param durationMs     of it.
 */
public record Phase(long movesPerSecond, int durationMs)
{
    @Override
    public String toString()
    {
        return movesPerSecond + ":" + durationMs;
    }

    static Phase of(final String text)
    {
        final int colon = text.indexOf(':');
        return new Phase(Long.parseLong(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }

    long moves()
    {
        return Math.max(1, movesPerSecond * durationMs / 1_000);
    }
}
