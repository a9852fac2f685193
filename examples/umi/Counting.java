// A UMI engine in Java: counts all ways to place the mines, so it finds every certain cell and every risk.
//
//     javac -d build examples/umi/Counting.java
//     satsweep audit --agent 'cmd:java -cp build Counting'
//
// docs/umi.md has the protocol. Covered cells that touch a number fall into components; the placements of each are
// listed by backtracking and counted by their number of mines. The cells that touch no number (the sea) take the rest.
// Listing is exponential: boards with large components, as on expert level, may take longer than the time of a game.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public final class Counting {
    /** Cells of a component, its numbers as cells and mines, and counts: of all placements, and of each cell's. */
    private static final class Component {
        final List<Integer> cells = new ArrayList<>();
        final List<int[]> numbers = new ArrayList<>();
        final List<Integer> left = new ArrayList<>();
        double[] total;
        double[][] mined;
    }

    private int rows, cols, mines;
    private char[] board;
    private Random random = new Random(0);

    private List<Integer> around(int cell) {
        List<Integer> found = new ArrayList<>();
        int row = cell / cols, col = cell % cols;
        for (int r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); r++)
            for (int c = Math.max(col - 1, 0); c <= Math.min(col + 1, cols - 1); c++)
                if (r * cols + c != cell) found.add(r * cols + c);
        return found;
    }

    private static boolean isMine(char symbol) {
        return symbol == 'F' || symbol == '*';
    }

    private static int find(int[] root, int cell) {
        return root[cell] == cell ? cell : (root[cell] = find(root, root[cell]));
    }

    private List<Component> components() {
        int[] root = new int[board.length];
        for (int cell = 0; cell < root.length; cell++) root[cell] = cell;
        List<int[]> numbers = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        for (int cell = 0; cell < board.length; cell++) {
            if (board[cell] != '.' && !Character.isDigit(board[cell])) continue;
            int count = board[cell] == '.' ? 0 : board[cell] - '0';
            List<Integer> covered = new ArrayList<>();
            for (int other : around(cell)) {
                if (isMine(board[other])) count--;
                if (board[other] == '#') covered.add(other);
            }
            for (int other : covered) root[find(root, other)] = find(root, covered.get(0));
            if (!covered.isEmpty()) {
                numbers.add(covered.stream().mapToInt(Integer::intValue).toArray());
                left.add(count);
            }
        }
        Component[] of = new Component[board.length];
        List<Component> found = new ArrayList<>();
        for (int number = 0; number < numbers.size(); number++) {
            int top = find(root, numbers.get(number)[0]);
            if (of[top] == null) found.add(of[top] = new Component());
            Component component = of[top];
            component.numbers.add(numbers.get(number));
            component.left.add(left.get(number));
            for (int cell : numbers.get(number)) if (!component.cells.contains(cell)) component.cells.add(cell);
        }
        return found;
    }

    /** Counts the placements of a component by backtracking; numbers are checked as soon as a cell is placed. */
    private void count(Component component) {
        int size = component.cells.size();
        component.total = new double[size + 1];
        component.mined = new double[size][size + 1];
        int[] left = component.left.stream().mapToInt(Integer::intValue).toArray();
        int[] open = component.numbers.stream().mapToInt(cells -> cells.length).toArray();
        List<List<Integer>> touching = new ArrayList<>();
        for (int cell : component.cells) {
            List<Integer> found = new ArrayList<>();
            for (int number = 0; number < left.length; number++)
                if (Arrays.stream(component.numbers.get(number)).anyMatch(other -> other == cell)) found.add(number);
            touching.add(found);
        }
        place(component, touching, left, open, new boolean[size], 0, 0);
    }

    private void place(Component component, List<List<Integer>> touching, int[] left, int[] open, boolean[] placed,
            int next, int used) {
        if (next == placed.length) {
            component.total[used]++;
            for (int cell = 0; cell < placed.length; cell++) if (placed[cell]) component.mined[cell][used]++;
            return;
        }
        for (int mine = 0; mine <= 1; mine++) {
            boolean fits = true;
            for (int number : touching.get(next)) {
                left[number] -= mine;
                open[number]--;
                fits &= left[number] >= 0 && left[number] <= open[number];
            }
            placed[next] = mine == 1;
            if (fits) place(component, touching, left, open, placed, next + 1, used + mine);
            for (int number : touching.get(next)) {
                left[number] += mine;
                open[number]++;
            }
        }
        placed[next] = false;
    }

    private static double[] product(double[] one, double[] other) {
        double[] found = new double[one.length + other.length - 1];
        for (int i = 0; i < one.length; i++) for (int j = 0; j < other.length; j++) found[i + j] += one[i] * other[j];
        return found;
    }

    /** Ways to put what is left of the mines into a sea, for each number of mines elsewhere. */
    private double[] sea(int cells, int left, int most) {
        double[] ways = new double[most + 1];
        for (int used = 0; used <= most; used++) {
            double binomial = mines < 0 || left - used >= 0 && left - used <= cells ? 1 : 0;
            for (int i = 0; mines >= 0 && i < left - used && binomial > 0; i++) binomial = binomial * (cells - i) / (i + 1);
            ways[used] = binomial;
        }
        return ways;
    }

    private static double dot(double[] one, double[] other) {
        double sum = 0;
        for (int i = 0; i < Math.min(one.length, other.length); i++) sum += one[i] * other[i];
        return sum;
    }

    /** Risks of all covered cells without a flag; -1 elsewhere. */
    private double[] risks() {
        List<Component> components = components();
        double[] risk = new double[board.length];
        int left = mines, sea = 0;
        boolean[] touched = new boolean[board.length];
        for (Component component : components) for (int cell : component.cells) touched[cell] = true;
        for (int cell = 0; cell < board.length; cell++) {
            if (isMine(board[cell])) left--;
            if (board[cell] == '#' && !touched[cell]) sea++;
        }
        double[] all = {1};
        for (Component component : components) {
            count(component);
            all = product(all, component.total);
        }
        double[] ways = sea(sea, left, board.length);
        double worlds = dot(all, ways);
        if (worlds <= 0) throw new IllegalArgumentException("no world agrees with the board");
        double inSea = sea == 0 ? 0 : mines < 0 ? 0.5 : dot(all, sea(sea - 1, left - 1, board.length)) / worlds;
        for (int cell = 0; cell < board.length; cell++) risk[cell] = board[cell] == '#' ? inSea : -1;
        for (Component component : components) {
            double[] others = {1};
            for (Component other : components) if (other != component) others = product(others, other.total);
            for (int cell = 0; cell < component.cells.size(); cell++)
                risk[component.cells.get(cell)] = dot(product(others, component.mined[cell]), ways) / worlds;
        }
        return risk;
    }

    private String name(int cell) {
        return cell / cols + "," + cell % cols;
    }

    private String move() {
        double[] risk = risks();
        StringBuilder safe = new StringBuilder(), found = new StringBuilder();
        List<Integer> best = new ArrayList<>();
        double least = 2;
        for (int cell = 0; cell < risk.length; cell++) {
            if (risk[cell] == 0) safe.append(' ').append(name(cell));
            if (risk[cell] > 1 - 1e-12) found.append(' ').append(name(cell));
            if (risk[cell] < 0 || risk[cell] > least) continue;
            if (risk[cell] < least) best.clear();
            least = risk[cell];
            best.add(cell);
        }
        String answer = (safe.length() > 0 ? "safe" + safe + "\n" : "") + (found.length() > 0 ? "mine" + found + "\n" : "");
        if (answer.isEmpty() && !best.isEmpty())
            answer = "guess " + name(best.get(random.nextInt(best.size()))) + " " + Math.min(least, 1) + "\n";
        return answer + "done";
    }

    private String allRisks() {
        double[] risk = risks();
        for (int cell = 0; cell < risk.length; cell++) if (board[cell] == 'F') risk[cell] = 1;
        StringBuilder line = new StringBuilder("risk");
        for (int cell = 0; cell < risk.length; cell++)
            if (risk[cell] >= 0) line.append(' ').append(name(cell)).append('=').append(Math.min(risk[cell], 1));
        return line + "\ndone";
    }

    private void read(BufferedReader input) throws IOException {
        StringBuilder symbols = new StringBuilder();
        for (int row = 0; row < rows; row++) symbols.append(input.readLine().trim());
        if (symbols.length() != rows * cols) throw new IllegalArgumentException("a board of another size");
        board = symbols.toString().toCharArray();
    }

    private String answer(String line, BufferedReader input) throws IOException {
        String[] words = line.trim().split("\\s+");
        switch (words[0]) {
            case "umi": return "name Counting in Java\nversion 1.0\ncan sound complete risks untold rules\numi 1";
            case "ping": return "pong";
            case "stop": return "";
            case "seed": random = new Random(Long.parseLong(words[1])); return "";
            case "rule":
                if (List.of("fatal", "goal", "cascade", "first").contains(words[1])) return "";
                throw new IllegalArgumentException("a rule that is not declared");
            case "game":
                rows = Integer.parseInt(words[1]);
                cols = Integer.parseInt(words[2]);
                mines = words[3].equals("-") ? -1 : Integer.parseInt(words[3]);
                board = null;
                return "";
            case "board": read(input); return "";
            case "go": return move();
            case "risks": return allRisks();
            default: throw new IllegalArgumentException("an unknown line");
        }
    }

    public static void main(String[] arguments) throws IOException {
        Counting engine = new Counting();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null && !line.trim().equals("quit"); line = input.readLine()) {
            if (line.isBlank()) continue;
            String answer;
            try {
                answer = engine.answer(line, input);
            } catch (RuntimeException error) {
                answer = "error cannot follow: " + String.valueOf(error.getMessage()).replaceAll("\\s+", " ");
            }
            if (!answer.isEmpty()) System.out.println(answer);
        }
    }
}
