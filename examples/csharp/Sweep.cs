// A board that needs no guess, and hints with their reasons until it is cleared: Sweep SEED TECHNIQUE
// P/Invoke, as Unity and Godot do it: the library (satsweep.dll, libsatsweep.so, libsatsweep.dylib) lies beside the program.
using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

static class Sweep
{
    [DllImport("satsweep")] static extern UIntPtr satsweep_room(int deep);
    [DllImport("satsweep")] static extern int satsweep_begin(IntPtr room, UIntPtr bytes, int rows, int cols);
    [DllImport("satsweep")] static extern int satsweep_risks(IntPtr room, sbyte[] symbols, int mines, double[] risks);
    [DllImport("satsweep")] static extern int satsweep_explain(
        IntPtr room, sbyte[] symbols, int mines, int cell, int[] reason, int[] clues, sbyte[] layouts);
    [DllImport("satsweep")] static extern int satsweep_no_guess_by(
        IntPtr room, int technique, int mines, byte[] seed, long number, int start, int zero, ref long candidate,
        long candidates, long changes, sbyte[] mined);

    const int Rows = 9, Cols = 9, Mines = 10, Start = 40;
    static readonly string[] Techniques = { "single numbers", "pairs", "several numbers", "the mine total" };

    static void Check(int code) { if (code != 0) throw new Exception("satsweep: code " + code); }

    static sbyte Number(sbyte[] mined, int cell) => (sbyte)Enumerable.Range(0, Rows * Cols).Count(other => mined[other] == 1
        && Math.Abs(other / Cols - cell / Cols) <= 1 && Math.Abs(other % Cols - cell % Cols) <= 1);

    static void Main(string[] given)
    {
        var bytes = satsweep_room(0);
        var room = GCHandle.Alloc(new byte[(long)bytes], GCHandleType.Pinned).AddrOfPinnedObject();  // zeros
        var mined = new sbyte[Rows * Cols];
        long candidate = 0;
        Check(satsweep_begin(room, bytes, Rows, Cols));
        Check(satsweep_no_guess_by(room, int.Parse(given[1]), Mines, Encoding.UTF8.GetBytes(given[0] + "\0"), 0, Start, 1,
                                   ref candidate, 100000, 0, mined));
        var symbols = Enumerable.Repeat((sbyte)-1, mined.Length).ToArray();  // covered
        symbols[Start] = Number(mined, Start);
        var risks = new double[mined.Length];
        int[] reason = new int[5], clues = new int[mined.Length];
        while (symbols.Count(symbol => symbol == -1) > Mines)
        {
            Check(satsweep_risks(room, symbols, Mines, risks));
            int safe = Array.IndexOf(risks, 0.0);
            Check(satsweep_explain(room, symbols, Mines, safe, reason, clues, new sbyte[2 * mined.Length]));
            Console.WriteLine($"{safe} is safe by {Techniques[reason[1]]}: {string.Join(" ", clues.Take(reason[4]))}");
            symbols[safe] = Number(mined, safe);
        }
    }
}
