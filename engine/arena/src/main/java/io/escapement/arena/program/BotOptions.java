package io.escapement.arena.program;

/**
 * What bots are to do.
 *
 * @param ingress   where the server takes trunks.
 * @param response  where its ways back start.
 * @param secret    that trunks prove themselves with.
 * @param rooms     that they play in.
 * @param seats     of each room that they take.
 * @param spare     of each room that they leave to others.
 * @param trunks    that carry them, as gateways would.
 * @param sampling  fewest sub-steps between two claims of a player.
 * @param watched   other players that each of them shows and checks.
 * @param runNumber makes the names of their accounts, so that another run is other players.
 * @param seed      of what they do.
 */
record BotOptions(
    String ingress,
    String response,
    byte[] secret,
    int rooms,
    int seats,
    int spare,
    int trunks,
    int sampling,
    int watched,
    int runNumber,
    long seed)
{
    int players()
    {
        return rooms * seats;
    }
}
