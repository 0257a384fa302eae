import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintStream;

import weka.core.Instances;
import weka.core.Utils;
import weka.filters.Filter;

/**
 * Cuts the numbers of tables into intervals with Weka's filters and prints the cuts with full digits.
 *
 * The argument is a file of jobs. A line holds, between tabs: a name, an ARFF file, the class attribute, a
 * filter (supervised or unsupervised) and its options.
 *
 * Printed are lines of words between tabs: the name, an attribute of numbers, its cuts between blanks.
 */
public final class WekaCuts {
  private static final PrintStream OUT = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));

  public static void main(String[] arguments) throws Exception {
    try (BufferedReader jobs = new BufferedReader(new FileReader(arguments[0]))) {
      for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
        run(line.split("\t", -1));
      }
    }
    OUT.flush();
  }

  private static void run(String[] job) throws Exception {
    Instances data = new Instances(new BufferedReader(new FileReader(job[1])));
    data.setClass(data.attribute(job[2]));
    weka.filters.supervised.attribute.Discretize byEntropy = new weka.filters.supervised.attribute.Discretize();
    weka.filters.unsupervised.attribute.Discretize plain = new weka.filters.unsupervised.attribute.Discretize();
    Filter filter = job[3].equals("supervised") ? byEntropy : plain;
    ((weka.core.OptionHandler) filter).setOptions(Utils.splitOptions(job[4]));
    filter.setInputFormat(data);
    Filter.useFilter(data, filter);
    for (int column = 0; column < data.numAttributes(); column++) {
      if (column == data.classIndex() || !data.attribute(column).isNumeric()) {
        continue;
      }
      double[] cuts = filter == byEntropy ? byEntropy.getCutPoints(column) : plain.getCutPoints(column);
      StringBuilder joined = new StringBuilder();
      for (double cut : cuts == null ? new double[0] : cuts) {
        joined.append(joined.length() == 0 ? "" : " ").append(cut);
      }
      OUT.println(String.join("\t", job[0], data.attribute(column).name(), joined));
    }
  }
}
