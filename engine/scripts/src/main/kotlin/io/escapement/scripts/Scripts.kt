package io.escapement.scripts

import io.escapement.codecs.layout.SchemaRules
import io.escapement.rooms.Room
import io.escapement.rooms.Seat
import io.escapement.rooms.StateHash
import io.escapement.rooms.StateReader
import io.escapement.rooms.StateWriter
import java.util.function.Supplier
import kotlin.coroutines.cancellation.CancellationException
import kotlin.coroutines.intrinsics.createCoroutineUnintercepted
import kotlin.coroutines.resume
import org.agrona.DirectBuffer

/**
 * The scripts that one room runs. Its logic forwards the callbacks that scripts wait for; scripts go on within that
 * callback, in the order in which they were started. A script that is started runs at once up to its first wait.
 *
 * A throw in a script ends it and leaves the callback, so the room fails, unless its `onError` goes on; the scripts behind
 * it do not get that event. The test of a wait throws where its script waits. Scripts may start and cancel scripts.
 *
 * @param room      of the logic.
 * @param limit     most scripts that run at the same time, 1 to [MAX_LIMIT].
 * @param timerKind of the timers that scripts wait for. The logic has no other timers of this kind.
 */
public class Scripts(internal val room: Room, private val limit: Int, private val timerKind: Int)
{
    internal val arrival = Arrival()
    internal var frame = 0L
    private val slots: Array<Waits?>
    private val types = ArrayList<ScriptType>()
    private var first: Waits? = null
    private var last: Waits? = null
    private var walk: Waits? = null
    private var isDelivering = false
    private var lastNumber = 0L
    /** No slot below it is free. */
    private var lowestFree = 0

    /** Number of scripts that run. */
    public var running: Int = 0
        private set

    init
    {
        require(limit in 1..MAX_LIMIT) { "limit must be 1 to $MAX_LIMIT: $limit" }
        slots = arrayOfNulls(limit)
    }

    /**
     * Register scripts that can be part of a snapshot. Each start of the room registers the same.
     *
     * @param name    of the script, for snapshots and exceptions.
     * @param version of the script; a snapshot of another version is refused.
     * @param type    of the scripts.
     * @param make    makes a script, whose fields are then read from the snapshot.
     */
    public fun <S> relaunch(name: String, version: Int, type: Class<S>, make: Supplier<S>): Scripts
        where S : Script, S : Relaunchable
    {
        require(types.none { it.name == name || it.type == type }) { "$name or ${type.name} is registered already" }
        types.add(ScriptType(name, version, type, make))
        return this
    }

    /**
     * Start a script, and run it up to its first wait.
     *
     * @return its id, or [NO_SCRIPT] when as many run as the limit allows.
     */
    public fun start(script: Script): Long
    {
        if (running == limit)
        {
            return NO_SCRIPT
        }

        var slot = lowestFree
        while (null != slots[slot])
        {
            slot++
        }
        lowestFree = slot + 1
        val waits = add(Waits(this, script, (++lastNumber shl SLOT_BITS) or slot.toLong()))
        settle(waits) { begin(waits) }
        return waits.id
    }

    /**
     * Cancel a script: its wait throws a CancellationException, so that its `finally` blocks run, which cannot wait. A
     * script that cancels itself ends at its next wait.
     *
     * @return true when the script was running.
     */
    public fun cancel(id: Long): Boolean
    {
        val waits = find(id)
        if (null == waits || waits.isCancelled)
        {
            return false
        }
        settle(waits) { waits.cancel() }
        return true
    }

    /** Cancel all scripts that run now, in the order in which they were started, and return their number. */
    public fun cancelAll(): Int
    {
        val ids = ArrayList<Long>()
        var waits = first
        while (null != waits)
        {
            ids.add(waits.id)
            waits = waits.next
        }
        return ids.count { cancel(it) }
    }

    /** Whether a script runs. */
    public fun isRunning(id: Long): Boolean = null != find(id)

    /** A frame: call this in onFrame. */
    public fun onFrame()
    {
        frame = room.frame()
        deliver(Wait.FRAME)
    }

    /**
     * A timer: call this in onTimer, with the arguments of that.
     *
     * @return true when it was the timer of a script.
     */
    public fun onTimer(handle: Long, kind: Int, tag: Long): Boolean
    {
        if (timerKind != kind)
        {
            return false
        }
        val waits = find(tag)
        if (null != waits && waits.timer == handle)
        {
            waits.timer = Room.NO_TIMER
            delivering { offer(waits, Wait.TIME) }
        }
        return true
    }

