package io.escapement.testsupport;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test class, or a helper of such classes, that depends on the machine and not only on bytes and a test clock: on how
 * fast the machine is, on a kill, a disk, a browser or another program. {@code mvn verify} leaves it out, and
 * {@code -Pfull} runs it. {@link FirstTierTest} keeps every other test class from the clock of the machine.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("real-time")
public @interface RealTime
{
    /**
     * The reason: the dependency of the class. If a test of it fails, the test is rerun once for this reason.
     *
     * @return the reason.
     */
    String value();
}
