package io.escapement.http;

import java.net.InetAddress;
import java.util.Map;

/**
 * A whole request.
 *
 * @param method  in upper case.
 * @param path    the target before its question mark, as it was sent.
 * @param query   the target after its question mark, as it was sent. Empty without a query.
 * @param headers by their names in lower case. The values of a repeated header have commas between them.
 * @param body    empty if the request has no body.
 * @param address of the client.
 * @param port    of the server.
 */
public record HttpRequest(
    String method,
    String path,
    String query,
    Map<String, String> headers,
    byte[] body,
    InetAddress address,
    int port)
{
}
