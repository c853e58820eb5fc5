package io.escapement.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The states of a connection, by bytes and a test clock. */
class HttpConnectionTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Answers answers = new Answers();
    private final HttpConnections connections = new HttpConnections();
    private final Wire wire = new Wire(answers, answers, connections, "127.0.0.1");

    @Test
    void shouldAnswerOneRequestAfterAnother()
    {
        final String answer = wire.get("/health?a=b").received();
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
        for (final String header : List.of("content-length: 4\r\n", "connection: keep-alive\r\n", "X-One: of all\r\n",
            "Content-Type: text/plain; charset=utf-8\r\n"))
        {
            assertTrue(answer.contains(header), answer);
        }
        assertTrue(answer.endsWith("\r\n\r\nyes\n"), answer);
        final HttpRequest request = answers.requests.get(0);
        assertEquals(List.of("GET", "/health", "a=b", Map.of("host", "a"), 80), List.of(
            request.method(), request.path(), request.query(), request.headers(), request.port()));
        assertEquals(404, wire.get("/none").status());
        assertEquals(500, wire.get("/fault").status());
        assertEquals(200, wire.get("/health").status());
        assertTrue(wire.isOpen());
    }

    /** A handler that looks for one value matches neither of two. */
    @Test
    void shouldJoinTheValuesOfARepeatedHeader()
    {
        wire.send("GET /health HTTP/1.1\rHost: a\rHOST: b\r\r");
        assertEquals(Map.of("host", "a, b"), answers.requests.get(0).headers());
    }

    @Test
    void shouldLeaveTheBodyOutForHead()
    {
        final String answer = wire.send("HEAD /health HTTP/1.1\rHost: a\r\r").received();
        assertTrue(answer.contains("content-length: 4\r\n"), answer);
        assertTrue(answer.endsWith("\r\n\r\n"), answer);
    }

    @Test
    void shouldReadABodyInOnePieceAndInChunks()
    {
        wire.send("POST /health HTTP/1.1\rContent-Length: 4\r\r").send("ab");
        assertEquals("", wire.received());
        assertEquals(200, wire.send("cd").status());
        assertArrayEquals("abcd".getBytes(), answers.requests.get(0).body());
        wire.send("POST /health HTTP/1.1\rTransfer-Encoding: chunked\r\r2\rab\r1\rc\r");
        assertEquals(200, wire.send("0\r\r").status());
        assertArrayEquals("abc".getBytes(), answers.requests.get(1).body());
        assertEquals(200, wire.get("/health").status());
        assertEquals(0, answers.requests.get(2).body().length);
    }

    @Test
    void shouldAskForABodyThatTheClientHoldsBack()
    {
        final String head = "POST /health HTTP/1.1\rContent-Length: 2\rExpect: 100-continue\r\r";
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", wire.send(head).received());
        assertEquals(200, wire.send("ab").status());
    }

    @Test
    void shouldRefuseWhatIsTooLongOrNoRequest()
    {
        final String tooLong = "x".repeat(HttpConnection.HEAD_LENGTH);
        assertRefused(414, "GET /" + tooLong + " HTTP/1.1\r\r");
        assertRefused(431, "GET / HTTP/1.1\rA: " + tooLong + "\r\r");
        assertRefused(431, "GET / HTTP/1.1\r" + "Ab: c\r".repeat(HttpConnection.HEAD_LENGTH / 4) + "\r");
        assertRefused(413, "POST /health HTTP/1.1\rContent-Length: " + (HttpConnection.BODY_LENGTH + 1) + "\r\r");
        assertRefused(413, "POST /health HTTP/1.1\rTransfer-Encoding: chunked\r\r" +
            ("100\r" + "x".repeat(0x100) + "\r").repeat(5));
        assertRefused(400, "no request\r\r");
        assertRefused(400, "\u0000\u0001\u0002\r\r");
        assertRefused(400, "POST /health HTTP/1.1\rContent-Length: x\r\r");
        assertRefused(400, "POST /health HTTP/1.1\rContent-Length: 1\rContent-Length: 2\r\r");
        assertRefused(400, "POST /health HTTP/1.1\rTransfer-Encoding: chunked\r\rno length\r");
        assertEquals(List.of(), answers.requests);
    }

    /** The client gets the answer, and is closed when it stays. Its further requests reach nothing. */
    private void assertRefused(final int status, final String text)
    {
        final Wire client = new Wire(answers, answers, connections, "127.0.0.1");
        final String answer = client.send(text).received();
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), () -> status + ": " + answer);
        assertTrue(answer.contains("connection: close\r\n"), answer);
        assertTrue(answer.contains("X-Two: of all\r\n"), answer);
        assertEquals("", client.get("/health").received());
        assertTrue(client.isOpen());
        assertFalse(client.pass(HttpConnection.LEAVE_NS).isOpen());
    }

    @Test
    void shouldListTheMethods()
    {
        final String answer = wire.send("DELETE /health HTTP/1.1\r\r").received();
        assertTrue(answer.startsWith("HTTP/1.1 405 "), answer);
        assertTrue(answer.contains("allow: GET, HEAD, POST\r\n"), answer);
    }

    @Test
    void shouldCloseWhenTheClientWantsIt()
    {
        for (final String text : List.of("GET /health HTTP/1.1\rConnection: close\r\r", "GET /health HTTP/1.0\r\r"))
        {
            final Wire client = new Wire(answers, answers, connections, "127.0.0.1");
            assertTrue(client.send(text).received().contains("connection: close\r\n"));
            assertFalse(client.pass(HttpConnection.LEAVE_NS).isOpen());
        }
    }

    @Test
    void shouldCloseAConnectionAfterItsLastRequest()
    {
        for (int i = 1; i < HttpConnection.REQUEST_LIMIT; i++)
        {
            assertTrue(wire.get("/health").received().contains("connection: keep-alive\r\n"));
        }
        assertTrue(wire.get("/health").received().contains("connection: close\r\n"));
        assertFalse(wire.pass(HttpConnection.LEAVE_NS).isOpen());
    }

    /** A byte now and then buys no time. */
    @Test
    void shouldCloseAHalfSentRequestByItsDeadline()
    {
        wire.send("GET /health HTTP/1.1\rA: ");
        for (long ns = SECOND_NS; ns < HttpConnection.REQUEST_NS; ns += SECOND_NS)
        {
            assertTrue(wire.pass(SECOND_NS).send("x").isOpen());
        }
        assertEquals(408, wire.pass(SECOND_NS).status());
        assertFalse(wire.pass(HttpConnection.LEAVE_NS).isOpen());
    }

    @Test
    void shouldCloseAHalfSentBodyByTheSameDeadline()
    {
        assertEquals(200, wire.get("/health").status());
        wire.pass(SECOND_NS).send("POST /health HTTP/1.1\rContent-Length: 99\r\r");
        assertTrue(wire.pass(HttpConnection.REQUEST_NS - SECOND_NS).send("x").isOpen());
        assertEquals(408, wire.pass(SECOND_NS).status());
    }

    @Test
    void shouldCloseAConnectionThatSendsNothing()
    {
        assertTrue(wire.pass(HttpConnection.REQUEST_NS - 1).isOpen());
        assertFalse(wire.pass(1).isOpen());
        assertEquals("", wire.received());
        assertEquals(0, connections.size());
    }

    @Test
    void shouldKeepAConnectionForItsNextRequest()
    {
        for (int i = 0; i < 3; i++)
        {
            assertEquals(200, wire.get("/health").status());
            assertTrue(wire.pass(HttpConnection.IDLE_NS - 1).isOpen());
        }
        assertFalse(wire.pass(1).isOpen());
    }

    @Test
    void shouldCloseAnOldConnection()
    {
        for (long ns = 0; ns < HttpConnection.AGE_NS - SECOND_NS; ns += SECOND_NS)
        {
            assertTrue(wire.pass(SECOND_NS).get("/health").received().contains("connection: keep-alive\r\n"));
        }
        assertFalse(wire.pass(SECOND_NS).isOpen());
    }

    @Test
    void shouldCloseAConnectionThatGrowsOldDuringItsRequest()
    {
        for (long ns = SECOND_NS; ns < HttpConnection.AGE_NS; ns += SECOND_NS)
        {
            assertEquals(200, wire.pass(SECOND_NS).get("/health").status());
        }
        wire.get("/slow").pass(SECOND_NS);
        answers.work();
        assertTrue(wire.received().contains("connection: close\r\n"));
        assertFalse(wire.pass(HttpConnection.LEAVE_NS).isOpen());
    }

    @Test
    void shouldCloseAClientThatDoesNotTakeItsAnswer()
    {
        wire.hold(true);
        wire.get("/health");
        assertTrue(wire.connection().isWaiting());
        assertTrue(wire.pass(HttpConnection.ANSWER_NS - 1).isOpen());
        assertFalse(wire.pass(1).isOpen());
    }

    @Test
    void shouldHandleTheNextRequestWhenTheAnswerIsTaken()
    {
        wire.hold(true);
        wire.send("GET /health HTTP/1.1\r\rGET /slow HTTP/1.1\r\rGET /health HTTP/1.1\r\r");
        assertEquals(1, answers.requests.size());
        wire.hold(false);
        assertEquals(200, wire.status());
        assertEquals(2, answers.requests.size());
        answers.work();
        final String others = wire.received();
        assertTrue(others.indexOf("slow work") < others.indexOf("yes"), others);
        assertEquals(3, answers.requests.size());
        wire.pass(HttpConnection.ANSWER_NS);
        assertTrue(wire.isOpen());
    }

    @Test
    void shouldLeaveSlowWorkToAWorker()
    {
        wire.get("/slow");
        assertEquals("", wire.received());
        assertFalse(wire.connection().isWaiting());
        answers.work();
        final String answer = wire.received();
        assertTrue(answer.endsWith("slow work"), answer);
        assertTrue(answer.contains("Content-Type: " + Answers.TYPE), answer);
        assertTrue(answer.contains("X-One: own") && answer.contains("X-Two: of all"), answer);
        wire.get("/slow?busy");
        answers.work();
        assertEquals(503, wire.status());
        assertEquals(200, wire.get("/health").status());
    }

    @Test
    void shouldCloseAConnectionWhoseWorkerHangs()
    {
        wire.get("/slow");
        assertTrue(wire.pass(HttpConnection.WORK_NS - 1).isOpen());
        assertFalse(wire.pass(1).isOpen());
        answers.work();
        assertEquals("", wire.received());
        assertEquals(0, connections.size());
    }

    @Test
    void shouldAskTheClientToRetryWhenTheWorkersHaveTooMuch()
    {
        answers.isFull = true;
        final String answer = wire.get("/slow").received();
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.contains("retry-after: 1\r\n"), answer);
        assertEquals(200, wire.get("/health").status());
    }

    @Test
    void shouldDoNoWorkForAClientThatIsGone()
    {
        wire.get("/slow?busy").close();
        answers.work();
        assertEquals("", wire.received());
        assertEquals(0, connections.size());
    }

    @Test
    void shouldStreamInChunksAndSkipWhatTheClientCannotTake()
    {
        final String head = wire.get("/stream").received();
        assertTrue(head.contains("transfer-encoding: chunked\r\n"), head);
        assertTrue(head.endsWith("\r\n\r\n"), head);
        final HttpStream stream = answers.streams.get(0);
        stream.offer("one".getBytes(), SECOND_NS);
        assertEquals("", wire.received());
        assertEquals("3\r\none\r\n", wire.pass(SECOND_NS).received());
        // A stream has no age, and needs no bytes.
        assertTrue(wire.pass(2 * HttpConnection.AGE_NS).isOpen());
        wire.hold(true);
        stream.offer("two".getBytes(), 0);
        stream.offer("three".getBytes(), 0);
        wire.pass(SECOND_NS);
        wire.hold(false);
        assertEquals("3\r\ntwo\r\n", wire.received());
        stream.offer("four".getBytes(), 0);
        assertEquals("4\r\nfour\r\n", wire.received());
    }

    @Test
    void shouldCloseAStreamWhoseClientTakesNothing()
    {
        wire.get("/stream").received();
        final boolean[] isClosed = new boolean[1];
        final HttpStream stream = answers.streams.get(0);
        stream.onClose(() -> isClosed[0] = true);
        wire.hold(true);
        stream.offer("one".getBytes(), 0);
        assertTrue(wire.pass(0).pass(HttpConnection.ANSWER_NS - 1).isOpen());
        stream.offer("two".getBytes(), 0);
        assertFalse(isClosed[0]);
        assertFalse(wire.pass(1).isOpen());
        assertTrue(isClosed[0]);
        stream.offer("three".getBytes(), 0);
        assertEquals("", wire.received());
    }

    @Test
    void shouldCloseAStreamWhoseClientSendsMore()
    {
        wire.get("/stream").received();
        assertFalse(wire.get("/health").isOpen());
        assertEquals(1, answers.requests.size());
    }

    @Test
    void shouldStreamWithoutChunksToAnOldClient()
    {
        assertFalse(wire.send("GET /stream HTTP/1.0\r\r").received().contains("chunked"));
        answers.streams.get(0).offer("one".getBytes(), 0);
        assertEquals("one", wire.received());
    }
}
