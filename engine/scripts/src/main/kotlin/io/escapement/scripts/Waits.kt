package io.escapement.scripts

import io.escapement.rooms.Room
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.RestrictsSuspension
import kotlin.coroutines.cancellation.CancellationException
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration

/** One of the events of [Waits.any]. */
public class Wait internal constructor(event: Int, number: Long, test: ((Arrival) -> Boolean)?)
{
    internal var event = event
        private set
    internal var number = number
        private set
    internal var test = test
        private set
    internal var condition: (() -> Boolean)? = null
        private set

    internal fun set(event: Int, number: Long, test: ((Arrival) -> Boolean)?, condition: (() -> Boolean)?): Wait
    {
        this.event = event
        this.number = number
        this.test = test
        this.condition = condition
        return this
    }

    public companion object
    {
        /** A number of frames, above 0. */
        @JvmStatic
        public fun frames(count: Int): Wait
        {
            return Wait(FRAME, checkedFrames(count), null)
        }

        /** A time, 0 or more. */
        @JvmStatic
        public fun after(delay: Duration): Wait = Wait(TIME, delay.inWholeNanoseconds, null)

        /** A message that passes a test. */
        @JvmStatic
        public fun message(test: (Arrival) -> Boolean): Wait = Wait(MESSAGE, 0, test)

        /** An SBE message of a template. */
        @JvmStatic
        public fun message(templateId: Int): Wait = Wait(MESSAGE, templateId.toLong(), null)

        /** A signal that passes a test. */
        @JvmStatic
        public fun signal(test: (Arrival) -> Boolean): Wait = Wait(SIGNAL, 0, test)

        /** The reply to a request of the room. */
        @JvmStatic
        public fun reply(correlationId: Long): Wait
        {
            return Wait(REPLY, checkedRequest(correlationId), null)
        }

        /** A change of the room, at [Scripts.onChange], after which a condition is true. */
        @JvmStatic
        public fun change(condition: () -> Boolean): Wait = Wait(0, 0, null).set(CHANGE, 0, null, condition)

        internal fun checkedFrames(count: Int): Long
        {
            require(count > 0) { "a number of frames must be above 0: $count" }
            return count.toLong()
        }

        internal fun checkedRequest(correlationId: Long): Long
        {
            require(Room.NO_REQUEST != correlationId) { "a request that was not made has no reply" }
            return correlationId
        }

        internal const val FRAME = 1
        internal const val TIME = 1 shl 1
        internal const val MESSAGE = 1 shl 2
        internal const val SIGNAL = 1 shl 3
        internal const val REPLY = 1 shl 4
        internal const val CHANGE = 1 shl 5

        /** These end with an [Arrival]. */
        internal const val ARRIVING = MESSAGE or SIGNAL or REPLY

        /** Of these one wait has one at most. */
        internal const val NUMBERED = FRAME or TIME or REPLY
    }
}

