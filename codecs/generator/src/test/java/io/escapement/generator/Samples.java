package io.escapement.generator;

import io.escapement.generator.everything.Colour;
import io.escapement.generator.everything.GrownEncoder;
import io.escapement.generator.everything.KindsEncoder;
import io.escapement.generator.everything.Letter;
import io.escapement.generator.everything.MessageHeaderEncoder;
import io.escapement.generator.everything.NothingEncoder;
import io.escapement.generator.everything.NumbersEncoder;
import io.escapement.generator.everything.SegmentEncoder;
import io.escapement.generator.everything.TreeEncoder;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.ExpandableArrayBuffer;

/** Random messages, encoded by the Java codecs, with the object that JavaScript is to decode. */
final class Samples
{
    /**
     * A message.
     *
     * @param name   of its class.
     * @param bytes  of it.
     * @param object its fields: numbers, BigIntegers for bigints, strings, byte arrays, lists and maps.
     */
    record Sample(String name, byte[] bytes, Map<String, Object> object)
    {
    }

    private static final String[] TEXTS = {"", "a", "Gr\u00fc\u00dfe", "\u2713 \ud83d\ude00", "0\u0000\n\"<img>"};
    private static final double[] REALS = {0.0, -0.0, 1.5, Double.MAX_VALUE, Double.NEGATIVE_INFINITY};

    private final SplittableRandom random;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private ExpandableArrayBuffer buffer;
    private Map<String, Object> object;

    Samples(final long seed)
    {
        random = new SplittableRandom(seed);
    }

    Sample next()
    {
        buffer = new ExpandableArrayBuffer();
        object = new LinkedHashMap<>();
        return switch (random.nextInt(9))
        {
            case 0 -> new Sample("Nothing", bytes(
                new NothingEncoder().wrapAndApplyHeader(buffer, 0, header).encodedLength()), object);
            case 1, 2 -> new Sample("Numbers", bytes(numbers()), object);
            case 3, 4 -> new Sample("Kinds", bytes(kinds()), object);
            case 5, 6 -> new Sample("Tree", bytes(tree()), object);
            default -> new Sample("Grown", bytes(grown()), object);
        };
    }

    private int numbers()
    {
        final NumbersEncoder numbers = new NumbersEncoder().wrapAndApplyHeader(buffer, 0, header);
        final long large = random.nextLong(-(1L << 53), 1L << 53);
        final long unsignedLarge = random.nextLong(1L << 53);
        final long bigId = random.nextLong();
        final char letter = (char)random.nextInt(32, 127);
        numbers.tiny(put("tiny", (byte)random.nextInt()));
        numbers.small(put("small", (short)random.nextInt()));
        numbers.medium(put("medium", random.nextInt()));
        numbers.large(put("large", large));
        numbers.unsignedTiny(put("unsignedTiny", (short)random.nextInt(256)));
        numbers.unsignedSmall(put("unsignedSmall", random.nextInt(65_536)));
        numbers.unsignedMedium(put("unsignedMedium", random.nextLong(1L << 32)));
        numbers.unsignedLarge(put("unsignedLarge", unsignedLarge));
        numbers.single(put("single", (float)real()));
        numbers.twice(put("twice", real()));
        numbers.letter((byte)letter);
        put("letter", Character.toString(letter));
        final long roomId = edge();
        numbers.roomId(roomId);
        put("roomId", BigInteger.valueOf(roomId));
        numbers.bigId(bigId);
        put("bigId", new BigInteger(Long.toUnsignedString(bigId)));
        return numbers.encodedLength();
    }

