package io.escapement.accounts;

import io.escapement.accounts.codec.CharacterCreatedEncoder;
import io.escapement.accounts.codec.CharacterListEncoder;
import io.escapement.accounts.codec.CreateCharacterDecoder;
import io.escapement.accounts.codec.DeleteCharacterDecoder;
import io.escapement.accounts.codec.ListCharactersDecoder;
import io.escapement.accounts.codec.MessageHeaderDecoder;
import io.escapement.accounts.codec.MessageHeaderEncoder;
import io.escapement.accounts.codec.SaveProgressDecoder;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.spi.AsyncService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A worker of the account service: does what rooms ask about an account's characters. The order key of a request is the
 * account's id. {@link Accounts#service()} makes one for each of the engine's workers.
 *
 * <p>When the database is away a list, a create or a delete waits, and is refused with DATABASE_DOWN when that takes
 * too long; what was refused so may have been done all the same if the answer was lost, and the same key asked again
 * tells.
 * A save does not wait: it is answered with SAVE_HELD, kept in memory, the latest of each character alone, and written
 * by the saver thread or before the next request, whichever comes first. Status 0 means that a save is in the database.
 */
public final class AccountService implements AsyncService, AutoCloseable
{
    private static final int SAVES_A_TRANSACTION = 128;
    private static final long PRUNE_INTERVAL_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final CreateCharacterDecoder create = new CreateCharacterDecoder();
    private final DeleteCharacterDecoder delete = new DeleteCharacterDecoder();
    private final SaveProgressDecoder save = new SaveProgressDecoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final CharacterListEncoder list = new CharacterListEncoder();
    private final CharacterCreatedEncoder created = new CharacterCreatedEncoder();
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final EpochClock epochClock;
    private final ErrorHandler errorHandler;
    private final long effectKeepMs;
    private final Thread saver;

    /** The worker's thread and its saver's take turns; what follows belongs to the one that has it. */
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isNeeded = lock.newCondition();
    private final RetryingDatabase lane;
    private final WriteBehindSaves held;
    private boolean isClosed;

    AccountService(final Accounts accounts, final AccountsContext context)
    {
        epochClock = context.epochClock();
        errorHandler = context.errorHandler();
        effectKeepMs = TimeUnit.NANOSECONDS.toMillis(context.keepKeysNs());
        lane = new RetryingDatabase(accounts.dataSource(), context);
        held = new WriteBehindSaves(context.heldSaveLimit(), accounts.heldByAll());
        saver = context.threadFactory().newThread(this::saveHeld);
        saver.setName("escapement-accounts-saver");
        saver.start();
    }

