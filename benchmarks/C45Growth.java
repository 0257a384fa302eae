import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;

import weka.classifiers.trees.j48.C45ModelSelection;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.core.Instances;

/**
 * Grows one tree as J48 grows it, without collapsing or pruning it afterwards, and prints: wall seconds,
 * CPU seconds of the growing thread, accuracy, leaves.
 *
 * Arguments: the ARFF files of a small table, which warms the machine up, of the table to grow on, and of
 * the rows to judge on, or "-". The class is the last attribute.
 */
public final class C45Growth {
  private static final int WARM_UPS = 10;
  private static final int MIN_LEAF = 2;

  public static void main(String[] paths) throws Exception {
    Instances small = read(paths[0]);
    Instances train = read(paths[1]);
    for (int k = 0; k < WARM_UPS; k++) {
      grown(small);
    }
    System.gc();
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long wall = System.nanoTime();
    ClassifierTree tree = grown(train);
    double wallSeconds = (System.nanoTime() - wall) / 1e9;
    double cpuSeconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9;
    double accuracy = paths[2].equals("-") ? Double.NaN : accuracy(tree, read(paths[2]));
    System.out.println(wallSeconds + " " + cpuSeconds + " " + accuracy + " " + tree.numLeaves());
  }

  private static ClassifierTree grown(Instances data) throws Exception {
    ClassifierTree tree = new ClassifierTree(new C45ModelSelection(MIN_LEAF, data));
    tree.buildClassifier(data);
    return tree;
  }

  private static double accuracy(ClassifierTree tree, Instances test) throws Exception {
    int right = 0;
    for (int row = 0; row < test.numInstances(); row++) {
      right += tree.classifyInstance(test.instance(row)) == test.instance(row).classValue() ? 1 : 0;
    }
    return right / (double) test.numInstances();
  }

  private static Instances read(String path) throws Exception {
    Instances data = new Instances(new BufferedReader(new FileReader(path)));
    data.setClassIndex(data.numAttributes() - 1);
    return data;
  }
}
