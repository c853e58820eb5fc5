package io.escapement.rooms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The POMs of the modules have what Maven Central asks for, and the BOM lists the modules that are published. */
class PublishedModulesTest
{
    private static final String BOM = "escapement-bom";
    private static final Set<String> NOT_PUBLISHED = Set.of(
        "escapement-test-support", "escapement-test-ledger", "escapement-arena", "escapement-examples",
        "escapement-perf");
    /** Central requires these of a POM. A module without a parent has them itself. */
    private static final List<String> REQUIRED = List.of(
        "url", "licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/connection",
        "scm/developerConnection", "scm/url");

    private static Element parent;
    private static final List<Element> MODULES = new ArrayList<>();

    @BeforeAll
    static void read() throws Exception
    {
        final Path root = root();
        parent = pom(root.resolve("pom.xml"));
        for (final Element module : children(child(parent, "modules"), "module"))
        {
            MODULES.add(pom(root.resolve(module.getTextContent()).resolve("pom.xml")));
        }
        assertTrue(MODULES.size() > 20, MODULES::toString);
    }

    @Test
    void shouldPublishAllButWhatIsForThisRepository()
    {
        final Set<String> notPublished = new TreeSet<>();
        MODULES.stream().filter((pom) -> !isPublished(pom)).forEach((pom) -> notPublished.add(id(pom)));
        assertEquals(new TreeSet<>(NOT_PUBLISHED), notPublished);
    }

    @Test
    void shouldListThePublishedModulesInTheBom()
    {
        final Set<String> published = new TreeSet<>();
        MODULES.stream().filter((pom) -> isPublished(pom) && text(pom, "packaging").isEmpty())
            .forEach((pom) -> published.add(id(pom)));
        final Set<String> listed = new TreeSet<>();
        for (final Element dependency : children(
            child(child(module(BOM), "dependencyManagement"), "dependencies"), "dependency"))
        {
            assertTrue(listed.add(id(dependency)), () -> id(dependency) + " is there twice");
            assertEquals("io.escapement", text(dependency, "groupId"));
            assertEquals("${project.version}", text(dependency, "version"));
        }
        assertEquals(published, listed);
    }

    @Test
    void shouldDescribeEveryPublishedModule()
    {
        final Set<String> names = new HashSet<>();
        for (final Element pom : published())
        {
            assertTrue(names.add(text(pom, "name")), () -> id(pom) + " has the name of another module, or none");
            assertTrue(text(pom, "description").endsWith("."), () -> id(pom) + " has no description");
            for (final String path : REQUIRED)
            {
                final Element from = null == child(pom, "parent") ? pom : parent;
                assertNotEquals("", text(from, path), () -> id(pom) + " has no " + path);
                assertEquals(text(parent, path), text(from, path), () -> id(pom) + " has another " + path);
            }
        }
    }

    /** Maven adds the name of a module to an inherited address, unless its parent says otherwise. */
    @Test
    void shouldInheritAddressesAsTheyAre()
    {
        final Element scm = child(parent, "scm");
        assertEquals("false", parent.getAttribute("child.project.url.inherit.append.path"));
        for (final String name : List.of("connection", "developerConnection", "url"))
        {
            assertEquals("false", scm.getAttribute("child.scm." + name + ".inherit.append.path"), name);
        }
    }

    @Test
    void shouldHaveOneVersion()
    {
        for (final Element pom : MODULES)
        {
            final Element own = null == child(pom, "parent") ? pom : child(pom, "parent");
            assertEquals(text(parent, "version"), text(own, "version"), () -> id(pom));
        }
    }

    @Test
    void shouldHaveTheVersionOfTheNpmPackage() throws IOException
    {
        final String description = Files.readString(
            root().resolve("engine/web/src/main/resources/META-INF/resources/escapement/package.json"));
        final String version = text(parent, "version").replace("-SNAPSHOT", "");
        assertTrue(description.contains("\n    \"version\": \"" + version + "\",\n"), description);
    }

    /** Where the tool for Javadoc has nothing to read, a jar with the page stands for it. */
    @Test
    void shouldMakeJarsOfSourcesAndJavadoc()
    {
        for (final Element pom : published())
        {
            if (!"pom".equals(text(pom, "packaging")))
            {
                final List<Element> plugins = children(child(child(pom, "build"), "plugins"), "plugin");
                assertTrue(plugins.stream().anyMatch((plugin) -> "maven-source-plugin".equals(id(plugin))),
                    () -> id(pom) + " makes no jar of its sources");
                assertTrue(plugins.stream().anyMatch((plugin) -> "maven-javadoc-plugin".equals(id(plugin)) ||
                    "maven-jar-plugin".equals(id(plugin)) && plugin.getTextContent().contains("javadoc")),
                    () -> id(pom) + " makes no jar of Javadoc");
            }
        }
    }

    /** The BOM has no parent, so it has a second profile with the same plugin. */
    @Test
    void shouldSignTheParentAndTheBomByOnePlugin()
    {
        final List<String> versions = new ArrayList<>();
        for (final Element pom : List.of(parent, module(BOM)))
        {
            final Element release = children(child(pom, "profiles"), "profile").stream()
                .filter((profile) -> "release".equals(text(profile, "id"))).findFirst().orElseThrow();
            final Element gpg = children(child(child(release, "build"), "plugins"), "plugin").stream()
                .filter((plugin) -> "maven-gpg-plugin".equals(id(plugin))).findFirst().orElseThrow();
            versions.add(text(gpg, "version"));
        }
        assertEquals("${gpg-plugin.version}", versions.get(0));
        assertEquals(text(parent, "properties/gpg-plugin.version"), versions.get(1));
        assertFalse(versions.get(1).isEmpty());
    }

    private static List<Element> published()
    {
        final List<Element> published = new ArrayList<>(MODULES.stream()
            .filter(PublishedModulesTest::isPublished).toList());
        published.add(parent);
        return published;
    }

    private static boolean isPublished(final Element pom)
    {
        return !"true".equals(text(pom, "properties/maven.deploy.skip"));
    }

    private static Element module(final String name)
    {
        return MODULES.stream().filter((pom) -> name.equals(id(pom))).findFirst().orElseThrow();
    }

    private static String id(final Element element)
    {
        return text(element, "artifactId");
    }

    private static Element pom(final Path file) throws Exception
    {
        assertTrue(Files.exists(file), file::toString);
        final DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    }

    /** The text at a path, or an empty one. */
    private static String text(final Element element, final String path)
    {
        Element at = element;
        for (final String name : path.split("/"))
        {
            at = null == at ? null : child(at, name);
        }
        return null == at ? "" : at.getTextContent().strip();
    }

    private static Element child(final Element element, final String name)
    {
        final List<Element> children = children(element, name);
        return children.isEmpty() ? null : children.get(0);
    }

    private static List<Element> children(final Element element, final String name)
    {
        final List<Element> children = new ArrayList<>();
        for (Node node = null == element ? null : element.getFirstChild(); null != node; node = node.getNextSibling())
        {
            if (node instanceof Element child && name.equals(child.getTagName()))
            {
                children.add(child);
            }
        }
        return children;
    }

    private static Path root() throws IOException
    {
        Path folder = Path.of("").toRealPath();
        while (!Files.exists(folder.resolve(".checkstyle.xml")))
        {
            folder = folder.getParent();
        }
        return folder;
    }
}
