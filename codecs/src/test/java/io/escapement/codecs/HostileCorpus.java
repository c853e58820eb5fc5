package io.escapement.codecs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Inputs of a test as lines of hexadecimal digits in a resource beside its class. */
final class HostileCorpus
{
    private static final String SUFFIX = ".corpus";

    private final List<byte[]> inputs = new ArrayList<>();
    private final Set<Long> outcomes = new HashSet<>();
    private final String name;
    private int added;

    private HostileCorpus(final String name)
    {
        this.name = name;
    }

    /**
     * Read a corpus.
     *
     * @param test whose corpus it is; empty if it has none yet.
     */
    static HostileCorpus of(final Class<?> test)
    {
        final HostileCorpus corpus = new HostileCorpus(test.getSimpleName() + SUFFIX);
        try (InputStream in = test.getResourceAsStream(corpus.name))
        {
            if (null != in)
            {
                new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines()
                    .forEach((line) -> corpus.inputs.add(HexFormat.of().parseHex(line)));
            }
            return corpus;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    List<byte[]> inputs()
    {
        return List.copyOf(inputs);
    }

    /** Whether this is the first message of the template with this code. */
    boolean isNew(final int template, final int code)
    {
        return outcomes.add(((long)template << Integer.SIZE) | code);
    }

    void add(final byte[] input)
    {
        inputs.add(input);
        added++;
    }

    /** Write what was read and added to the folder of the build. */
    void write()
    {
        if (0 == added)
        {
            return;
        }
        try
        {
            final Path file = Path.of("target", name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, inputs.stream().map(HexFormat.of()::formatHex).distinct().sorted()
                .collect(Collectors.joining("\n", "", "\n")), StandardCharsets.US_ASCII);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
