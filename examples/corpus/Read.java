// Read the corpus in Java (11 or later, no library): `java Read.java FOLDER` counts the puzzles of each pattern.
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

class Read {
    // A value of a row, which is a JSON object in one line: text with \n, \" and \\, or a literal.
    static String field(String row, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\[[^]]*\\]|[^,}]*))").matcher(row);
        if (!found.find()) throw new NoSuchElementException(name);
        String text = found.group(1) == null ? found.group(2) : found.group(1);
        return text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    }

    public static void main(String[] arguments) throws Exception {
        List<String> rows = Files.readAllLines(Path.of(arguments[0], "puzzles.jsonl"));
        Map<String, Integer> counts = new TreeMap<>();
        for (String row : rows) counts.merge(field(row, "pattern"), 1, Integer::sum);
        counts.forEach((pattern, count) -> System.out.println(pattern + " " + count));
        String first = rows.get(0), cell = field(first, "cell").replaceAll("[\\[\\]]", "");
        System.out.println(field(first, "board"));
        String kind = field(first, "mine").equals("true") ? "a mine" : "safe";
        System.out.println(cell + " is " + kind + ": " + field(first, "sentence"));
    }
}
