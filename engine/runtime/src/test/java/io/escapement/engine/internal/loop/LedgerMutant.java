package io.escapement.engine.internal.loop;

import java.util.List;

/** A fault that is planted in the product's source, and the text by which a rig with ledger rooms finds it. */
enum LedgerMutant
{
    /** A turn runs before the tail has its record. */
    ACK_BEFORE_APPEND("(was acknowledged, and is lost|signals arrived)", true, false, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalLog",
        "proposed += length;\n        tail.stored(proposed);",
        "tail.stored(proposed);\n        proposed += length;")),
    /** At SYNCED a turn counts as committed before it is on the disk. */
    SKIPPED_SYNC_WAIT("was acknowledged, and is lost", true, true, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.JournalLog",
        "return tail.synced();\n        }\n        return isTailKept",
        "return proposed;\n        }\n        return isTailKept")),
    /** A new incarnation drops the commands that rooms have sent to rooms of their loop. */
    RETURNS_LOST_AT_TAKEOVER("out of order", false, false, edit(
        "engine/rooms", "io.escapement.rooms.internal.loop.LoopLedger",
        "public void sendAgain()\n    {",
        "public void sendAgain()\n    {\n        while (0 != returns.count())\n" +
            "        {\n            returns.drop();\n        }")),
    /** The requests of the last incarnation count as sent. */
    REQUESTS_NOT_ISSUED_AGAIN("has no effect", false, false, edit(
        "engine/rooms", "io.escapement.rooms.internal.loop.LoopLedger",
        "public void sendAgain()\n    {\n        requests.sendAgain();",
        "public void sendAgain()\n    {\n        sendRequests((buffer, offset, length) -> true);")),
    /** A room takes a message whose sequence is not above the last one. */
    OLD_SEQUENCE_OFF("runs behind", false, false, edit(
        "engine/rooms", "io.escapement.rooms.host.RoomInstance",
        "if (sequence <= seat.lastSequence())",
        "if (sequence < 0)")),
    /** A new incarnation leaves the links of the last one up. */
    LINKS_NOT_TAKEN_DOWN("nobody sent it", false, false, edit(
        "engine/rooms", "io.escapement.rooms.host.HostCommands",
        "if (links.isUp(link))\n            {\n                linkDown(link);",
        "if (links.isUp(link) && link < 0)\n            {\n                linkDown(link);")),
    /** A host that computes other output goes on. */
    HASH_NOT_COMPARED("answered with position", false, false, edit(
        "engine/rooms", "io.escapement.rooms.replay.ProposalRunner",
        "if (hashes[index] != hash)",
        "if (hashes[index] != hash && turn < 0)")),
    /** A recovery forgets the bytes that only the tail has. */
    TAIL_NOT_WRITTEN_OUT("was acknowledged, and is lost", true, false, edit(
        "engine/runtime", "io.escapement.engine.internal.durable.Recovery",
        "final long held = writeOutTail();",
        "final long held = 0;")),
    /** Bytes that a power loss has torn are taken for a record, whatever their checksum is. */
    TORN_TAIL_KEPT("a start is refused.*MALFORMED", true, true, edit(
        "engine/rooms", "io.escapement.rooms.log.LogRecords",
        "return check == buffer.getInt(offset + CHECK_OFFSET, LITTLE_ENDIAN) &&\n            " +
        "(!isProposal(kind(buffer, offset), bodyLength) || check == ProposalReader.check(buffer, bodyOffset)) &&",
        "return 0 != check &&")),
    /** The proposals of a deposed leader run, behind those of the next one. */
    STALE_INCARNATION_TAKEN(".*", false, true, edit(
        "engine/rooms", "io.escapement.rooms.replay.ProposalRunner",
        "if (reader.incarnation() < host.incarnation() || reader.number() <= lastProposal())",
        "if (reader.number() < 0)"), edit(
        "engine/rooms", "io.escapement.rooms.replay.ProposalRunner",
        "if (!isNext || reader.incarnation() != host.incarnation() && !beginsIncarnation())",
        "if (reader.incarnation() > host.incarnation() && !beginsIncarnation())"));

    private final String finding;
    private final boolean isJournal;
    private final boolean isSynced;
    private final List<SourceEdit> edits;

    LedgerMutant(final String finding, final boolean isJournal, final boolean isSynced, final SourceEdit... edits)
    {
        this.finding = finding;
        this.isJournal = isJournal;
        this.isSynced = isSynced;
        this.edits = List.of(edits);
    }

    /** A pattern of the text by which it is found. */
    String finding()
    {
        return finding;
    }

    /** Whether the rig needs real journals to find it. */
    boolean isJournal()
    {
        return isJournal;
    }

    boolean isSynced()
    {
        return isSynced;
    }

    List<SourceEdit> edits()
    {
        return edits;
    }

    LedgerRig.Kind kind()
    {
        return switch (this)
        {
            case HASH_NOT_COMPARED -> LedgerRig.Kind.OTHER_BUILD;
            case RETURNS_LOST_AT_TAKEOVER -> LedgerRig.Kind.WAITING_RETURNS;
            default -> LedgerRig.Kind.PLAIN;
        };
    }

    private static SourceEdit edit(final String module, final String name, final String from, final String to)
    {
        return new SourceEdit(module, name, from, to);
    }
}
