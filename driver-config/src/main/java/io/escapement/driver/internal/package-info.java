/** Clocks and modes of files for the programs and modules of this project. */
package io.escapement.driver.internal;
