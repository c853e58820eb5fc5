package io.escapement.arena.program;

import io.escapement.engine.Secrets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which server a command plays on, and what its trunks prove themselves with. */
final class ServerOptions
{
    /** From the environment, when no file is given. */
    static final String SECRET_VARIABLE = "ESCAPEMENT_SECRET";

    /** For demo accounts, which are no secret either. */
    private static final String DEMO_SECRET = "everybody may know this one";

    @Option(names = "--server", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40100",
        description = "Where the server takes trunks; ${DEFAULT-VALUE} unless given.")
    private String ingress;

    @Option(names = "--respond", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40101",
        description = "Where its ways back start; ${DEFAULT-VALUE} unless given.")
    private String response;

    @Option(names = "--secret-file", paramLabel = "FILE",
        description = "What trunks prove themselves with; else from the environment variable ESCAPEMENT_SECRET, " +
            "else that of servers with demo accounts.")
    private Path secretFile;

    String ingress()
    {
        return ingress;
    }

    String response()
    {
        return response;
    }

    byte[] secret()
    {
        return secret(secretFile, true);
    }

    /** A file beats the environment; without both there is only what everybody knows, where that will do. */
    static byte[] secret(final Path file, final boolean isDemo)
    {
        if (null != file)
        {
            return Secrets.fromFile(file);
        }
        return null == System.getenv(SECRET_VARIABLE) && isDemo ?
            DEMO_SECRET.getBytes(StandardCharsets.US_ASCII) : Secrets.fromEnvironment(SECRET_VARIABLE);
    }
}
