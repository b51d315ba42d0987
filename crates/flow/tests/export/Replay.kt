import java.io.File

/** Answers every order in `orders.txt` with one line. The test lists the laws. */
fun main() {
    val walkers: Map<String, (List<String>) -> String> = mapOf(
        // WALKERS
    )
    val out = java.io.PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8")
    var walker: (List<String>) -> String = { error("orders before a law") }
    File("orders.txt").readLines().map { it.split("\t") }.forEach { order ->
        if (order[0] == "law") walker = walkers.getValue(order[1]) else out.println(walker(order))
    }
    out.flush()
}
