import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import weka.classifiers.Classifier;
import weka.classifiers.trees.Id3;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.C45Split;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Fits Weka's trees and prints them node by node, with full digits, in one run of the Java machine.
 *
 * The argument is a file of jobs. A line holds, between tabs: a name, an ARFF file, the class attribute, a
 * learner (J48 or Id3), its options, and a file of folds or "-" for the whole table. A line of the folds
 * file holds one number per row of the table; each number names the rows that one fit leaves out.
 *
 * Printed are lines of words between tabs:
 *   classes  name  -  -  class  class  ...      once for each job, in the order of the weights
 *   fit   name  line  fold  right  tested       how many of the rows left out were answered rightly
 *   node  name  line  fold  parent  branch  attribute  threshold  weights of the classes
 */
public final class WekaTrees {
  private static final PrintStream OUT = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));

  public static void main(String[] arguments) throws Exception {
    for (String line : lines(arguments[0])) {
      run(line.split("\t", -1));
    }
    OUT.flush();
  }

  private static void run(String[] job) throws Exception {
    Instances data = new Instances(new BufferedReader(new FileReader(job[1])));
    data.setClass(data.attribute(job[2]));
    printClasses(job[0], data.classAttribute());
    if (job[5].equals("-")) {
      print(job[0] + "\t-\t-", fitted(job, data), data);
      return;
    }
    List<String> lines = lines(job[5]);
    for (int line = 0; line < lines.size(); line++) {
      String[] foldOfRow = lines.get(line).split(" ");
      int folds = 0;
      for (String fold : foldOfRow) {
        folds = Math.max(folds, Integer.parseInt(fold) + 1);
      }
      for (int fold = 0; fold < folds; fold++) {
        runFold(job, data, foldOfRow, line + "\t" + fold, String.valueOf(fold));
      }
    }
  }

  private static void printClasses(String name, Attribute classes) {
    StringBuilder line = new StringBuilder("classes\t" + name + "\t-\t-");
    for (int k = 0; k < classes.numValues(); k++) {
      line.append("\t").append(classes.value(k));
    }
    OUT.println(line);
  }

  private static void runFold(String[] job, Instances data, String[] foldOfRow, String place, String fold)
      throws Exception {
    Instances train = new Instances(data, data.numInstances());
    Instances test = new Instances(data, data.numInstances());
    for (int row = 0; row < data.numInstances(); row++) {
      (foldOfRow[row].equals(fold) ? test : train).add(data.instance(row));
    }
    Classifier tree = fitted(job, train);
    int right = 0;
    for (int row = 0; row < test.numInstances(); row++) {
      Instance instance = test.instance(row);
      right += tree.classifyInstance(instance) == instance.classValue() ? 1 : 0;
    }
    OUT.println("fit\t" + job[0] + "\t" + place + "\t" + right + "\t" + test.numInstances());
    print(job[0] + "\t" + place, tree, data);
  }

  private static Classifier fitted(String[] job, Instances train) throws Exception {
    Classifier tree = job[3].equals("J48") ? new J48() : new Id3();
    tree.setOptions(Utils.splitOptions(job[4]));
    tree.buildClassifier(train);
    return tree;
  }

  private static void print(String place, Classifier tree, Instances data) throws Exception {
    if (tree instanceof J48) {
      printJ48(place, (ClassifierTree) hidden(J48.class, "m_root", tree), data);
    } else {
      printId3(place, (Id3) tree, data);
    }
  }

  /** A node that waits to be printed. */
  private record Waiting(Object node, int parent, String branch) {}

  private static void printJ48(String place, ClassifierTree root, Instances data) throws Exception {
    ArrayDeque<Waiting> waiting = new ArrayDeque<>(List.of(new Waiting(root, -1, "-")));
    for (int node = 0; !waiting.isEmpty(); node++) {
      Waiting next = waiting.removeFirst();
      Object model = hidden(ClassifierTree.class, "m_localModel", next.node);
      Distribution counts = ((weka.classifiers.trees.j48.ClassifierSplitModel) model).distribution();
      double[] weights = new double[counts.numClasses()];
      for (int k = 0; k < weights.length; k++) {
        weights[k] = counts.perClass(k);
      }
      Attribute attribute = null;
      String threshold = "-";
      if (!(Boolean) hidden(ClassifierTree.class, "m_isLeaf", next.node)) {
        attribute = data.attribute(((C45Split) model).attIndex());
        ClassifierTree[] sons = (ClassifierTree[]) hidden(ClassifierTree.class, "m_sons", next.node);
        for (int k = 0; k < sons.length; k++) {
          waiting.add(new Waiting(sons[k], node, attribute.isNumeric() ? k == 0 ? "<=" : ">" : attribute.value(k)));
        }
        threshold = attribute.isNumeric() ? hidden(C45Split.class, "m_splitPoint", model).toString() : "-";
      }
      printNode(place, next, attribute, threshold, weights);
    }
  }

  private static void printId3(String place, Id3 root, Instances data) throws Exception {
    ArrayDeque<Waiting> waiting = new ArrayDeque<>(List.of(new Waiting(root, -1, "-")));
    for (int node = 0; !waiting.isEmpty(); node++) {
      Waiting next = waiting.removeFirst();
      Attribute attribute = (Attribute) hidden(Id3.class, "m_Attribute", next.node);
      double[] shares = (double[]) hidden(Id3.class, "m_Distribution", next.node);
      if (attribute != null) {
        Id3[] sons = (Id3[]) hidden(Id3.class, "m_Successors", next.node);
        for (int k = 0; k < sons.length; k++) {
          waiting.add(new Waiting(sons[k], node, attribute.value(k)));
        }
      }
      printNode(place, next, attribute, "-", shares == null ? new double[data.numClasses()] : shares);
    }
  }

  private static void printNode(
      String place, Waiting node, Attribute attribute, String threshold, double[] weights) {
    StringBuilder joined = new StringBuilder();
    for (double weight : weights) {
      joined.append(joined.length() == 0 ? "" : " ").append(weight);
    }
    String name = attribute == null ? "-" : attribute.name();
    OUT.println(String.join(
        "\t", "node", place, String.valueOf(node.parent), node.branch, name, threshold, joined.toString()));
  }

  /** The value of a private field: Weka shows a tree only as text, with rounded thresholds. */
  private static Object hidden(Class<?> owner, String name, Object object) throws Exception {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private static List<String> lines(String path) throws Exception {
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(new FileReader(path))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    }
    return lines;
  }
}
