package io.escapement.examples.chat;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.examples.common.ExampleCommand;
import io.escapement.examples.common.Hall;
import io.escapement.examples.common.Line;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A chat in a browser: {@code engine/bin/example chat}. */
@Command(name = "chat", description = "A chat with rooms: names, the last lines for who joins, a limit of the rate.")
public final class ChatCommand extends ExampleCommand
{
    static final String PAGE = "examples/chat/index.html";

    @Option(names = "--rooms", split = ",", paramLabel = "NAME", defaultValue = "general,help,random",
        description = "Rooms that are there from the start (default: ${DEFAULT-VALUE}).")
    private List<String> rooms;

    /** For the command line. */
    public ChatCommand()
    {
    }

    @Override
    protected EngineContext engine()
    {
        for (final String name : rooms)
        {
            final UnsafeBuffer bytes = bytes(name);
            if (!Line.isText(bytes, 0, bytes.capacity(), Hall.MAX_NAME_LENGTH) || rooms.size() > Hall.MAX_ROOMS)
            {
                throw new ParameterException(spec.commandLine(), "--rooms: '" + name + "': use at most " +
                    Hall.MAX_ROOMS + " names of 1 to " + Hall.MAX_NAME_LENGTH + " bytes");
            }
        }
        return context();
    }

    static EngineContext context()
    {
        return new EngineContext().roomType(Hall.type(ChatRoom.TYPE_ID, true)).roomType(ChatRoom.type());
    }

    @Override
    protected String page()
    {
        return PAGE;
    }

    @Override
    protected void openRooms(final Engine engine)
    {
        for (final String name : rooms)
        {
            final UnsafeBuffer bytes = bytes(name);
            engine.openRoom(ChatRoom.TYPE_ID, bytes, 0, bytes.capacity());
        }
    }

    private static UnsafeBuffer bytes(final String text)
    {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
    }
}
