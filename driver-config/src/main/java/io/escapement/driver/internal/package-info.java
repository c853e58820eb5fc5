/** Clocks, modes of files and the end by a signal for the programs and modules of this project. */
package io.escapement.driver.internal;
