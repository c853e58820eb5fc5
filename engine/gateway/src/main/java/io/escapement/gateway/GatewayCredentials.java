package io.escapement.gateway;

/**
 * Turns the credentials from a player's client into the credentials for the engine's log-in service. A client could
 * write any address into its credentials. The gateway knows the true address.
 */
@FunctionalInterface
public interface GatewayCredentials
{
    /** Passes credentials on unchanged. It treats no credentials as quick. */
    GatewayCredentials UNCHANGED = (credentials, address) -> credentials;

    /**
     * Translate. Called in a worker's thread: it must not block.
     *
     * @param credentials   as the client sent them, at most 1,280 bytes.
     * @param remoteAddress of the player's machine, as text.
     * @return the credentials for the log-in service, at most 1,280 bytes, or null to refuse them as malformed.
     */
    byte[] toTrunk(byte[] credentials, String remoteAddress);

    /**
     * Whether the log-in service answers such credentials at once, for example a session token, and hashes no password
     * for them. These log-ins do not wait for passwords. A client can send wrong credentials of this kind, and the
     * service must refuse them as quickly. Called in a worker's thread: it must not block.
     *
     * @param credentials as the client sent them, at most 1,280 bytes.
     */
    default boolean isQuick(final byte[] credentials)
    {
        return false;
    }
}
