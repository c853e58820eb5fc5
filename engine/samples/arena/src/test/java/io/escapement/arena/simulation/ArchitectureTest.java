package io.escapement.arena.simulation;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The simulation is deterministic: equal on server, client and replay, because it has no access to clocks, randomness
 * or the environment. The classes that it may use are a list; extend it deliberately.
 */
class ArchitectureTest
{
    private static final String SIMULATION = "io.escapement.arena.simulation";

    private static final Set<String> CLASSES = Set.of(
        "java.lang.Boolean", "java.lang.CharSequence", "java.lang.FunctionalInterface",
        "java.lang.IllegalArgumentException", "java.lang.IllegalStateException", "java.lang.Integer", "java.lang.Long",
        "java.lang.Math", "java.lang.Object", "java.lang.RuntimeException", "java.lang.String",
        "java.lang.StringBuilder", "java.lang.Throwable", "java.util.Arrays");

    // Reading a map is reading a file; nothing else does.
    private static final Set<String> MAP_CLASSES = Set.of(
        "java.io.BufferedReader", "java.io.IOException", "java.io.InputStream", "java.io.InputStreamReader",
        "java.io.Reader", "java.io.UncheckedIOException", "java.lang.Class", "java.nio.charset.Charset",
        "java.nio.charset.StandardCharsets", "java.util.List");

    // The compiler emits these for string concatenation, lambdas and try-with-resources.
    private static final Set<String> COMPILED_CLASSES = Set.of(
        "java.lang.invoke.MethodHandles$Lookup", "java.lang.invoke.StringConcatFactory",
        "java.lang.invoke.LambdaMetafactory");

    private static final Pattern INTERNAL = Pattern.compile("\\bio\\.escapement\\.[a-z.]+\\.internal\\.");

    private static JavaClasses mainClasses;

    @BeforeAll
    static void readClasses()
    {
        mainClasses = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.escapement.arena", "io.escapement.accounts");
    }

    @Test
    void shouldHaveReadTheClassesItJudges()
    {
        assertTrue(mainClasses.contain(SIMULATION + ".ArenaSimulation"));
        assertTrue(mainClasses.contain(SIMULATION + ".Impact"));
    }

    @Test
    void shouldUseOnlyWhatIsListed()
    {
        classes().that().resideInAPackage(SIMULATION)
            .should(dependOnNothingButTheListed())
            .because("whatever else it could ask might differ between a server, its clients and a replay")
            .check(mainClasses);
    }

    @Test
    void shouldFindWhatIsNotListed()
    {
        assertTrue(isListed(SIMULATION + ".Combat", "java.util.Arrays"));
        assertTrue(isListed(SIMULATION + ".ArenaMapReader", "java.io.BufferedReader"));
        for (final String name : new String[] {
            "java.util.HashMap", "java.util.Random", "java.io.File", "java.io.BufferedReader", "java.time.Clock",
            "java.lang.System", "java.lang.Thread", "java.lang.StrictMath", "io.escapement.rooms.Room"})
        {
            assertEquals(false, isListed(SIMULATION + ".Combat", name), name);
        }
    }

    @Test
    void shouldNotUseInternalPackagesOfOtherModules()
    {
        noClasses().should().dependOnClassesThat().resideInAPackage("io.escapement..internal..")
            .check(mainClasses);
    }

    /** The compiler inlines constants, so that classes do not show where they come from. */
    @Test
    void shouldNotNameInternalPackagesOfOtherModules() throws IOException
    {
        final List<Path> sources = new ArrayList<>();
        for (final Path module : List.of(Path.of("src"), Path.of("..", "..", "accounts", "src")))
        {
            try (Stream<Path> files = Files.walk(module))
            {
                files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertTrue(sources.size() > 100, "found " + sources.size() + " sources");
        final List<Path> offences = new ArrayList<>();
        for (final Path source : sources)
        {
            if (INTERNAL.matcher(Files.readString(source)).find())
            {
                offences.add(source);
            }
        }
        assertEquals(List.of(), offences, "use a public package, or ask for a public way");
    }

    @Test
    void shouldCallNothingOfMathThatIsNotExact()
    {
        noClasses().that().resideInAPackage(SIMULATION)
            .should().callMethodWhere(DescribedPredicate.describe(
                "is a method of Math but abs, max, min or floorDiv", (call) ->
                    "java.lang.Math".equals(call.getTargetOwner().getName()) &&
                    !Set.of("abs", "max", "min", "floorDiv").contains(call.getTarget().getName())))
            .because("the simulation is made of whole numbers and without chance")
            .check(mainClasses);
    }

    private static ArchCondition<JavaClass> dependOnNothingButTheListed()
    {
        return new ArchCondition<>("depend on nothing but what is listed in " + ArchitectureTest.class.getSimpleName())
        {
            @Override
            public void check(final JavaClass origin, final ConditionEvents events)
            {
                for (final Dependency dependency : origin.getDirectDependenciesFromSelf())
                {
                    final JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (!target.isPrimitive() && !isListed(origin.getName(), target.getName()))
                    {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isListed(final String origin, final String target)
    {
        return target.startsWith(SIMULATION + ".") || CLASSES.contains(target) || COMPILED_CLASSES.contains(target) ||
            origin.startsWith(SIMULATION + ".ArenaMap") && MAP_CLASSES.contains(target);
    }
}
