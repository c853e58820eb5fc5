/** Lines of text as messages, and texts as bytes without garbage. */
package io.escapement.examples.common;