    /**
     * A message: call this in onMessage, after the handler of the message, if that found it valid.
     *
     * @return true when a script was waiting for it.
     */
    public fun onMessage(from: Seat, buffer: DirectBuffer, offset: Int, length: Int): Boolean
    {
        arrival.from = from
        arrival.templateId = if (length < SBE_HEADER_LENGTH) -1 else SchemaRules.templateId(buffer, offset)
        arrival.set(buffer, offset, length)
        return deliver(Wait.MESSAGE)
    }

    /**
     * A signal: call this in onSignal, with the arguments of that.
     *
     * @return true when a script was waiting for it.
     */
    public fun onSignal(fromRoomId: Long, buffer: DirectBuffer, offset: Int, length: Int): Boolean
    {
        arrival.fromRoomId = fromRoomId
        arrival.set(buffer, offset, length)
        return deliver(Wait.SIGNAL)
    }

    /**
     * A reply: call this in onReply, with the arguments of that.
     *
     * @return true when a script was waiting for it.
     */
    public fun onReply(correlationId: Long, status: Int, buffer: DirectBuffer, offset: Int, length: Int): Boolean
    {
        arrival.correlationId = correlationId
        arrival.status = status
        arrival.set(buffer, offset, length)
        return deliver(Wait.REPLY)
    }

    /** The room changed: call this where a condition of [Waits.until] may have become true. */
    public fun onChange()
    {
        deliver(Wait.CHANGE)
    }

    /**
     * Write the scripts that run: call this in onSnapshot. A script that is not [Relaunchable], or not registered, is
     * part of the state hash by its wait, and refuses a snapshot.
     */
    public fun write(writer: StateWriter)
    {
        writer.putLong(lastNumber)
        writer.putInt(running)
        var next = first
        while (null != next)
        {
            val waits: Waits = next
            val type = typeOf(waits.script)
            check(null != type || writer is StateHash) {
                "a script of ${waits.script.javaClass.name} runs, which was not registered by relaunch"
            }
            writer.putLong(waits.id)
            writer.putLong(type?.fingerprint ?: 0L)
            writer.putInt(waits.events)
            writer.putLong(waits.timer)
            writer.putLong(waits.frame)
            writer.putLong(waits.request)
            if (null != type)
            {
                (waits.script as Relaunchable).onSnapshot(writer)
            }
            next = waits.next
        }
    }

    /** Relaunch the scripts of a snapshot: call this in onRestore, when all scripts are registered. */
    public fun read(reader: StateReader)
    {
        check(0L == lastNumber) { "scripts were started before the snapshot was read" }
        val newest = reader.getLong()
        val count = reader.getInt()
        check(count in 0..limit) { "$count scripts in a snapshot, the limit is $limit" }
        repeat(count) {
            readOne(reader, newest)
        }
        lastNumber = newest
    }

    internal fun setTimer(waits: Waits, delayNs: Long)
    {
        waits.timer = room.after(delayNs, timerKind, waits.id)
        check(Room.NO_TIMER != waits.timer) { "the room has no timer left for ${waits.script}: see RoomType.timers" }
    }

    internal fun cancelTimer(waits: Waits)
    {
        if (Room.NO_TIMER != waits.timer)
        {
            room.cancel(waits.timer)
            waits.timer = Room.NO_TIMER
        }
    }

    private fun readOne(reader: StateReader, newest: Long)
    {
        val id = reader.getLong()
        val before = last?.let { it.id ushr SLOT_BITS } ?: 0L
        val number = id ushr SLOT_BITS
        val slot = (id and SLOT_MASK).toInt()
        check(number in before + 1..newest && slot < limit && null == slots[slot]) { "script id $id in a snapshot" }
        val fingerprint = reader.getLong()
        val type = types.firstOrNull { it.fingerprint == fingerprint }
        check(null != type) { "a script of the snapshot is none of $types, or its version has changed since" }
        val script = type.make.get()
        val waits = add(Waits(this, script as Script, id))
        waits.events = reader.getInt()
        waits.timer = reader.getLong()
        waits.frame = reader.getLong()
        waits.request = reader.getLong()
        waits.isRelaunch = true
        (script as Relaunchable).onRestore(reader)
        begin(waits)
        if (null != waits.failure)
        {
            throw IllegalStateException("the relaunch of $type failed", waits.failure)
        }
        check(waits.isWaiting()) { "the relaunch of $type ended, and came to no wait" }
        waits.isRelaunch = false
    }

