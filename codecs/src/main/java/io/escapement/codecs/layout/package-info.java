/** The rules with which generated layouts validate bytes. */
package io.escapement.codecs.layout;
