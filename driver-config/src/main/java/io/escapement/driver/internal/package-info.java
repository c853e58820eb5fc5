/** Clocks, modes of files and the exit by a signal for the applications and modules of this project. */
package io.escapement.driver.internal;