    private fun typeOf(script: Script) = types.firstOrNull { it.type == script.javaClass }

    private fun find(id: Long): Waits?
    {
        val slot = (id and SLOT_MASK).toInt()
        val waits = if (slot < limit) slots[slot] else null
        return if (null != waits && waits.id == id) waits else null
    }

    private fun begin(waits: Waits)
    {
        val code: suspend Waits.() -> Unit = { with(waits.script) { run() } }
        code.createCoroutineUnintercepted(waits, Waits.Completion(waits)).resume(Unit)
    }

    private fun deliver(event: Int): Boolean
    {
        val newest = lastNumber
        var isTaken = false
        delivering {
            var waits = first
            while (null != waits && waits.id ushr SLOT_BITS <= newest)
            {
                walk = waits.next
                if (0 != (waits.events and event))
                {
                    isTaken = offer(waits, event) || isTaken
                }
                waits = walk
            }
        }
        return isTaken
    }

    private inline fun delivering(action: () -> Unit)
    {
        check(!isDelivering) { "a script called a callback of the Scripts that run it" }
        isDelivering = true
        try
        {
            action()
        }
        finally
        {
            isDelivering = false
            walk = null
            arrival.clear()
        }
    }

    private fun offer(waits: Waits, event: Int): Boolean
    {
        var thrown: Throwable? = null
        val index = try
        {
            waits.match(event)
        }
        catch (ex: Throwable)
        {
            thrown = ex
            -1
        }
        if (null != thrown)
        {
            fail(waits, thrown)
            return true
        }
        if (index < 0)
        {
            return false
        }
        if (waits.isWaiting())
        {
            settle(waits) { waits.resume(index) }
        }
        return true
    }

    /** The test of a wait threw: its script gets the throw where it waits. */
    private fun fail(waits: Waits, thrown: Throwable)
    {
        if (!waits.isWaiting())
        {
            // The test has cancelled its own script.
            throw thrown
        }
        settle(waits) { waits.fail(thrown) }
    }

    /** Let a script go on; if it ended, forget it, and throw what it threw. */
    private inline fun settle(waits: Waits, action: () -> Unit)
    {
        action()
        val failure = waits.failure
        if (waits.isEnded && isRunning(waits.id))
        {
            remove(waits)
        }
        waits.failure = null
        if (null != failure && !(waits.isCancelled && failure is CancellationException))
        {
            throw failure
        }
    }

    private fun add(waits: Waits): Waits
    {
        slots[(waits.id and SLOT_MASK).toInt()] = waits
        waits.previous = last
        if (null == last)
        {
            first = waits
        }
        else
        {
            last!!.next = waits
        }
        last = waits
        running++
        return waits
    }

    private fun remove(waits: Waits)
    {
        if (walk === waits)
        {
            walk = waits.next
        }
        if (null == waits.previous)
        {
            first = waits.next
        }
        else
        {
            waits.previous!!.next = waits.next
        }
        if (null == waits.next)
        {
            last = waits.previous
        }
        else
        {
            waits.next!!.previous = waits.previous
        }
        val slot = (waits.id and SLOT_MASK).toInt()
        slots[slot] = null
        lowestFree = minOf(lowestFree, slot)
        running--
    }

    private class ScriptType(
        val name: String, val version: Int, val type: Class<*>, val make: Supplier<*>)
    {
        val fingerprint: Long

        init
        {
            val hash = StateHash()
            name.forEach { hash.putInt(it.code) }
            hash.putInt(version)
            fingerprint = hash.value()
        }

        override fun toString() = "$name version $version"
    }

    public companion object
    {
        /** The id that stands for no script. */
        public const val NO_SCRIPT: Long = 0

        /** Most scripts that run in one room at the same time: each event looks at all of them. */
        public const val MAX_LIMIT: Int = 65_536

        private const val SLOT_BITS = 16
        private const val SLOT_MASK = (1L shl SLOT_BITS) - 1
        private const val SBE_HEADER_LENGTH = 8
    }
}
