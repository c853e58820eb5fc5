/**
 * Everything that leaves a host: the output of its rooms ({@code Outputs}) and its records ({@code RecordSink}) as
 * bytes, its events ({@code HostListener}), and figures of its rooms for people ({@code RoomFigures}).
 *
 * <p><b>Control output is encoded once</b>, by the host, as the SBE message that its receiver decodes. Hashing,
 * capturing and routing it are a few lines over bytes, and its hash is the hash of the bytes on the wire.
 */
package io.escapement.rooms.output;
