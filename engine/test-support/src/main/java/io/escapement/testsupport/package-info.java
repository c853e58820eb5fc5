/** Helpers that the tests of several modules share. They are not deployed. */
package io.escapement.testsupport;
