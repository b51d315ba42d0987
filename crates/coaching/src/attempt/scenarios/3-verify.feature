Feature: A program is written with few hints and judged by tests alone

  Background:
    Given the flow attempt
    And it is opened with:
      """
      {"problemId": "quiet-stretch", "mode": "EXPERT"}
      """
    And a new session
    And skip happens
    And skip happens

  Scenario: Hints come in their order until the budget is used up
    When hint happens
    Then the coach says "When a stretch is too loud"
    And the view has 1 at data.reply.level
    And the view has 3 at data.reply.remaining
    When hint happens 3 times
    Then the view has 4 at data.reply.level
    And the view has 0 at data.reply.remaining
    And hint is refused
    And the view has 4 at data.hintsUsedCount

  Scenario: On the first rung there are six hints, of which the last two are of level five
    When it is opened with `{"problemId": "market-pair", "mode": "EXPERT"}`
    And a new session
    And skip happens
    And skip happens
    And hint happens 5 times
    Then the view has 5 at data.reply.level
    When hint happens
    Then the view has 5 at data.reply.level
    And the view has 0 at data.reply.remaining
    And hint is refused

  Scenario Outline: What is no program is refused
    Then submit is refused with `<code>`
    And the state is IMPLEMENT

    Examples:
      | code                                     |
      | {"code": ""}                             |
      | {"code": "print(1)", "language": "perl"} |
      | {"program": "print(1)"}                  |

  Scenario: A program is saved with every submission
    When submit happens with `{"code": "def quiet_stretch(n, l): return 0"}`
    Then the state is VERIFY
    And the view has python at data.submissions.0.language
    When retry happens
    Then the state is IMPLEMENT
    When submit happens with `{"code": "function quiet_stretch(n, l) { return 1; }", "language": "javascript"}`
    Then the view has javascript at data.language
    And the view has "def quiet_stretch(n, l): return 0" at data.submissions.0.code

  Scenario: A failing test keeps the learner in VERIFY and shows no value of a hidden test
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    Then the state is RUN
    When judged happens with:
      """
      {"number": 1, "report": {"verdict": "wrong_answer", "isolation": "full", "tests": [
        {"index": 0, "verdict": "wrong_answer", "time_ms": 1, "memory_kb": 1, "difference": {"input": "[1, 2, 3, 1], 6", "expected": "3", "actual": "2"}},
        {"index": 2, "verdict": "wrong_answer", "time_ms": 1, "memory_kb": 1, "hidden": true, "difference": {"input": "[], 5", "expected": "0", "actual": "2"}}]}}
      """
    Then the state is VERIFY
    And the view has wrong_answer at data.reply.verdict
    And the view has true at data.verifyPayload.testResults.1.hidden
    And the coach does not say "[], 5"
    When explain_failure happens with `{"testIndex": 0, "testInput": "", "expected": "3", "actual": "2", "userExplanation": "hm"}`
    Then the state is VERIFY
    And the view has off_by_one at data.reply.likelyBugType
    And the coach says "That is too short to work with"
    When explain_failure happens with `{"testIndex": 0, "userExplanation": "the loop stops one too early"}`
    Then the coach says "That fits: the result is only one away from the right one"
    When explain_failure happens with `{"testIndex": 0, "userExplanation": "my cat walked over the keyboard"}`
    Then the coach says "I can't tell from this case whether that is it. It shows that the result is only one away"
    When explain_failure happens with `{"testIndex": 2, "testInput": "", "expected": "", "actual": "", "userExplanation": ""}`
    Then the view has missing_edge_case at data.reply.likelyBugType
    And the coach says "Its input is empty"
    And explain_failure is refused with `{"testIndex": 77, "testInput": "", "expected": "", "actual": "", "userExplanation": ""}`
    And explain_failure is refused with `{"testIndex": 0, "testInput": "", "expected": "3", "actual": "3", "userExplanation": ""}`
    When retry happens
    Then the state is IMPLEMENT

  Scenario Outline: A diagnosis that the case neither shows nor excludes is not called wrong
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    And judged happens with:
      """
      {"number": 1, "report": {"verdict": "wrong_answer", "isolation": "full", "tests": [
        {"index": 0, "verdict": "wrong_answer", "time_ms": 1, "memory_kb": 1, "difference": {"input": "[1, 2, 3, 1], 6", "expected": "3", "actual": "7"}},
        {"index": 1, "verdict": "runtime_error", "time_ms": 1, "memory_kb": 1, "message": "ZeroDivisionError: division by zero"}]}}
      """
    And explain_failure happens with `{"testIndex": <test>, "userExplanation": "<reason>"}`
    Then the coach says "<says>"
    And the coach does not say "That may be, but"

    Examples:
      | test | reason                                                | says                                   |
      | 0    | the strict greater is wrong, equal should be caught   | I can't tell from this case            |
      | 0    | I forgot to turn the letters into small ones          | would your reason explain that?        |
      | 1    | it throws                                             | That fits: an error ends your program  |
      | 1    | the letters are not lowered                           | It shows that an error ends            |

  Scenario: A program that does not compile can be explained as well
    When submit happens with `{"code": "fn quiet_stretch( {}", "language": "rust"}`
    And run happens
    And judged happens with `{"number": 1, "report": {"verdict": "compile_error", "isolation": "full", "tests": [], "message": "expected a pattern"}}`
    And explain_failure happens with `{"testIndex": 0, "userExplanation": "a bracket is missing"}`
    Then the view has syntax at data.reply.likelyBugType
    And the coach says "That fits: the program cannot be read yet"

  Scenario: The smallest input that fails is told, and can be seen line by line
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    And judged happens with:
      """
      {"number": 1, "report": {"verdict": "wrong_answer", "isolation": "full", "tests": [
        {"index": 0, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 2, "verdict": "wrong_answer", "time_ms": 1, "memory_kb": 1, "hidden": true}]},
       "smallest": {"testIndex": 2, "args": [[], 1], "expected": 0, "verdict": "wrong_answer",
        "difference": {"input": "[], 1", "expected": "0", "actual": "2"}}}
      """
    Then the coach says "The smallest input that was found to fail"
    And the view has 2 at data.reply.smallestFailure.testIndex
    When explain_failure happens with `{"testIndex": 2}`
    Then the view has missing_edge_case at data.reply.likelyBugType
    And the coach says "quiet_stretch([], 1)"
    And trace is refused with `{"testIndex": 2}`
    And trace is refused with `{"testIndex": 99}`
    And trace is refused with `{"testIndex": "two"}`
    When trace happens
    Then the state is TRACE
    And traced is refused with `{"number": 7}`
    When traced happens with:
      """
      {"number": 1, "trace": {"result": "2", "steps": [
        {"line": 1, "function": "quiet_stretch", "variables": {"l": "1", "n": "[]"}, "changed": ["l", "n"], "stack": []}]}}
      """
    Then the state is VERIFY
    And the coach says "line by line: one step"
    And the view has 1 at data.reply.trace.steps.0.line
    When trace happens with `{"testIndex": 0}`
    And 6m passes
    Then the state is VERIFY

  Scenario: What cannot be seen line by line is refused
    When submit happens with `{"code": "fn quiet_stretch() {}", "language": "rust"}`
    Then trace is refused
    And explain_failure is refused with `{"testIndex": 0}`
    When run happens
    And judged happens with `{"number": 1, "report": {"verdict": "runtime_error", "isolation": "full", "tests": [{"index": 0, "verdict": "runtime_error", "time_ms": 1, "memory_kb": 1}]}}`
    Then trace is refused
    And trace is refused with `{"testIndex": 0}`

  Scenario: A report of another run, or one that leaves tests out, proves nothing
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    Then judged is refused with `{"number": 7, "report": {"verdict": "accepted", "isolation": "full", "tests": []}}`
    When judged happens with `{"number": 1, "report": {"verdict": "accepted", "isolation": "full", "tests": []}}`
    Then the state is VERIFY

  Scenario: A judge that does not answer is not waited for
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    And 6m passes
    Then the state is VERIFY
    And the session went through: LOSE_RUN, VERIFY

  Scenario: Nothing but all tests leads on
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    Then reflect is refused with `{"cuesNextTime": ["x"], "invariantSummary": "y"}`
    And skip_reflection is refused
    And skip is refused

  Scenario: A program is at most two submissions at once
    When submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    Then run is refused
    And submit is refused with `{"code": "def quiet_stretch(n, l): return 2"}`