    private int kinds()
    {
        final KindsEncoder kinds = new KindsEncoder().wrapAndApplyHeader(buffer, 0, header);
        kinds.optionalInt(orNull("optionalInt", random.nextInt(), KindsEncoder.optionalIntNullValue()));
        kinds.optionalByte(orNull("optionalByte", (short)(8 + random.nextInt(200)),
            KindsEncoder.optionalByteNullValue()));
        kinds.optionalLong(orNull("optionalLong", random.nextLong(1L << 50), KindsEncoder.optionalLongNullValue()));
        final boolean isNull = random.nextBoolean();
        final long id = random.nextLong(Long.MAX_VALUE);
        kinds.optionalUnsigned(isNull ? KindsEncoder.optionalUnsignedNullValue() : id);
        put("optionalUnsigned", isNull ? null : BigInteger.valueOf(id));
        kinds.optionalDouble(orNull("optionalDouble", real(), Double.NaN));
        kinds.code(put("code", "ABCDEF".substring(random.nextInt(7))));
        final byte[] token = new byte[16];
        random.nextBytes(token);
        kinds.putToken(token, 0, token.length);
        put("token", token);
        final List<Object> corners = new ArrayList<>();
        final List<Object> times = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            final int corner = random.nextInt();
            kinds.corners(i, corner);
            corners.add(corner);
        }
        for (int i = 0; i < 2; i++)
        {
            final long time = edge();
            kinds.times(i, time);
            times.add(BigInteger.valueOf(time));
            kinds.ratios(i, i + 0.25f);
        }
        put("corners", corners);
        put("ratios", List.of(0.25, 1.25));
        put("times", times);
        put("answer", 42);
        put("unit", "metre");
        kinds.colour(colour("colour"));
        put("always", 2);
        final boolean isQuote = random.nextBoolean();
        kinds.sign(isQuote ? Letter.QUOTE : Letter.A);
        put("sign", isQuote ? "'" : "A");
        sets(kinds);
        final Map<String, Object> segment = new LinkedHashMap<>();
        put("segment", segment);
        segment(kinds.segment(), segment);
        kinds.length((short)9);
        kinds.function((short)8);
        put("length", 9);
        put("function", 8);
        return kinds.encodedLength();
    }

    private void sets(final KindsEncoder kinds)
    {
        final boolean isFirst = random.nextBoolean();
        final boolean isLast = random.nextBoolean();
        kinds.flags().clear().first(isFirst).last(isLast);
        kinds.manyFlags().clear().lowest(isFirst).highest(isLast);
        kinds.mostFlags().clear().lowest(isFirst).highest(isLast);
        put("flags", (isFirst ? 1 : 0) + (isLast ? 128 : 0));
        put("manyFlags", (isFirst ? 1 : 0) + (isLast ? 1L << 31 : 0));
        put("mostFlags", BigInteger.valueOf(isFirst ? 1 : 0).add(
            isLast ? BigInteger.ONE.shiftLeft(63) : BigInteger.ZERO));
    }

    private void segment(final SegmentEncoder segment, final Map<String, Object> expected)
    {
        final int[] places = random.ints(4).toArray();
        segment.from().x(places[0]).y(places[1]);
        segment.to().x(places[2]).y(places[3]);
        expected.put("from", point(places[0], places[1]));
        expected.put("to", point(places[2], places[3]));
        segment.colour(Colour.RED);
        expected.put("colour", 1);
        segment.flags().clear().last(true);
        expected.put("flags", 128);
        segment.width(SegmentEncoder.widthNullValue());
        expected.put("width", null);
        expected.put("unit", "px");
    }

    private int tree()
    {
        final TreeEncoder tree = new TreeEncoder().wrapAndApplyHeader(buffer, 0, header);
        tree.number(put("number", random.nextInt()));
        final int count = random.nextInt(4);
        final List<Object> branches = new ArrayList<>();
        final TreeEncoder.BranchesEncoder branch = tree.branchesCount(count);
        for (int i = 0; i < count; i++)
        {
            branches.add(branch(branch.next()));
        }
        put("branches", branches);
        final int rootCount = random.nextInt(3);
        final List<Object> roots = new ArrayList<>();
        final TreeEncoder.RootsEncoder root = tree.rootsCount(rootCount);
        for (int i = 0; i < rootCount; i++)
        {
            root.next().depth((short)i);
            roots.add(Map.of("depth", i));
        }
        put("roots", roots);
        tree.name(put("name", text()));
        final String remark = random.nextBoolean() ? "" : "Stra\u00dfe";
        tree.remark(put("remark", remark));
        return tree.encodedLength();
    }

    private Map<String, Object> branch(final TreeEncoder.BranchesEncoder branch)
    {
        final Map<String, Object> expected = new LinkedHashMap<>();
        final int x = random.nextInt();
        branch.place().x(x).y(-1);
        expected.put("place", point(x, -1));
        final int leafCount = random.nextInt(4);
        final List<Object> leaves = new ArrayList<>();
        final TreeEncoder.BranchesEncoder.LeavesEncoder leaf = branch.leavesCount(leafCount);
        for (int i = 0; i < leafCount; i++)
        {
            final String label = text();
            leaf.next().weight(i).label(label);
            leaves.add(Map.of("weight", i, "label", label));
        }
        expected.put("leaves", leaves);
        final int birdCount = random.nextInt(2);
        final TreeEncoder.BranchesEncoder.BirdsEncoder bird = branch.birdsCount(birdCount);
        for (int i = 0; i < birdCount; i++)
        {
            bird.next().birdId(-1);
        }
        expected.put("birds", 0 == birdCount ? List.of() :
            List.of(Map.of("birdId", new BigInteger(Long.toUnsignedString(-1)))));
        final byte[] note = new byte[random.nextInt(20)];
        random.nextBytes(note);
        branch.putNote(note, 0, note.length);
        expected.put("note", note);
        return expected;
    }

    private int grown()
    {
        final GrownEncoder grown = new GrownEncoder().wrapAndApplyHeader(buffer, 0, header);
        grown.first(put("first", random.nextInt()));
        grown.second(put("second", random.nextLong(-(1L << 53), 1L << 53)));
        grown.place().x(3).y(4);
        put("place", point(3, 4));
        final byte[] token = new byte[16];
        random.nextBytes(token);
        grown.putToken(token, 0, token.length);
        put("token", token);
        grown.colour(colour("colour"));
        final int count = random.nextInt(3);
        final List<Object> items = new ArrayList<>();
        final GrownEncoder.ItemsEncoder item = grown.itemsCount(count);
        for (int i = 0; i < count; i++)
        {
            item.next().item(i).extra((short)(2 * i));
            items.add(Map.of("item", i, "extra", 2 * i));
        }
        put("items", items);
        grown.othersCount(1).next().other(7);
        put("others", List.of(Map.of("other", 7)));
        grown.text(put("text", text()));
        grown.putMore(token, 0, 3);
        put("more", Arrays.copyOf(token, 3));
        return grown.encodedLength();
    }

    private Colour colour(final String name)
    {
        final Colour colour = random.nextBoolean() ? Colour.NULL_VAL : Colour.GREEN;
        put(name, Colour.NULL_VAL == colour ? null : 2);
        return colour;
    }

    private static Map<String, Object> point(final int x, final int y)
    {
        return Map.of("x", x, "y", y);
    }

    private <T> T put(final String name, final T value)
    {
        object.put(name, value);
        return value;
    }

    private <T> T orNull(final String name, final T value, final T nullValue)
    {
        final boolean isNull = random.nextBoolean();
        object.put(name, isNull ? null : value);
        return isNull ? nullValue : value;
    }

    private long edge()
    {
        return switch (random.nextInt(3))
        {
            case 0 -> Long.MAX_VALUE;
            case 1 -> Long.MIN_VALUE;
            default -> random.nextLong();
        };
    }

    private double real()
    {
        return REALS[random.nextInt(REALS.length)];
    }

    private String text()
    {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private byte[] bytes(final int bodyLength)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + bodyLength];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
