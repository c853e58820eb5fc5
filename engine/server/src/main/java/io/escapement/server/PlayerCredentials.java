package io.escapement.server;

import io.escapement.accounts.Credentials;
import io.escapement.gateway.GatewayCredentials;

/** Credentials of accounts, as players' clients send them to a gateway. */
final class PlayerCredentials implements GatewayCredentials
{
    @Override
    public byte[] toTrunk(final byte[] credentials, final String remoteAddress)
    {
        return Credentials.withAddress(credentials, remoteAddress);
    }

    @Override
    public boolean isQuick(final byte[] credentials)
    {
        return Credentials.isByToken(credentials);
    }
}
