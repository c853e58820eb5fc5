package io.escapement.server;

import io.escapement.codecs.Codes;
import io.escapement.codecs.JsonWriter;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomPast;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Moves a room through its past by lines of text, and prints its state there. */
final class Debugger
{
    static final String HELP = """
        seek TURN | start | end | last-failure    go to a turn
        seek 2026-11-30T14:03:05.2Z | 14:03:05    go to a time, of the day of the log's end
        step [N] [turn|frame|message]             go forward; the default is one turn
        back [N] [turn|frame|message]             go back
        break message NAME | seat N | refusal CODE | throw | hash HEX | FIELD [=|!=|<|> VALUE]
        breaks | clear                            list the breakpoints, or remove them
        run                                       go forward to the next breakpoint, or to the end
        show [PREFIX]                             print the room, or its values whose names begin so
        diff A B                                  compare the values after two turns
        what-if drop [N] | drop seat S            continue without the next N commands, or messages of a seat
        what-if send SEAT MESSAGE [FIELD=VALUE ...] | send SEAT bytes HEX
            continue with one more message, in the next turn of the room;
            each what-if prints the first turn that differs, and stays here
        trace FILE [N]                            write the next N turns as JSON lines; the default is all
        save FILE                                 write the room's log up to here in one piece, for a test
        quit
        """;

    private static final int INPUTS = 20;

    /** A condition to stop at, and its text. */
    private record Break(String text, BiPredicate<Map<String, Object>, Map<String, Object>> isHit)
    {
    }

    private final RoomPast past;
    private final Supplier<RoomPast> pasts;
    private final MessageText messages;
    private final PrintWriter out;
    private final List<Break> breaks = new ArrayList<>();

    /**
     * Begin where a past is.
     *
     * @param past  that the lines move.
     * @param pasts makes others of the same room.
     */
    Debugger(
        final RoomPast past, final Supplier<RoomPast> pasts, final MessageText messages, final PrintWriter out)
    {
        this.past = past;
        this.pasts = pasts;
        this.messages = messages;
        this.out = out;
    }

    /**
     * Execute a line.
     *
     * @return false if it is the last turn.
     * @throws IllegalArgumentException with the reason.
     */
    boolean execute(final String line)
    {
        final String[] words = line.trim().split("\\s+");
        switch (words[0])
        {
            case "" ->
            {
                // An empty line.
            }
            case "seek" -> seek(word(words, 1));
            case "step" -> move(words, past::step, past::stepFrame, past::stepMessage);
            case "back" -> move(words, past::back, past::backFrame, past::backMessage);
            case "break" -> addBreak(line.trim().substring("break".length()).trim());
            case "breaks" -> breaks.forEach((at) -> out.println("  " + at.text));
            case "clear" -> breaks.clear();
            case "run" -> run();
            case "show" -> show(words.length > 1 ? words[1] : "");
            case "diff" -> diff(number(word(words, 1)), number(word(words, 2)));
            case "what-if" -> whatIf(words);
            case "trace" -> trace(Path.of(word(words, 1)), words.length > 2 ? number(words[2]) : Long.MAX_VALUE);
            case "save" -> save(Path.of(word(words, 1)));
            case "help" -> out.print(HELP);
            case "quit", "exit" ->
            {
                return false;
            }
            default -> throw new IllegalArgumentException("unknown command: " + words[0] + " (help lists all)");
        }
        return true;
    }

    /** The place in one line. */
    String place()
    {
        return "turn " + past.turn() + (0 == past.message() ? "" : ", message " + past.message()) + ", " +
            Instant.ofEpochMilli(past.epochMs()) +
            (0 == past.message() ? past.isOpen() ? ", state " + Long.toHexString(past.stateHash()) : ", not open" : "");
    }

    private static String word(final String[] words, final int index)
    {
        if (index >= words.length)
        {
            throw new IllegalArgumentException(words[0] + ": a word is missing (help shows the forms)");
        }
        return words[index];
    }

    private static long number(final String text)
    {
        try
        {
            return Long.parseLong(text);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException(text + ": no number", ex);
        }
    }

    // Moves

    private void seek(final String where)
    {
        switch (where)
        {
            case "start" -> past.seek(0);
            case "end" -> past.seekEnd();
            case "last-failure" ->
            {
                if (!past.seekFailure())
                {
                    throw new IllegalArgumentException("the room has not failed in this log");
                }
            }
            default ->
            {
                if (where.matches("\\d+"))
                {
                    past.seek(number(where));
                }
                else
                {
                    past.seekTime(time(where).toEpochMilli());
                }
            }
        }
        showPlace();
    }

