package io.escapement.console;

import io.escapement.rooms.RoomLogic;
import java.util.List;

/**
 * Draws the rooms of a type on the console's page. The game supplies it: bytes of a room, in the game's format, and
 * the script that draws them.
 *
 * <p>While somebody looks at a room, {@link #read} is called at most ten times per second, however many pages are open.
 * If no page shows a room, the room is not read.
 */
public interface RoomView
{
    /**
     * Read the data that the script draws, between two turns of the room. Called in the thread of its loop: it must
     * return soon. For a past state of a room, called in a thread that runs the room's log. It must not change the
     * room, because a replay would differ.
     *
     * @param logic of a room of the view's type.
     * @return a new array, at most 64 KiB.
     */
    byte[] read(RoomLogic logic);

    /**
     * Directory of the class path that has the files, such as {@code META-INF/resources/game}. They are served
     * without a token, as the page's own, at {@code /view/} and the directory's last name.
     */
    String directory();

    /**
     * Names of the files that are served, relative to the directory. The first is an ES module which exports
     * {@code open(canvas)}. That returns an object with {@code show(view)}, called with a DataView of each
     * {@link #read}, and {@code close()}.
     */
    List<String> files();
}