    @Override
    public int onRequest(final Request request)
    {
        final int code = AccountMessages.RULES.validate(request.buffer(), request.offset(), request.length());
        if (RefusalCode.NONE.value() != code)
        {
            return ~code;
        }
        message.wrap(request.buffer(), request.offset(), request.length());
        lock.lock();
        try
        {
            return done(request);
        }
        catch (final DatabaseDownException ex)
        {
            return ~AccountCode.DATABASE_DOWN.value();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Writes what is held, if the database is there, and says what is left. */
    @Override
    public void close()
    {
        lock.lock();
        try
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
            isNeeded.signalAll();
            writeHeld(true);
        }
        catch (final DatabaseDownException ex)
        {
            errorHandler.onError(new DatabaseException(held.size() + " held saves are lost: the database is away"));
        }
        finally
        {
            lock.unlock();
        }
        try
        {
            saver.join(JOIN_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private int done(final Request request) throws DatabaseDownException
    {
        final long accountId = request.orderKey();
        switch (SchemaRules.templateId(message, 0))
        {
            case ListCharactersDecoder.TEMPLATE_ID:
                writeHeld(true);
                return lane.perform("list", (connection) ->
                    Characters.list(connection, accountId, list, headerEncoder, request.reply()));

            case CreateCharacterDecoder.TEMPLATE_ID:
                return onCreate(request, accountId);

            case DeleteCharacterDecoder.TEMPLATE_ID:
                return onDelete(accountId);

            default:
                return onSave(accountId);
        }
    }

    private int onCreate(final Request request, final long accountId) throws DatabaseDownException
    {
        create.wrapAndApplyHeader(message, 0, headerDecoder);
        final long keyHigh = create.keyHigh();
        final long keyLow = create.keyLow();
        final String name = create.name();
        if (!Names.isGood(name))
        {
            return ~AccountCode.BAD_NAME.value();
        }
        writeHeld(true);
        final Result outcome = lane.perform("create", (connection) ->
            Characters.create(connection, accountId, keyHigh, keyLow, name, epochClock.time()));
        if (0 != outcome.status())
        {
            return ~outcome.status();
        }
        created.wrapAndApplyHeader(request.reply(), 0, headerEncoder).characterId(outcome.value());
        return MessageHeaderEncoder.ENCODED_LENGTH + created.encodedLength();
    }

    private int onDelete(final long accountId) throws DatabaseDownException
    {
        delete.wrapAndApplyHeader(message, 0, headerDecoder);
        final long keyHigh = delete.keyHigh();
        final long keyLow = delete.keyLow();
        final long characterId = delete.characterId();
        writeHeld(true);
        final Result outcome = lane.perform("delete", (connection) ->
            Characters.delete(connection, accountId, keyHigh, keyLow, characterId, epochClock.time()));
        return 0 == outcome.status() ? 0 : ~outcome.status();
    }

    private int onSave(final long accountId)
    {
        save.wrapAndApplyHeader(message, 0, headerDecoder);
        final Save wanted = new Save(accountId, save.characterId(), save.keyHigh(), save.keyLow(),
            save.kills(), save.deaths(), save.mapId(), save.x(), save.y());
        if (wanted.kills() < 0 || wanted.deaths() < 0 || !Double.isFinite(wanted.x()) || !Double.isFinite(wanted.y()))
        {
            return ~RefusalCode.BAD_VALUE.value();
        }
        try
        {
            // Behind those that came before it, or an older save of this character would come after it.
            writeHeld(false);
            final Result outcome = lane.performNow("save", (connection) -> Characters.save(connection, wanted));
            return 0 == outcome.status() ? 0 : ~outcome.status();
        }
        catch (final DatabaseDownException ex)
        {
            if (held.hold(wanted))
            {
                isNeeded.signal();
                return ~AccountCode.SAVE_HELD.value();
            }
            return ~AccountCode.DATABASE_DOWN.value();
        }
    }

    /** Also before each request, which has to see what was asked before it. */
    private void writeHeld(final boolean isToWait) throws DatabaseDownException
    {
        while (!held.isEmpty())
        {
            final List<Save> saves = held.next(SAVES_A_TRANSACTION);
            try
            {
                lane.perform(isToWait, "held saves", (connection) ->
                {
                    for (final Save next : saves)
                    {
                        Characters.save(connection, next);
                    }
                    return null;
                });
            }
            catch (final DatabaseException ex)
            {
                errorHandler.onError(ex);
                writeOneByOne(isToWait, saves);
            }
            held.remove(saves);
        }
    }

    /** One that can never be written must not keep the others from it. */
    private void writeOneByOne(final boolean isToWait, final List<Save> saves) throws DatabaseDownException
    {
        for (final Save next : saves)
        {
            try
            {
                lane.perform(isToWait, "held save", (connection) -> Characters.save(connection, next));
            }
            catch (final DatabaseException ex)
            {
                errorHandler.onError(ex);
            }
            held.remove(List.of(next));
        }
    }

    /** The saver's thread. */
    private void saveHeld()
    {
        long nextPruneNs = PRUNE_INTERVAL_NS;
        lock.lock();
        try
        {
            while (!isClosed)
            {
                final long waitNs = held.isEmpty() ? nextPruneNs : lane.untilTryNs();
                if (waitNs > 0)
                {
                    final long leftNs = isNeeded.awaitNanos(waitNs);
                    nextPruneNs = held.isEmpty() ? leftNs : nextPruneNs;
                }
                else
                {
                    saveOrPrune();
                    nextPruneNs = PRUNE_INTERVAL_NS;
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Forgets keys that nobody will ask with again. */
    int prune() throws DatabaseDownException
    {
        lock.lock();
        try
        {
            return lane.performNow("old keys",
                (connection) -> IdempotencyKeys.prune(connection, epochClock.time() - effectKeepMs));
        }
        finally
        {
            lock.unlock();
        }
    }

    private void saveOrPrune()
    {
        try
        {
            if (held.isEmpty())
            {
                prune();
            }
            else
            {
                writeHeld(false);
            }
        }
        catch (final DatabaseDownException ex)
        {
            // The lane knows when to look again.
            return;
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }
}