    private Instant time(final String text)
    {
        try
        {
            if (text.indexOf('T') > 0)
            {
                return Instant.parse(text);
            }
            final LocalTime time = LocalTime.parse(text);
            past.seekEnd();
            return Instant.ofEpochMilli(past.epochMs()).truncatedTo(ChronoUnit.DAYS).atZone(ZoneOffset.UTC)
                .with(time).toInstant();
        }
        catch (final DateTimeException ex)
        {
            throw new IllegalArgumentException(text + ": no turn and no time, such as 14:03:05.2", ex);
        }
    }

    private void move(
        final String[] words, final BooleanSupplier turn, final BooleanSupplier frame, final BooleanSupplier message)
    {
        final boolean hasCount = words.length > 1 && words[1].matches("\\d+");
        final long count = hasCount ? number(words[1]) : 1;
        final int unit = hasCount ? 2 : 1;
        final BooleanSupplier move = switch (words.length > unit ? words[unit] : "turn")
        {
            case "turn" -> turn;
            case "frame" -> frame;
            case "message" -> message;
            default -> throw new IllegalArgumentException(words[unit] + ": use turn, frame or message");
        };
        for (long i = 0; i < count; i++)
        {
            if (!move.getAsBoolean())
            {
                out.println("the log has no more");
                break;
            }
        }
        showPlace();
    }

    private void run()
    {
        Map<String, Object> before = values();
        while (past.stepOn())
        {
            final Map<String, Object> now = breaks.isEmpty() ? before : values();
            for (final Break at : breaks)
            {
                if (at.isHit.test(before, now))
                {
                    out.println("break " + at.text);
                    showPlace();
                    return;
                }
            }
            before = now;
        }
        out.println("the log has no more");
        showPlace();
    }

    private void showPlace()
    {
        out.println(place());
        past.refusals().forEach((code) -> out.println("  refused: " + Codes.nameOf(code)));
        for (Throwable thrown = past.thrown(); null != thrown; thrown = thrown.getCause())
        {
            out.println(thrown);
            Stream.of(thrown.getStackTrace()).forEach((frame) -> out.println("    at " + frame));
        }
    }

    // Breakpoints

    private void addBreak(final String text)
    {
        final String[] words = text.split("\\s+");
        final BiPredicate<Map<String, Object>, Map<String, Object>> isHit = switch (words[0])
        {
            case "" -> throw new IllegalArgumentException("break: a condition is missing (help shows the forms)");
            case "throw" -> (before, now) -> null != past.thrown();
            case "message" -> onMessage(word(words, 1));
            case "seat" -> onSeat(number(word(words, 1)));
            case "refusal" -> onRefusal(word(words, 1));
            case "hash" -> onHash(hash(word(words, 1)));
            default -> onField(words);
        };
        breaks.add(new Break(text, isHit));
    }

    private BiPredicate<Map<String, Object>, Map<String, Object>> onMessage(final String template)
    {
        return (before, now) -> past.message() > 0 &&
            messages.is(past.inputs(1).get(0).command(), past.typeId(), template);
    }

    private BiPredicate<Map<String, Object>, Map<String, Object>> onSeat(final long seat)
    {
        return (before, now) -> past.message() > 0 && MessageText.isMessage(past.inputs(1).get(0).command()) &&
            seat == MessageText.seat(past.inputs(1).get(0).command());
    }

    private BiPredicate<Map<String, Object>, Map<String, Object>> onRefusal(final String code)
    {
        return (before, now) -> past.refusals().stream()
            .anyMatch((found) -> code.equals(found.toString()) || code.equalsIgnoreCase(Codes.nameOf(found)));
    }

    private static long hash(final String text)
    {
        try
        {
            return Long.parseUnsignedLong(text, 16);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException(text + ": no hash", ex);
        }
    }

    private BiPredicate<Map<String, Object>, Map<String, Object>> onHash(final long hash)
    {
        return (before, now) -> 0 == past.message() && hash == past.stateHash();
    }

