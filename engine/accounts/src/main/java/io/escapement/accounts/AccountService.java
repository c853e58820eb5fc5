package io.escapement.accounts;

import io.escapement.accounts.codec.AccountsEncoder;
import io.escapement.accounts.codec.AccountsLayout;
import io.escapement.accounts.codec.CreateCharacterDecoder;
import io.escapement.accounts.codec.DeleteCharacterDecoder;
import io.escapement.accounts.codec.ListCharactersDecoder;
import io.escapement.accounts.codec.ListLeadersDecoder;
import io.escapement.accounts.codec.MessageHeaderDecoder;
import io.escapement.accounts.codec.SaveProgressDecoder;
import io.escapement.codecs.layout.SchemaRules;
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
 * A worker of the account service, which processes rooms' requests about an account's characters. The order key of a
 * request is the account id. {@link Accounts#service()} creates an instance for each of the engine's workers.
 *
 * <p>In a database outage list, create and delete wait until the timeout and are then refused with DATABASE_DOWN. Such
 * a request may have been committed if only the acknowledgement was lost. Repeating it with the same key returns its
 * result. A save does not wait: the worker answers SAVE_HELD, buffers the latest save of each character, and writes it
 * from the saver thread or before its next request. Status 0 means that the save is in the database.
 */
final class AccountService implements AsyncService, AutoCloseable
{
    private static final int SAVES_PER_TRANSACTION = 128;
    private static final long PRUNE_INTERVAL_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final CreateCharacterDecoder create = new CreateCharacterDecoder();
    private final DeleteCharacterDecoder delete = new DeleteCharacterDecoder();
    private final SaveProgressDecoder save = new SaveProgressDecoder();
    private final AccountsEncoder replies = new AccountsEncoder();
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final EpochClock epochClock;
    private final ErrorHandler errorHandler;
    private final long keyRetentionMs;
    private final Thread saver;

    /** Guards the fields below, which the worker's and the saver's thread share. */
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition saverWakeUp = lock.newCondition();
    private final RetryingDatabase database;
    private final WriteBehindSaves pending;
    private boolean isClosed;

    AccountService(final Accounts accounts, final AccountsContext context)
    {
        epochClock = context.epochClock();
        errorHandler = context.errorHandler();
        keyRetentionMs = TimeUnit.NANOSECONDS.toMillis(context.keyRetentionNs());
        database = new RetryingDatabase(accounts.dataSource(), context);
        pending = new WriteBehindSaves(context.pendingSaveLimit(), accounts.pendingSaveCount());
        saver = context.newThread("escapement-accounts-saver", this::runSaver);
        saver.start();
    }

    @Override
    public int onRequest(final Request request)
    {
        final int code = AccountsLayout.RULES.validate(request.buffer(), request.offset(), request.length());
        if (RefusalCode.NONE.value() != code)
        {
            return ~code;
        }
        message.wrap(request.buffer(), request.offset(), request.length());
        lock.lock();
        try
        {
            return process(request);
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

    /** Writes pending saves, and reports saves lost because the database is down. */
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
            saverWakeUp.signalAll();
            writePending(true);
        }
        catch (final DatabaseDownException ex)
        {
            errorHandler.onError(
                new DatabaseException(pending.size() + " pending saves are lost: the database is down"));
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

    private int process(final Request request) throws DatabaseDownException
    {
        final long accountId = request.orderKey();
        switch (SchemaRules.templateId(message, 0))
        {
            case ListCharactersDecoder.TEMPLATE_ID:
                writePending(true);
                return database.query("list", (connection) ->
                    Characters.list(connection, accountId, replies, request.reply()));

            case ListLeadersDecoder.TEMPLATE_ID:
                writePending(true);
                return database.query("leaders", (connection) ->
                    Characters.leaders(connection, accountId, replies, request.reply()));

            case CreateCharacterDecoder.TEMPLATE_ID:
                return onCreate(request, accountId);

            case DeleteCharacterDecoder.TEMPLATE_ID:
                return onDelete(accountId);

            case SaveProgressDecoder.TEMPLATE_ID:
                return onSave(accountId);

            default:
                return ~RefusalCode.UNKNOWN_TEMPLATE.value();
        }
    }

    private int onCreate(final Request request, final long accountId) throws DatabaseDownException
    {
        create.wrapAndApplyHeader(message, 0, headerDecoder);
        final long keyHigh = create.keyHigh();
        final long keyLow = create.keyLow();
        final String name = create.name();
        if (!Names.isValidCharacter(name))
        {
            return ~AccountCode.BAD_NAME.value();
        }
        writePending(true);
        final Result result = database.execute("create", (connection) ->
            Characters.create(connection, accountId, keyHigh, keyLow, name, epochClock.time()));
        if (0 != result.status())
        {
            return ~result.status();
        }
        return replies.characterCreated(request.reply(), 0, result.value());
    }

    private int onDelete(final long accountId) throws DatabaseDownException
    {
        delete.wrapAndApplyHeader(message, 0, headerDecoder);
        final long keyHigh = delete.keyHigh();
        final long keyLow = delete.keyLow();
        final long characterId = delete.characterId();
        writePending(true);
        final Result result = database.execute("delete", (connection) ->
            Characters.delete(connection, accountId, keyHigh, keyLow, characterId, epochClock.time()));
        return 0 == result.status() ? 0 : ~result.status();
    }

    private int onSave(final long accountId)
    {
        save.wrapAndApplyHeader(message, 0, headerDecoder);
        final Save latest = new Save(accountId, save.characterId(), save.keyHigh(), save.keyLow(),
            save.kills(), save.deaths(), save.mapId(), save.x(), save.y());
        if (latest.kills() < 0 || latest.deaths() < 0 ||
            !Double.isFinite(latest.x()) || !Double.isFinite(latest.y()))
        {
            return ~RefusalCode.BAD_VALUE.value();
        }
        try
        {
            // First, because a pending save of this character would overwrite this one later.
            writePending(false);
            final Result result = database.tryExecute("save", (connection) -> Characters.save(connection, latest));
            return 0 == result.status() ? 0 : ~result.status();
        }
        catch (final DatabaseDownException ex)
        {
            if (pending.put(latest))
            {
                saverWakeUp.signal();
                return ~AccountCode.SAVE_HELD.value();
            }
            return ~AccountCode.DATABASE_DOWN.value();
        }
    }

    /** Also called before each request, which must see the effect of earlier saves. */
    private void writePending(final boolean mayWait) throws DatabaseDownException
    {
        while (!pending.isEmpty())
        {
            final List<Save> saves = pending.peek(SAVES_PER_TRANSACTION);
            try
            {
                write(mayWait, "pending saves", (connection) ->
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
                writeOneByOne(mayWait, saves);
            }
            pending.remove(saves);
        }
    }

    /** Isolates a save that always fails. The other saves are then written. */
    private void writeOneByOne(final boolean mayWait, final List<Save> saves) throws DatabaseDownException
    {
        for (final Save next : saves)
        {
            try
            {
                write(mayWait, "pending save", (connection) -> Characters.save(connection, next));
            }
            catch (final DatabaseException ex)
            {
                errorHandler.onError(ex);
            }
            pending.remove(List.of(next));
        }
    }

    private <T> void write(
        final boolean mayWait, final String operation, final RetryingDatabase.Transaction<T> transaction)
        throws DatabaseDownException
    {
        if (mayWait)
        {
            database.execute(operation, transaction);
        }
        else
        {
            database.tryExecute(operation, transaction);
        }
    }

    /** The saver thread writes pending saves when an attempt is due, and prunes idempotency keys at an interval. */
    private void runSaver()
    {
        long nextPruneNs = PRUNE_INTERVAL_NS;
        lock.lock();
        try
        {
            while (!isClosed)
            {
                final long waitNs = pending.isEmpty() ? nextPruneNs : database.nsToNextAttempt();
                if (waitNs > 0)
                {
                    final long leftNs = saverWakeUp.awaitNanos(waitNs);
                    nextPruneNs = pending.isEmpty() ? leftNs : nextPruneNs;
                }
                else
                {
                    writeOrPrune();
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

    /** Deletes idempotency keys older than the retention time. */
    int prune() throws DatabaseDownException
    {
        lock.lock();
        try
        {
            return database.tryExecute("prune keys",
                (connection) -> IdempotencyKeys.prune(connection, epochClock.time() - keyRetentionMs));
        }
        finally
        {
            lock.unlock();
        }
    }

    private void writeOrPrune()
    {
        try
        {
            if (pending.isEmpty())
            {
                prune();
            }
            else
            {
                writePending(false);
            }
        }
        catch (final DatabaseDownException ex)
        {
            // Retried when the next attempt is due.
            return;
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }
}
