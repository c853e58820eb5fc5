package io.escapement.generator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;

/** Writes the names of refusal codes, which several enumerations share. */
final class CodeNamesWriter
{
    private static final int FIRST_APPLICATION_CODE = 1_024;
    private static final int LAST_CODE = 65_534;

    private CodeNamesWriter()
    {
    }

    static String write(final List<Ir> schemas, final List<String> enumerations)
    {
        final Map<Long, String> nameByCodeMap = new TreeMap<>();
        for (final Ir ir : schemas)
        {
            for (final List<Token> type : ir.types())
            {
                if (Signal.BEGIN_ENUM == type.get(0).signal() &&
                    enumerations.contains(type.get(0).applicableTypeName()))
                {
                    type.stream().filter((token) -> Signal.VALID_VALUE == token.signal()).forEach((token) ->
                        nameByCodeMap.put(token.encoding().constValue().longValue(), token.name()));
                }
            }
        }
        final Lines lines = new Lines().line(0, "const NAMES = {");
        nameByCodeMap.forEach((code, name) -> lines.line(1, code + ": '" + name + "',"));
        return lines.line(0, "};")
            .empty()
            .comment(0, "The name of a refusal's code: the engine's, the trunk's or the gateway's; APPLICATION_ and " +
                "the number for a code of the application, CODE_ and the number for any other.")
            .line(0, "export function codeName(code) {")
            .line(1, "const isApplication = code >= " + FIRST_APPLICATION_CODE + " && code <= " + LAST_CODE + ";")
            .line(1, "return isApplication ? 'APPLICATION_' + code : NAMES[code] ?? 'CODE_' + code;")
            .line(0, "}")
            .toString();
    }
}