    /** Stops when the value changes, or starts to meet the comparison. */
    private BiPredicate<Map<String, Object>, Map<String, Object>> onField(final String[] words)
    {
        final String field = words[0];
        if (1 == words.length)
        {
            return (before, now) -> !Objects.equals(before.get(field), now.get(field));
        }
        final String operator = word(words, 1);
        final String value = word(words, 2);
        if (!List.of("=", "!=", "<", ">").contains(operator))
        {
            throw new IllegalArgumentException(operator + ": use =, !=, < or >");
        }
        if (!operator.endsWith("=") && null == decimal(value))
        {
            throw new IllegalArgumentException(value + ": no number");
        }
        return (before, now) -> !meets(before.get(field), operator, value) && meets(now.get(field), operator, value);
    }

    /** The value of a text, null if it is no number. */
    private static Double decimal(final String text)
    {
        try
        {
            return Double.valueOf(text);
        }
        catch (final NumberFormatException ex)
        {
            return null;
        }
    }

    private static boolean meets(final Object found, final String operator, final String wanted)
    {
        if (null == found)
        {
            return false;
        }
        final Double decimal = decimal(wanted);
        final int order = found instanceof Number number && null != decimal ?
            Double.compare(number.doubleValue(), decimal) : found.toString().compareTo(wanted);
        return switch (operator)
        {
            case "=" -> 0 == order;
            case "!=" -> 0 != order;
            case "<" -> order < 0;
            default -> order > 0;
        };
    }

    // Values

    private Map<String, Object> values()
    {
        return values(past);
    }

