/**
 * How to run Aeron's media driver for the engine: {@link io.escapement.driver.DriverProfile profiles} for kinds of
 * hosts, a {@link io.escapement.driver.DriverLauncher launcher} that puts
 * {@linkplain io.escapement.driver.guard guards} in, and a {@link io.escapement.driver.HostCheck check} of what a host
 * lacks for a profile.
 *
 * <p>All of it is over once the driver runs, apart from the guards. The launcher's command line is the one place that
 * prints; what goes wrong elsewhere is a {@link io.escapement.driver.DriverConfigException} of one line that names the
 * option and the value.
 */
package io.escapement.driver;
