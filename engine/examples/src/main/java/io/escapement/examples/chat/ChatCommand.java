package io.escapement.examples.chat;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.examples.common.ExampleCommand;
import io.escapement.examples.common.ExampleServer;
import io.escapement.lobby.Lobby;
import io.escapement.rooms.RoomType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A chat in a browser: {@code engine/bin/example chat}. */
@Command(name = "chat", description = "A chat with rooms: names, the last lines for who joins, a limit of the rate.")
public final class ChatCommand extends ExampleCommand
{
    static final int MAX_ROOMS = 64;
    static final int MAX_NAME_LENGTH = 32;
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
            final int length = name.getBytes(StandardCharsets.UTF_8).length;
            if (0 == length || length > MAX_NAME_LENGTH || rooms.size() > MAX_ROOMS)
            {
                throw new ParameterException(spec.commandLine(), "--rooms: '" + name + "': use at most " +
                    MAX_ROOMS + " names of 1 to " + MAX_NAME_LENGTH + " bytes");
            }
        }
        return context();
    }

    static EngineContext context()
    {
        return new EngineContext().roomType(lobby()).roomType(ChatRoom.type());
    }

    static RoomType lobby()
    {
        return Lobby.type(ExampleServer.LOBBY,
            new Lobby.Context().opens(ChatRoom.type(), MAX_ROOMS).labels(1, MAX_NAME_LENGTH));
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
            final UnsafeBuffer args = Lobby.openArgs(Map.of(ExampleServer.NAME_LABEL, name), new byte[0]);
            engine.openRoom(ChatRoom.TYPE_ID, args, 0, args.capacity());
        }
    }
}
