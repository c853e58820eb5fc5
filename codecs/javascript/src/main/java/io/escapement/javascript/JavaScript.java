package io.escapement.javascript;

import java.nio.file.Path;
import uk.co.real_logic.sbe.generation.CodeGenerator;
import uk.co.real_logic.sbe.generation.TargetCodeGenerator;
import uk.co.real_logic.sbe.ir.Ir;

/**
 * The SBE tool's target for JavaScript: run it with {@code -Dsbe.target.language=io.escapement.javascript.JavaScript}.
 */
public final class JavaScript implements TargetCodeGenerator
{
    /**
     * Name of the system property with the name of the module: {@code player} makes {@code player.js} and
     * {@code player.d.ts}. The default is the last part of the schema's package.
     */
    public static final String MODULE_PROP_NAME = "sbe.javascript.module";

    /** Called by the SBE tool. */
    public JavaScript()
    {
    }

    @Override
    public CodeGenerator newInstance(final Ir ir, final String outputDirectory)
    {
        final String namespace = ir.applicableNamespace();
        final String module =
            System.getProperty(MODULE_PROP_NAME, namespace.substring(namespace.lastIndexOf('.') + 1));
        return new JavaScriptGenerator(ir, Path.of(outputDirectory), module);
    }
}
