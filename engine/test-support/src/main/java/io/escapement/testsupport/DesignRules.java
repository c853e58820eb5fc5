package io.escapement.testsupport;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Handle;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Rules on the shape of classes, for the architecture tests of several modules. */
public final class DesignRules
{
    /** Neither the tests of this module, nor the tests that another module ships for its users' tests. */
    public static final ImportOption MAIN_CLASSES = (location) ->
        ImportOption.Predefined.DO_NOT_INCLUDE_TESTS.includes(location) && !location.contains("-tests.jar");

    /** No class writes a field of another. Nested classes count as their outermost class. */
    public static final ArchRule OWN_FIELDS = noClasses().should().accessFieldWhere(
        DescribedPredicate.describe("it is written and belongs to another class", DesignRules::isForeignWrite))
        .because("a class can only promise what no other class changes");

    private static final int FEWEST_IMPLEMENTATIONS = 2;

    private DesignRules()
    {
    }

    /**
     * The test classes of a module that implement an interface, by a superclass or themselves.
     *
     * @param interfaces their full names.
     * @return names of the classes.
     */
    public static Set<String> testImplementations(final String... interfaces)
    {
        final Set<String> names = new TreeSet<>();
        for (final JavaClass type : new ClassFileImporter().importPackages("io.escapement"))
        {
            if (type.getSource().orElseThrow().getUri().toString().contains("/test-classes/") &&
                Stream.of(interfaces).anyMatch(type::isAssignableTo))
            {
                names.add(type.getName());
            }
        }
        return names;
    }

    /**
     * The internal interfaces of a module with fewer than two implementations, tests included. Lambdas and method
     * references count as implementations. Public interfaces outside of the internal packages are for users.
     *
     * @param directories with the module's classes and its test classes.
     * @return names of the interfaces. Their users can name the class instead.
     * @throws IOException if a class cannot be read.
     */
    public static List<String> needlessInterfaces(final Path... directories) throws IOException
    {
        final JavaClasses classes = new ClassFileImporter().importPaths(directories);
        final Map<String, Integer> lambdas = lambdas(directories);
        final List<String> needless = new ArrayList<>();
        for (final JavaClass type : classes)
        {
            final boolean isDeclared = !type.isAnnotation() && !"package-info".equals(type.getSimpleName());
            if (type.isInterface() && isDeclared && !isForUsers(type))
            {
                int implementations = lambdas.getOrDefault(type.getName(), 0);
                for (final JavaClass subtype : type.getAllSubclasses())
                {
                    implementations += subtype.isInterface() ? 0 : 1;
                }
                if (implementations < FEWEST_IMPLEMENTATIONS)
                {
                    needless.add(type.getName());
                }
            }
        }
        return needless;
    }

    private static boolean isForUsers(final JavaClass type)
    {
        return !(type.getPackageName() + '.').contains(".internal.") && isPublic(type);
    }

    private static boolean isPublic(final JavaClass type)
    {
        return type.getModifiers().contains(JavaModifier.PUBLIC) &&
            type.getEnclosingClass().map(DesignRules::isPublic).orElse(true);
    }

    /** How many lambdas and method references make an object of each interface. */
    private static Map<String, Integer> lambdas(final Path... directories) throws IOException
    {
        final Map<String, Integer> countByNameMap = new HashMap<>();
        final MethodVisitor calls = new MethodVisitor(Opcodes.ASM9)
        {
            @Override
            public void visitInvokeDynamicInsn(
                final String name, final String descriptor, final Handle bootstrap, final Object... arguments)
            {
                countByNameMap.merge(Type.getReturnType(descriptor).getClassName(), 1, Integer::sum);
            }
        };
        final ClassVisitor methods = new ClassVisitor(Opcodes.ASM9)
        {
            @Override
            public MethodVisitor visitMethod(
                final int access,
                final String name,
                final String descriptor,
                final String signature,
                final String[] exceptions)
            {
                return calls;
            }
        };
        for (final Path directory : directories)
        {
            try (Stream<Path> files = Files.walk(directory))
            {
                for (final Path file : files.filter((path) -> path.toString().endsWith(".class")).toList())
                {
                    new ClassReader(Files.readAllBytes(file)).accept(methods, ClassReader.SKIP_DEBUG);
                }
            }
        }
        return countByNameMap;
    }

    private static boolean isForeignWrite(final JavaFieldAccess access)
    {
        return JavaFieldAccess.AccessType.SET == access.getAccessType() &&
            access.getTargetOwner().getPackageName().startsWith("io.escapement.") &&
            !outermost(access.getOriginOwner()).equals(outermost(access.getTargetOwner()));
    }

    private static JavaClass outermost(final JavaClass type)
    {
        return type.getEnclosingClass().map(DesignRules::outermost).orElse(type);
    }
}
