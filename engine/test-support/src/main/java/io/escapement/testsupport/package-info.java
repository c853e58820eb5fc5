/** Helpers that the tests of several modules share. Nothing here is deployed. */
package io.escapement.testsupport;
