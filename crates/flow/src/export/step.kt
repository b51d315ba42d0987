
/** The state and the counters of one flow. */
data class Instance(val state: State, val counters: Counters)

/** An event that happens after some time in a state. */
data class Timer(val millis: Long, val event: Event)

/** The result of an event: the step taken, or why it was refused. A refused event changes nothing. */
sealed interface Step {
    /** `outcome` is set if the flow ended; perform `actions` in order. */
    data class Taken(val to: Instance, val outcome: Outcome?, val actions: List<Action>) : Step
    data object Over : Step
    data class NotNow(val allowed: List<Event>) : Step
    data class Broken(val promise: String) : Step
}

/** Enters the initial state. */
fun begin(facts: Set<Fact>): Step = enter(Jump(initial, start), facts)

/** Takes one event, through every choice, to the next state that waits. */
fun step(at: Instance, event: Event, facts: Set<Fact>): Step {
    val jump = jump(at.state, event, at.counters)
    val denied = given(at.state, at.counters) { it in facts }.firstOrNull { !it.isKept }
    return when {
        jump != null && denied != null -> Step.Broken(denied.text)
        jump != null && jump.stays -> settled(Instance(at.state, jump.counters), null, emptyList(), facts)
        jump != null -> enter(jump, facts)
        isFinal(at.state) -> Step.Over
        else -> Step.NotNow(allowed(at))
    }
}

/** The events that the state takes. */
fun allowed(at: Instance): List<Event> = Event.all.filter { jump(at.state, it, at.counters) != null }

/** Returns the promises of the law that do not hold, in words. */
fun broken(at: Instance, facts: Set<Fact>): List<String> {
    val promises = invariants(at.counters) { it in facts } + requirements(at.state, at.counters) { it in facts }
    return promises.filterNot { it.isKept }.map { it.text }
}

/** A jump that stays enters no state: there are no actions, and the timers keep running. */
private class Jump(val target: State, val counters: Counters, val outcome: Outcome? = null, val stays: Boolean = false)

private class Promised(val text: String, val isKept: Boolean)

/** The most states that one step passes through. */
private const val MAX_CHAIN = 20

/** Counters have 32 bits and stop at the top. */
private fun more(count: Long): Long = minOf(count + 1, 4294967295L)

private fun enter(first: Jump, facts: Set<Fact>): Step {
    val actions = mutableListOf<Action>()
    var jump = first
    repeat(MAX_CHAIN) {
        val counters = arrive(jump.target, jump.counters)
        actions += entry(jump.target)
        jump = decide(jump.target, counters) { it in facts }
            ?: return settled(Instance(jump.target, counters), jump.outcome, actions, facts)
    }
    return Step.Broken("more than $MAX_CHAIN choices in a row")
}

private fun settled(to: Instance, outcome: Outcome?, actions: List<Action>, facts: Set<Fact>): Step {
    val promise = broken(to, facts).firstOrNull() ?: return Step.Taken(to, outcome, actions)
    return Step.Broken(promise)
}
