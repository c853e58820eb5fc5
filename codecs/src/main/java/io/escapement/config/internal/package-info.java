/** Files of the modules of this project. */
package io.escapement.config.internal;
