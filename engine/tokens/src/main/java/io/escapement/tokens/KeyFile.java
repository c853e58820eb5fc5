package io.escapement.tokens;

import io.escapement.config.ConfigException;
import io.escapement.engine.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keys in a file, which is reread when it has changed. */
final class KeyFile implements KeySource
{
    private final String option;
    private final Path file;
    private final FileChange change;

    KeyFile(final String option, final Path file)
    {
        this.option = option;
        this.file = file;
        change = new FileChange(file);
    }

    @Override
    public boolean hasChanged()
    {
        return change.isNew();
    }

    @Override
    public KeySet load() throws KeyFailure
    {
        change.onRead();
        try
        {
            KeyFailure.check(Files.size(file) <= KeySet.MAX_LENGTH, KeyFailure.Kind.TOO_LONG,
                "is longer than " + KeySet.MAX_LENGTH + " bytes");
            final KeySet keys = KeySet.parse(Files.readAllBytes(file), true);
            if (keys.hasSecret())
            {
                // Who reads the secret of HS256 can sign tokens.
                Secrets.fromFile(option, file);
            }
            return keys;
        }
        catch (final ConfigException ex)
        {
            throw new KeyFailure(KeyFailure.Kind.MALFORMED, "has a secret: " + ex.remedy());
        }
        catch (final KeyFailure ex)
        {
            throw ex;
        }
        catch (final IOException ex)
        {
            throw new KeyFailure(KeyFailure.Kind.UNREACHABLE, "cannot be read");
        }
    }
}
