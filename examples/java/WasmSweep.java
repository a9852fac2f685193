// The game of Sweep.java without a native library: the WebAssembly file by Chicory, a runtime in Java alone, as Android takes it.
// Java 11 and later, with the jars of com.dylibso.chicory (runtime, wasm, log): java -cp 'JARS/*' WasmSweep.java WASM SEED TECHNIQUE

import com.dylibso.chicory.runtime.*;
import com.dylibso.chicory.wasm.Parser;
import java.io.File;
import java.util.stream.*;

class WasmSweep {
    static final int ROWS = 9, COLS = 9, CELLS = ROWS * COLS, MINES = 10, START = 40;
    static final String[] TECHNIQUES = {"single numbers", "pairs", "several numbers", "the mine total"};
    static Instance library;

    static long call(String name, long... values) {
        return library.export("satsweep_" + name).apply(values)[0];
    }

    static void check(long code) {
        if (code != 0) throw new IllegalStateException("satsweep: code " + code);
    }

    static byte number(int mined, int cell) {
        return (byte) IntStream.range(0, CELLS).filter(other -> library.memory().read(mined + other) == 1
            && Math.abs(other / COLS - cell / COLS) <= 1 && Math.abs(other % COLS - cell % COLS) <= 1).count();
    }

    public static void main(String[] given) {
        library = Instance.builder(Parser.parse(new File(given[0]))).build();
        Memory memory = library.memory();
        int free = (int) library.exports().global("__heap_base").getValue();
        int risks = free + 7 & -8, candidate = risks + 8 * CELLS, clues = candidate + 8, reason = clues + 4 * CELLS;
        int mined = reason + 20, symbols = mined + CELLS, layouts = symbols + CELLS, seed = layouts + 2 * CELLS;
        int room = seed + 257 + 7 & -8;
        long bytes = call("room", 0);
        memory.grow((int) ((room + bytes >> 16) + 1 - memory.pages()));  // zeros
        memory.writeCString(seed, given[1]);
        check(call("begin", room, bytes, ROWS, COLS));
        check(call("no_guess_by", room, Integer.parseInt(given[2]), MINES, seed, 0, START, 1, candidate, 100_000, 0, mined));
        memory.fill((byte) -1, symbols, symbols + CELLS);  // covered
        memory.writeByte(symbols + START, number(mined, START));
        for (int left = CELLS - 1; left > MINES; left--) {
            check(call("risks", room, symbols, MINES, risks));
            int safe = IntStream.range(0, CELLS).filter(cell -> memory.readDouble(risks + 8 * cell) == 0).findFirst().orElseThrow();
            check(call("explain", room, symbols, MINES, safe, reason, clues, layouts));
            var numbers = IntStream.range(0, memory.readInt(reason + 16)).mapToObj(at -> "" + memory.readInt(clues + 4 * at));
            var technique = TECHNIQUES[memory.readInt(reason + 4)];
            System.out.println(safe + " is safe by " + technique + ": " + numbers.collect(Collectors.joining(" ")));
            memory.writeByte(symbols + safe, number(mined, safe));
        }
    }
}
