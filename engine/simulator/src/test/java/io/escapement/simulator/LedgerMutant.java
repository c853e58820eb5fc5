package io.escapement.simulator;

import java.util.List;

/** A fault that is planted in the product's source, which a {@link LedgerGame} has to find. */
enum LedgerMutant
{
    /** A turn runs before the tail has its record. */
    ACK_BEFORE_APPEND(8, Mode.RECORDED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalLog",
        "proposed += length;\n        tail.stored(proposed);",
        "tail.stored(proposed);\n        proposed += length;")),
    /** At SYNCED a turn counts as committed before it is on the disk. */
    SKIPPED_SYNC_WAIT(2, Mode.SYNCED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalLog",
        "return tail.synced();\n        }\n        return isTailKept",
        "return proposed;\n        }\n        return isTailKept")),
    /** A new incarnation drops the commands that rooms have sent to rooms of their loop. */
    RETURNS_LOST_AT_TAKEOVER(1, Mode.GROUP, edit(
        "engine/rooms", "io.escapement.rooms.internal.loop.LoopLedger",
        "public void sendAgain()\n    {",
        "public void sendAgain()\n    {\n        while (0 != returns.count())\n" +
            "        {\n            returns.drop();\n        }")),
    /** The requests of the last incarnation count as sent. */
    REQUESTS_NOT_ISSUED_AGAIN(3, Mode.GROUP, edit(
        "engine/rooms", "io.escapement.rooms.internal.loop.LoopLedger",
        "public void sendAgain()\n    {\n        requests.sendAgain();",
        "public void sendAgain()\n    {\n        sendRequests((buffer, offset, length) -> true);")),
    /** A room takes a message whose sequence is not above the last one. Lying players send some. */
    OLD_SEQUENCE_OFF(24, Mode.MEMORY, edit(
        "engine/rooms", "io.escapement.rooms.host.RoomInstance",
        "if (sequence <= seat.lastSequence())",
        "if (sequence < 0)")),
    /** A new incarnation leaves the links of the last one up. */
    LINKS_NOT_TAKEN_DOWN(1, Mode.GROUP, edit(
        "engine/rooms", "io.escapement.rooms.host.HostCommands",
        "if (links.isUp(link))\n            {\n                linkDown(link);",
        "if (links.isUp(link) && link < 0)\n            {\n                linkDown(link);")),
    /** A host that computes other output goes on. */
    HASH_NOT_COMPARED(3, Mode.GROUP, edit(
        "engine/rooms", "io.escapement.rooms.replay.ProposalRunner",
        "if (hashes[index] != hash)",
        "if (hashes[index] != hash && turn < 0)")),
    /** A recovery forgets the bytes that only the tail has. */
    TAIL_NOT_WRITTEN_OUT(3, Mode.RECORDED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.Recovery",
        "final long held = writeOutTail();",
        "final long held = 0;")),
    /** Bytes that a power loss has torn are taken for a record, whatever their checksum is. */
    TORN_TAIL_KEPT(1, Mode.SYNCED, edit(
        "engine/rooms", "io.escapement.rooms.log.LogRecords",
        "return check == buffer.getInt(offset + CHECK_OFFSET, LITTLE_ENDIAN) &&\n            " +
        "(!isProposal(kind(buffer, offset), bodyLength) || check == ProposalReader.check(buffer, bodyOffset)) &&",
        "return 0 != check &&")),
    /** Written bytes count as synced without a sync. */
    SYNC_WITHOUT_FORCE(2, Mode.SYNCED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalSegments",
        "segment.file.force();\n        while (null != next)",
        "while (null != next)")),
    /** The names of segments are never forced. */
    NAMES_NOT_FORCED(2, Mode.SYNCED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalSegments",
        "if (!isDirectoryForced)\n        {\n            disk.forceDirectory();",
        "if (!isDirectoryForced)\n        {")),
    /** The file about a journal gets its name before its bytes are on the disk. */
    ABOUT_NOT_FORCED(2, Mode.SYNCED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalAbout",
        "            file.force();\n",
        "")),
    /** A write that has failed counts as written. */
    FULL_DISK_IGNORED(3, Mode.RECORDED, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalWriter",
        "            segments.write(bytes, position);\n",
        "            try\n            {\n                segments.write(bytes, position);\n            }\n" +
            "            catch (final IOException ex)\n            {\n" +
            "                nextPrepareNs = 0;\n            }\n")),
    /** A resumed session does not come back to its seats. */
    SEATS_NOT_JOINED_AGAIN(2, Mode.MEMORY, edit(
        "engine/gateway", "io.escapement.gateway.Places",
        "                comeBack(place);\n            }\n        }\n    }\n\n    /** The player has",
        "                place.isReturning = true;\n            }\n        }\n    }\n\n    /** The player has")),
    /** A seat that was freed while its player had no connection is forgotten without a word. */
    LEFT_NOT_TOLD(1, Mode.MEMORY, edit(
        "engine/gateway", "io.escapement.gateway.Places",
        "if (null != place.session.connection || place.session.isOver)",
        "if (place.goneReason >= 0)")),
    /** The engine does not hear that a player's connection was lost. */
    AWAY_NOT_SENT(1, Mode.MEMORY, edit(
        "engine/gateway", "io.escapement.gateway.Places",
        "            place.hasAwayToSend = true;\n            list(place);\n        }\n    }\n\n" +
        "    /** The session has a connection",
        "            place.hasLostState = false;\n        }\n    }\n\n" +
        "    /** The session has a connection")),
    /** An event is sent twice. */
    EVENT_TWICE(1, Mode.SYNCED, edit(
        "engine/gateway", "io.escapement.gateway.Sessions",
        "connection.sendEvent(shared, length);",
        "connection.sendEvent(shared, length);\n" +
        "            if (length > 0 && connection.queuedBytes() > 512)\n            {\n" +
        "                connection.sendEvent(shared, length);\n            }")),
    /** Messages that the blocked trunk did not take are dropped. */
    HELD_MESSAGES_DROPPED(16, Mode.RECORDED, edit(
        "engine/gateway", "io.escapement.gateway.PlayerConnection",
        "if (!dispatch(heldView, 0))",
        "if (!dispatch(heldView, 0) && heldBytes < 0)")),
    /** The place of a player who has left stays. */
    PLACE_NOT_GIVEN_BACK(2, Mode.GROUP, edit(
        "engine/gateway", "io.escapement.gateway.Places",
        "        for (Place parted = partings.poll(nowNs); null != parted; parted = partings.poll(nowNs))\n" +
        "        {\n            remove(parted);\n        }\n",
        "")),
    /** A seat's Leave that was lost with the trunk is not sent again. */
    LEAVE_LOST_WITH_TRUNK(15, Mode.GROUP, edit(
        "engine/gateway", "io.escapement.gateway.Places",
        "        else if (place.isLeaving)\n",
        "        else if (place.isLeaving && place.isGone)\n")),
    /** A state that a slow player did not get is not asked for again. */
    LOST_STATE_NOT_REPORTED(2, Mode.MEMORY, edit(
        "engine/gateway", "io.escapement.gateway.Places",
        "            withLostState.add(place);\n",
        "")),
    /** The proposals of a deposed leader run, behind those of the next one. */
    STALE_INCARNATION_TAKEN(1, Mode.GROUP, edit(
        "engine/rooms", "io.escapement.rooms.replay.ProposalRunner",
        "if (reader.incarnation() < host.incarnation() || reader.number() <= lastProposal())",
        "if (reader.number() < 0)"), edit(
        "engine/rooms", "io.escapement.rooms.replay.ProposalRunner",
        "if (!isNext || reader.incarnation() != host.incarnation() && !RoomTurns.beginsIncarnation(reader))",
        "if (reader.incarnation() > host.incarnation() && !RoomTurns.beginsIncarnation(reader))"));

    private final int seed;
    private final Mode mode;
    private final List<SourceEdit> edits;

    LedgerMutant(final int seed, final Mode mode, final SourceEdit... edits)
    {
        this.seed = seed;
        this.mode = mode;
        this.edits = List.of(edits);
    }

    /** A seed that finds it. */
    int seed()
    {
        return seed;
    }

    /** The mode that is needed to find it. */
    Mode mode()
    {
        return mode;
    }

    /** A pattern of the text by which it is found. Rooms of another build are found without it as well. */
    String finding()
    {
        return HASH_NOT_COMPARED == this ? "answered with position" : "";
    }

    List<SourceEdit> edits()
    {
        return edits;
    }

    LedgerGame.Kind kind()
    {
        return switch (this)
        {
            case HASH_NOT_COMPARED -> LedgerGame.Kind.OTHER_BUILD;
            case RETURNS_LOST_AT_TAKEOVER -> LedgerGame.Kind.WAITING_RETURNS;
            default -> edits.get(0).module().endsWith("gateway") ? LedgerGame.Kind.BROWSERS : LedgerGame.Kind.PLAIN;
        };
    }

    private static SourceEdit edit(final String module, final String name, final String from, final String to)
    {
        return new SourceEdit(module, name, from, to);
    }
}
