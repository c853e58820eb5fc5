package io.escapement.javascript;

import io.escapement.codecs.Codes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the names of {@link Codes} as an ES module, {@code code-names.js}. */
public final class CodeNames
{
    private static final String MODULE = "code-names";
    private static final String NAME_OF = "The name of a refusal's code: the engine's, the trunk's or the gateway's; " +
        "APPLICATION_ and the number for a code of the application, CODE_ and the number for any other.";

    private CodeNames()
    {
    }

    /**
     * Write the module.
     *
     * @param args the directory.
     * @throws IOException if it cannot be written.
     */
    public static void main(final String[] args) throws IOException
    {
        final Path directory = Path.of(args[0]);
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(MODULE + ".js"), module());
    }

    static String module()
    {
        final Lines lines = new Lines().line(0, "const NAMES = {");
        for (int code = 0; code < Codes.FIRST_APPLICATION_CODE; code++)
        {
            final String name = Codes.nameOf(code);
            if (!name.equals("CODE_" + code))
            {
                lines.line(1, code + ": '" + name + "',");
            }
        }
        return lines.line(0, "};")
            .empty()
            .comment(0, NAME_OF)
            .line(0, "export function codeName(code) {")
            .line(1, "const isApplication = code >= " + Codes.FIRST_APPLICATION_CODE +
                " && code <= " + Codes.LAST_CODE + ";")
            .line(1, "return isApplication ? 'APPLICATION_' + code : NAMES[code] ?? 'CODE_' + code;")
            .line(0, "}")
            .toString();
    }
}
