package io.escapement.perf.crowd;

/** A time of a steady rate of moves, all players together. Written {@code rate:milliseconds}. */
public record LoadPhase(long movesPerSecond, int durationMs)
{
    @Override
    public String toString()
    {
        return movesPerSecond + ":" + durationMs;
    }

    static LoadPhase parse(final String text)
    {
        final int colon = text.indexOf(':');
        return new LoadPhase(Long.parseLong(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }

    long moves()
    {
        return Math.max(1, movesPerSecond * durationMs / 1_000);
    }
}
