package io.escapement.scripts

import io.escapement.rooms.StateReader
import io.escapement.rooms.StateWriter

/**
 * Straight-line code of a room that waits, with loops and local variables. [Scripts] runs those of a room.
 *
 * A script runs in the thread of its room, within the callback that resumed it. It waits by the functions of [Waits] and
 * in no other way: the compiler refuses every other suspending function.
 */
public abstract class Script
{
    /** The code, called once when the script is started, and again when it is relaunched from a snapshot. */
    public abstract suspend fun Waits.run()
}

/**
 * A script that can be part of a snapshot. The stack of a script cannot be written, so a restored script is *relaunched*:
 * [onRestore] reads its fields, and `run` begins again and must come to the wait at which the snapshot was taken, by its
 * fields and without acting. There it goes on waiting for the same timer, frame or request, so the restored room does
 * what the first one would have done.
 *
 * Everything that the way to a wait depends on is a field, an action before the wait is in [Waits.act], and of two waits
 * in a row the fields say which one is next. A relaunch that acts, ends, or comes to another kind of wait fails the
 * restore, and names the script.
 */
public interface Relaunchable
{
    /** Write the fields. */
    public fun onSnapshot(writer: StateWriter)

    /** Read the fields. */
    public fun onRestore(reader: StateReader)
}
