/**
 * Runs Aeron's media driver for the engine: {@link io.escapement.driver.DriverProfile profiles} for kinds of hosts and
 * a {@link io.escapement.driver.DriverLauncher launcher} that installs {@linkplain io.escapement.driver.guard guards}
 * and checks the host against the profile.
 *
 * <p>Only the guards run after the driver has started. The launcher's command line is the only code that prints. A
 * wrong option is an {@link io.escapement.config.ConfigException} everywhere else.
 */
package io.escapement.driver;
