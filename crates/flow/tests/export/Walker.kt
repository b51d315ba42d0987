package laws.example

/** Walks one exported law. The test puts the law's own package into the first line. */
object Walker {
    private var at: Instance? = null

    fun answer(order: List<String>): String {
        val (kind, what, named) = order
        val facts = named.split(",").mapNotNull { name -> Fact.all.find { it.name == name } }.toSet()
        val now = at
        val taken = when (kind) {
            "begin" -> begin(facts)
            "wait" -> step(now!!, firstDue(now, what.toLong()), facts)
            else -> step(now!!, Event.all.first { it.name == what }, facts)
        }
        at = if (taken is Step.Taken) taken.to else now.takeIf { kind != "begin" }
        return line(taken, at)
    }

    private fun firstDue(now: Instance, millis: Long): Event = timers(now.state).first { it.millis == millis }.event

    private fun line(taken: Step, now: Instance?): String {
        val said = when (taken) {
            is Step.Taken -> "taken"
            Step.Over -> "over"
            is Step.NotNow -> "not_now"
            is Step.Broken -> "broken"
        }
        if (now == null) return "$said\t-\t-\t-\t-"
        val outcome = (taken as? Step.Taken)?.outcome?.name ?: "-"
        val actions = (taken as? Step.Taken)?.actions.orEmpty().joinToString(",") { it.name }
        val counters = now.counters.named().values.joinToString(",")
        return listOf(said, now.state.name, counters, outcome, actions).joinToString("\t")
    }
}