/** The waits of a script that runs, and what it waits for. */
@RestrictsSuspension
public class Waits internal constructor(
    private val scripts: Scripts,
    internal val script: Script,
    internal val id: Long)
{
    internal var next: Waits? = null
    internal var previous: Waits? = null
    internal var events = 0
    internal var timer = Room.NO_TIMER
    internal var frame = 0L
    internal var request = Room.NO_REQUEST
    internal var failure: Throwable? = null
    internal var isEnded = false
    internal var isCancelled = false
    internal var isRelaunch = false
    private var alternatives: Array<out Wait> = NONE
    private var single: Wait? = null
    /** Used again by each wait but [any], so that a wait allocates nothing. */
    private val own = Wait(0, 0, null)
    private var continuation: Continuation<Any?>? = null

    /** Wait for the next frame. The script goes on in onFrame. */
    public suspend fun nextFrame(): Unit =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.FRAME, 1) }

    /** Wait for a number of frames, skipped ones included. */
    public suspend fun frames(count: Int): Unit =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.FRAME, Wait.checkedFrames(count)) }

    /** Wait for a time, with a timer of the room. */
    public suspend fun after(delay: Duration): Unit =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.TIME, delay.inWholeNanoseconds) }

    /** Wait for an SBE message of a template. */
    public suspend fun message(templateId: Int): Arrival =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.MESSAGE, templateId.toLong()) }

    /** Wait for a message that passes a test. */
    public suspend fun message(test: (Arrival) -> Boolean): Arrival =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.MESSAGE, 0, test) }

    /** Wait for a signal that passes a test. */
    public suspend fun signal(test: (Arrival) -> Boolean): Arrival =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.SIGNAL, 0, test) }

    /** Wait for the reply to a request of the room, which is not [Room.NO_REQUEST]. */
    public suspend fun reply(correlationId: Long): Arrival =
        suspendCoroutineUninterceptedOrReturn { begin(it, Wait.REPLY, Wait.checkedRequest(correlationId)) }

    /** Wait until a condition is true. It is tested now, and at each [Scripts.onChange]. */
    public suspend fun until(condition: () -> Boolean): Unit = suspendCoroutineUninterceptedOrReturn {
        // In a snapshot of this wait, the condition may have become true without a call of onChange.
        val isHere = isRelaunch && Wait.CHANGE == events
        if (!isHere && condition()) Unit else begin(it, Wait.CHANGE, 0, null, condition)
    }

    /**
     * Wait for the first of several events. Only one of them can be for a time, one for frames, and one for a reply.
     *
     * @return the index of the one that came; of those that one event ends, the first.
     */
    public suspend fun any(vararg waits: Wait): Int
    {
        require(waits.size > 1) { "any takes 2 waits or more" }
        var numbered = 0
        for (wait in waits)
        {
            require(0 == (numbered and wait.event)) { "two waits of any are for a time, for frames or for a reply" }
            numbered = numbered or (wait.event and Wait.NUMBERED)
        }
        return suspendCoroutineUninterceptedOrReturn { begin(it, waits) }
    }

    /** Act, unless the script is being relaunched from a snapshot, where it has acted already. */
    public inline fun act(crossinline action: () -> Unit)
    {
        if (!isRelaunched)
        {
            action()
        }
    }

    /** Whether the script is on its way to the wait of a snapshot. */
    public val isRelaunched: Boolean
        get() = isRelaunch

    internal fun isWaiting() = null != continuation

    /** Whether an event of a kind ends the wait, and which one. */
    internal fun match(event: Int): Int
    {
        val only = single
        if (null != only)
        {
            return if (only.event == event && ends(only)) 0 else -1
        }
        val all = alternatives
        for (i in all.indices)
        {
            if (all[i].event == event && ends(all[i]))
            {
                return i
            }
            if (!isWaiting())
            {
                return -1
            }
        }
        return -1
    }

    internal fun resume(index: Int)
    {
        val only = single
        val value: Any = if (null == only) index else if (0 == (only.event and Wait.ARRIVING)) Unit else scripts.arrival
        leave().resume(value)
    }

    /** Throw at the wait what its test has thrown. */
    internal fun fail(thrown: Throwable)
    {
        leave().resumeWithException(thrown)
    }

    internal fun cancel()
    {
        isCancelled = true
        if (isWaiting())
        {
            leave().resumeWithException(CancellationException("the script was cancelled"))
        }
    }

    private fun leave(): Continuation<Any?>
    {
        val suspended = continuation!!
        forget()
        return suspended
    }

    private fun forget()
    {
        continuation = null
        single = null
        alternatives = NONE
        own.set(0, 0, null, null)
        events = 0
        frame = 0
        request = Room.NO_REQUEST
        scripts.cancelTimer(this)
    }

    private fun ends(wait: Wait): Boolean
    {
        val test = wait.test
        return when (wait.event)
        {
            Wait.FRAME -> scripts.frame >= frame + wait.number
            Wait.TIME -> true
            Wait.REPLY -> scripts.arrival.correlationId == wait.number
            Wait.CHANGE -> wait.condition!!()
            else -> if (null == test) scripts.arrival.templateId.toLong() == wait.number else test(scripts.arrival)
        }
    }

    private fun begin(
        suspended: Continuation<*>,
        event: Int,
        number: Long,
        test: ((Arrival) -> Boolean)? = null,
        condition: (() -> Boolean)? = null): Any
    {
        begin(suspended, event)
        single = own.set(event, number, test, condition)
        if (!isRelaunch)
        {
            arm(own)
        }
        return COROUTINE_SUSPENDED
    }

    private fun begin(suspended: Continuation<*>, waits: Array<out Wait>): Any
    {
        var all = 0
        waits.forEach { all = all or it.event }
        begin(suspended, all)
        alternatives = waits
        if (!isRelaunch)
        {
            waits.forEach(::arm)
        }
        return COROUTINE_SUSPENDED
    }

    private fun begin(suspended: Continuation<*>, newEvents: Int)
    {
        if (isCancelled)
        {
            throw CancellationException("a cancelled script waits")
        }
        // The timer, the frame and the request of a relaunch are those of the snapshot.
        check(!isRelaunch || events == newEvents) { "$script waits for other events than it did in the snapshot" }
        @Suppress("UNCHECKED_CAST")
        continuation = suspended as Continuation<Any?>
        events = newEvents
    }

    private fun arm(wait: Wait)
    {
        when (wait.event)
        {
            Wait.FRAME -> frame = scripts.room.frame()
            Wait.TIME -> setTimer(wait.number)
            Wait.REPLY -> request = wait.number
        }
    }

    private fun setTimer(delayNs: Long)
    {
        var isSet = false
        try
        {
            scripts.setTimer(this, delayNs)
            isSet = true
        }
        finally
        {
            if (!isSet)
            {
                // The script goes on from this throw, and does not wait.
                forget()
            }
        }
    }

    /** Learns that the code has ended. */
    internal class Completion(private val waits: Waits) : Continuation<Unit>
    {
        override val context: CoroutineContext
            get() = EmptyCoroutineContext

        override fun resumeWith(result: Result<Unit>)
        {
            waits.isEnded = true
            waits.failure = result.exceptionOrNull()
        }
    }

    private companion object
    {
        val NONE = arrayOf<Wait>()
    }
}
