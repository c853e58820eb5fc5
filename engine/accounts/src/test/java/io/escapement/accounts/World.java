package io.escapement.accounts;

import io.escapement.engine.spi.LogInService;
import io.escapement.testsupport.Tests;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Accounts on a database with fault injection, and the errors they report. */
final class World implements AutoCloseable
{
    /** The cheapest cost that is not of a demo account. */
    static final PasswordCost CHEAP = new PasswordCost(1_024, 1, 1);
    static final String PASSWORD = "s3cret-of-all";
    static final long TRUNK = 77;
    /** Timeout for tests of a database that stays down. */
    static final long SHORT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(50);

    record Answer(int status, long playerId)
    {
    }

    final FaultySource database = new FaultySource();
    final List<Throwable> faults = new CopyOnWriteArrayList<>();
    final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final Accounts accounts;
    private final ServiceClient client;
    private volatile byte[] session = new byte[0];

    World(final String url)
    {
        this(url, UnaryOperator.identity());
    }

    World(final String url, final UnaryOperator<AccountsContext> options)
    {
        accounts = Accounts.launch(options.apply(new AccountsContext()
            .databaseUrl(url)
            .passwordCost(CHEAP)
            .databaseTimeoutNs(TimeUnit.SECONDS.toNanos(10))
            .minRetryNs(TimeUnit.MILLISECONDS.toNanos(1))
            .maxRetryNs(TimeUnit.MILLISECONDS.toNanos(10))
            .epochClock(nowMs::get)
            .errorHandler(faults::add)
            .dataSourceWrapper(database::wrap)));
        client = new ServiceClient(accounts);
    }

    /** Credentials without a password that the last log-in was answered with. */
    byte[] session()
    {
        return session.clone();
    }

    Accounts accounts()
    {
        return accounts;
    }

    Answer signUp(final String name)
    {
        return logIn(Credentials.signUp(name, bytes(PASSWORD), "10.0.0.1"));
    }

    Answer logIn(final String name, final String password)
    {
        return logIn(Credentials.logIn(name, bytes(password), "10.0.0.1"));
    }

    Answer logIn(final byte[] credentials)
    {
        return await(submit(credentials));
    }

    BlockingQueue<Answer> submit(final byte[] credentials)
    {
        return submit(credentials, (answer) -> {});
    }

    /** The observer sees an answer in the thread that gives it, before the queue has it. */
    BlockingQueue<Answer> submit(final byte[] credentials, final Consumer<Answer> observer)
    {
        final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        final LogInService.Reply reply = new LogInService.Reply()
        {
            @Override
            public void onReply(final int status, final long playerId)
            {
                final Answer answer = new Answer(status, playerId);
                observer.accept(answer);
                answers.add(answer);
            }

            @Override
            public void onReply(final int status, final long playerId, final byte[] newSession)
            {
                session = newSession;
                onReply(status, playerId);
            }
        };
        accounts.logIn().logIn(TRUNK, credentials, reply);
        assertEquals(0, new UnsafeBuffer(credentials).compareTo(new UnsafeBuffer(new byte[credentials.length])),
            "the credentials are cleared");
        return answers;
    }

    static Answer await(final BlockingQueue<Answer> answers)
    {
        Tests.await(() -> !answers.isEmpty(), "an answer");
        return answers.remove();
    }

    /** Signs up; returns the account id. */
    long account(final String name)
    {
        final Answer answer = signUp(name);
        assertEquals(0, answer.status(), "sign-up of " + name);
        return answer.playerId();
    }

    /** Returns the id of the new character, or the complement of a status. */
    long create(final long accountId, final long keyHigh, final long keyLow, final String name)
    {
        return client.create(accountId, keyHigh, keyLow, name);
    }

    int delete(final long accountId, final long keyHigh, final long keyLow, final long characterId)
    {
        return client.delete(accountId, keyHigh, keyLow, characterId);
    }

    int save(final long accountId, final long keyHigh, final long keyLow, final long characterId, final int kills)
    {
        return client.save(accountId, keyHigh, keyLow, characterId, kills);
    }

    /** Null if the request is refused. */
    List<ServiceClient.Listed> list(final long accountId)
    {
        return client.list(accountId);
    }

    ServiceClient client()
    {
        return client;
    }

    /** The first column of the first row. */
    long number(final String sql, final long... parameters)
    {
        return Long.parseLong(text(sql, parameters));
    }

    String text(final String sql, final long... parameters)
    {
        try (Connection connection = accounts.dataSource().getConnection();
            PreparedStatement statement = connection.prepareStatement(sql))
        {
            for (int i = 0; i < parameters.length; i++)
            {
                statement.setLong(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery())
            {
                rows.next();
                final String text = rows.getString(1);
                connection.rollback();
                return text;
            }
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Stack traces of all errors, with their causes. */
    String errorText()
    {
        final StringWriter text = new StringWriter();
        faults.forEach((fault) -> fault.printStackTrace(new PrintWriter(text, true)));
        return text.toString();
    }

    @Override
    public void close()
    {
        accounts.close();
        final String text = errorText();
        assertEquals(-1, text.indexOf(AllLogs.MARK), () -> "an error contains a secret: " + text);
        assertEquals(-1, text.indexOf("$argon2id$"), () -> "an error contains a hash: " + text);
    }

    static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
