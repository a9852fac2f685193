// A board that needs no guess, and hints with their reasons until it is cleared, by the foreign function interface of
// Java 22 and later: java --enable-native-access=ALL-UNNAMED Sweep.java LIBRARY SEED TECHNIQUE

import static java.lang.foreign.ValueLayout.*;

import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.*;

class Sweep {
    static final int ROWS = 9, COLS = 9, CELLS = ROWS * COLS, MINES = 10, START = 40;
    static final String[] TECHNIQUES = {"single numbers", "pairs", "several numbers", "the mine total"};

    static MethodHandle function(SymbolLookup library, String name, MemoryLayout result, MemoryLayout... parameters) {
        var address = library.find("satsweep_" + name).orElseThrow();
        return Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(result, parameters));
    }

    static void check(Object code) {
        if ((int) code != 0) throw new IllegalStateException("satsweep: code " + code);
    }

    static byte number(MemorySegment mined, int cell) {
        return (byte) IntStream.range(0, CELLS).filter(other -> mined.get(JAVA_BYTE, other) == 1
            && Math.abs(other / COLS - cell / COLS) <= 1 && Math.abs(other % COLS - cell % COLS) <= 1).count();
    }

    public static void main(String[] given) throws Throwable {
        var arena = Arena.ofAuto();
        var library = SymbolLookup.libraryLookup(Path.of(given[0]), arena);
        long bytes = (long) function(library, "room", JAVA_LONG, JAVA_INT).invoke(0);
        var room = arena.allocate(bytes, 8);  // zeros
        var begin = function(library, "begin", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT);
        var noGuess = function(library, "no_guess_by", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT,
            JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);
        var ask = function(library, "risks", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
        var explain = function(library, "explain", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
        MemorySegment mined = arena.allocate(CELLS), symbols = arena.allocate(CELLS), layouts = arena.allocate(2 * CELLS);
        MemorySegment risks = arena.allocate(JAVA_DOUBLE, CELLS), clues = arena.allocate(JAVA_INT, CELLS);
        MemorySegment reason = arena.allocate(JAVA_INT, 5), candidate = arena.allocate(JAVA_LONG), seed = arena.allocateFrom(given[1]);
        check(begin.invoke(room, bytes, ROWS, COLS));
        check(noGuess.invoke(room, Integer.parseInt(given[2]), MINES, seed, 0L, START, 1, candidate, 100_000L, 0L, mined));
        symbols.fill((byte) -1);  // covered
        symbols.set(JAVA_BYTE, START, number(mined, START));
        for (int left = CELLS - 1; left > MINES; left--) {
            check(ask.invoke(room, symbols, MINES, risks));
            int safe = IntStream.range(0, CELLS).filter(cell -> risks.getAtIndex(JAVA_DOUBLE, cell) == 0).findFirst().orElseThrow();
            check(explain.invoke(room, symbols, MINES, safe, reason, clues, layouts));
            var numbers = Arrays.stream(clues.toArray(JAVA_INT)).limit(reason.getAtIndex(JAVA_INT, 4)).mapToObj(String::valueOf);
            var technique = TECHNIQUES[reason.getAtIndex(JAVA_INT, 1)];
            System.out.println(safe + " is safe by " + technique + ": " + numbers.collect(Collectors.joining(" ")));
            symbols.set(JAVA_BYTE, safe, number(mined, safe));
        }
    }
}