    /** The values of a room by name, in its order. */
    static Map<String, Object> values(final RoomPast past)
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        past.describe(new RoomDescription()
        {
            @Override
            public void put(final String name, final long value)
            {
                values.put(name, value);
            }

            @Override
            public void put(final String name, final double value)
            {
                values.put(name, value);
            }

            @Override
            public void put(final String name, final String value)
            {
                values.put(name, value);
            }
        });
        return values;
    }

    private void show(final String prefix)
    {
        out.println(place());
        values().forEach((name, value) ->
        {
            if (name.startsWith(prefix))
            {
                out.println("  " + name + " = " + value);
            }
        });
        if (prefix.isEmpty() || "inputs".startsWith(prefix))
        {
            out.println("  the last inputs:");
            past.inputs(INPUTS).forEach((input) ->
                out.println("    turn " + input.turn() + " " + messages.json(input.command(), past.typeId())));
        }
    }

    private void diff(final long one, final long other)
    {
        past.seek(one);
        final Map<String, Object> before = values();
        past.seek(other);
        difference(before, values()).forEach((line) -> out.println("  " + line));
        showPlace();
    }

    /** A line for each value that differs. */
    static List<String> difference(final Map<String, Object> before, final Map<String, Object> after)
    {
        final TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream().filter((name) -> !Objects.equals(before.get(name), after.get(name)))
            .map((name) -> name + ": " + before.getOrDefault(name, "none") + " -> " +
                after.getOrDefault(name, "none")).toList();
    }

    // Other inputs

    private void whatIf(final String[] words)
    {
        switch (word(words, 1))
        {
            case "drop" -> drop(words);
            case "send" -> send(words);
            default -> throw new IllegalArgumentException(words[1] + ": use drop or send");
        }
    }

    private void drop(final String[] words)
    {
        final boolean isSeat = words.length > 2 && "seat".equals(words[2]);
        final int seat = isSeat ? seat(word(words, 3)) : 0;
        final long count = isSeat ? Long.MAX_VALUE : words.length > 2 ? number(words[2]) : 1;
        if (count < 1)
        {
            throw new IllegalArgumentException(count + ": drop 1 command or more");
        }
        final Drop drop = new Drop(past, count, (command) ->
            !isSeat || MessageText.isMessage(command) && seat == MessageText.seat(command));
        final RoomPast logged = pasts.get();
        // The state within a turn cannot be copied.
        logged.seek(0 == past.message() ? past.turn() : past.turn() - 1);
        final List<String> lines = WhatIf.compareInputs(logged, () ->
        {
            final RoomPast changed = pasts.get();
            changed.continueFrom(logged, drop);
            return changed;
        });
        if (drop.dropped.isEmpty())
        {
            throw new IllegalArgumentException(isSeat ?
                "seat " + seat + ": no message of it follows" : "no command to the room follows");
        }
        if (!isSeat)
        {
            drop.dropped.forEach((input) -> out.println(
                "  without turn " + input.turn() + " " + messages.json(input.command(), past.typeId())));
        }
        showDifference(lines);
    }

    private void send(final String[] words)
    {
        final int seat = seat(word(words, 2));
        final boolean isBytes = "bytes".equals(word(words, 3));
        final DirectBuffer message = isBytes ? bytes(word(words, 4)) :
            messages.encode(past.typeId(), words[3], List.of(words).subList(4, words.length));
        final RoomPast logged = pasts.get();
        logged.seek(past.turn());
        final RoomPast changed = pasts.get();
        changed.continueFrom(logged);
        changed.send(seat, message);
        if (!logged.step())
        {
            throw new IllegalArgumentException("no turn of the room follows in which it can be sent");
        }
        logged.seek(past.turn());
        showDifference(WhatIf.compareInputs(logged, () -> changed));
    }

    private static int seat(final String text)
    {
        final long seat = number(text);
        if (seat != (int)seat)
        {
            throw new IllegalArgumentException("seat " + text + ": no such seat");
        }
        return (int)seat;
    }

    private static DirectBuffer bytes(final String hex)
    {
        try
        {
            return new UnsafeBuffer(HexFormat.of().parseHex(hex));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(hex + ": no bytes in hexadecimal digits", ex);
        }
    }

    private void showDifference(final List<String> lines)
    {
        lines.forEach(out::println);
        if (lines.isEmpty())
        {
            out.println("nothing differs");
        }
    }

    /** Leaves out commands that follow a place. */
    private static final class Drop implements Predicate<RoomPast.Input>
    {
        private final long turn;
        private final Predicate<DirectBuffer> isMeant;
        /** The first commands that were left out. */
        private final List<RoomPast.Input> dropped = new ArrayList<>();
        /** Commands of the turn that have run. */
        private int ran;
        private long left;

        Drop(final RoomPast place, final long count, final Predicate<DirectBuffer> isMeant)
        {
            turn = place.turn();
            ran = place.message();
            left = count;
            this.isMeant = isMeant;
        }

        @Override
        public boolean test(final RoomPast.Input input)
        {
            if (turn == input.turn() && ran > 0)
            {
                ran--;
                return true;
            }
            if (0 == left || !isMeant.test(input.command()))
            {
                return true;
            }
            left--;
            if (dropped.size() < INPUTS)
            {
                final DirectBuffer command = input.command();
                final UnsafeBuffer copy = new UnsafeBuffer(new byte[command.capacity()]);
                copy.putBytes(0, command, 0, command.capacity());
                dropped.add(new RoomPast.Input(input.turn(), input.nowNs(), copy));
            }
            return false;
        }
    }

    // Files

    private void trace(final Path file, final long turns)
    {
        try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW)))
        {
            long done = 0;
            while (done < turns && past.stepOn())
            {
                lines.println(traced());
                done += 0 == past.message() ? 1 : 0;
            }
            out.println(file + ": " + done + " turns");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file + ": cannot be written: " + ex, ex);
        }
    }

    private String traced()
    {
        final JsonWriter json = new JsonWriter().begin('{').name("turn").number(past.turn())
            .name("date").text(Instant.ofEpochMilli(past.epochMs()).toString());
        if (past.message() > 0)
        {
            json.name("message").number(past.message());
        }
        else
        {
            json.name("frames").number(past.frames()).name("state").text(Long.toHexString(past.stateHash()));
        }
        json.name("outputBytes").number(past.outputs().length());
        if (!past.refusals().isEmpty())
        {
            json.name("refused").begin('[');
            past.refusals().forEach((code) -> json.text(Codes.nameOf(code)));
            json.end(']');
        }
        if (null != past.thrown())
        {
            json.name("thrown").text(past.thrown().toString());
        }
        final String line = json.end('}').toString();
        return 0 == past.message() ? line : line.substring(0, line.length() - 1) + ",\"input\":" +
            messages.json(past.inputs(1).get(0).command(), past.typeId()) + "}";
    }

    private void save(final Path file)
    {
        final ByteSink sink = new ByteSink();
        past.write(sink, RoomPast.BUNDLE_LENGTH, null);
        try
        {
            Files.write(file, sink.toArray(), StandardOpenOption.CREATE_NEW);
            out.println(file + ": " + sink.length() + " bytes; a test of it:");
            out.println("  RoomBench.of(LogFile.open(Path.of(\"" + file.getFileName() + "\")), TYPE);");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file + ": cannot be written: " + ex, ex);
        }
    }
}
