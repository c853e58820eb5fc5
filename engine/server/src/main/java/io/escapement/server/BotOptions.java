package io.escapement.server;

/**
 * The parameters of a crowd of bots.
 *
 * @param directory of the server's media driver, to connect over shared memory, or null.
 * @param ingress   endpoint of the server that receives, or of all servers that keep one log, separated by commas.
 * @param response  endpoint of the server that sends, likewise.
 * @param secret    that trunks authenticate with.
 * @param feed      where feeds are received, or null for states on the trunks.
 * @param terms     length of the trunks' terms in bytes.
 * @param isMatched whether the players enter through quick matches. Otherwise the first of each room opens it.
 * @param rooms     to play in.
 * @param seats     of each room that bots take.
 * @param spare     of each room that stay free.
 * @param trunks    that carry the players, as gateways would.
 * @param sampling  most inputs of a player per second.
 * @param watched   number of other players that each bot renders and checks.
 * @param runNumber part of the accounts' names, so that each run has new players.
 * @param seed      of the bots' decisions.
 */
public record BotOptions(
    String directory,
    String ingress,
    String response,
    byte[] secret,
    String feed,
    int terms,
    boolean isMatched,
    int rooms,
    int seats,
    int spare,
    int trunks,
    int sampling,
    int watched,
    int runNumber,
    long seed)
{
    /** Whether several servers keep one log. */
    public boolean isGroup()
    {
        return ingress.indexOf(',') >= 0;
    }

    /** Number of bots. */
    public int players()
    {
        return rooms * seats;
    }
}
