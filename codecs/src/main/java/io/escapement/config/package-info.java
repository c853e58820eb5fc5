/** The exception for a wrong option. It is in the lowest module because every Context above it throws it. */
package io.escapement.config;
