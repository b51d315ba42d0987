Feature: After solving a problem, the learner looks back

  Background:
    Given the flow attempt
    And it is opened with:
      """
      {"problemId": "quiet-stretch", "mode": "EXPERT"}
      """
    And a new session
    And skip happens
    And skip happens
    And submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    And judged happens with:
      """
      {"number": 1, "report": {"verdict": "accepted", "isolation": "full", "tests": [
        {"index": 0, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 1, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 2, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 3, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 4, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 5, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 6, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 7, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 8, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 9, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 10, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 11, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}]}}
      """

  Scenario: Every test passed, and the pattern becomes an item of memory
    Then the state is REFLECT
    And the view has REFLECT at data.v2Step
    And the view has true at data.reply.allPassed
    And the view has windows at data.reply.reflection.microLessonId
    And there are 1 item records
    And the item record patterns/sliding-window has 1 at usage
    And the coach says "The pattern Sliding window comes back"

  Scenario: A reflection completes the attempt
    When reflect happens with `{"cuesNextTime": ["a window under a limit"], "invariantSummary": "the window is quiet"}`
    Then the session has ended with reflected
    And the view has COMPLETE at data.v2Step
    And the view has windows at data.reflectPayload.microLessonId
    And the view has false at data.reflectPayload.adversaryChallengeCompleted

  Scenario: Nothing is no reflection
    Then reflect is refused with `{"cuesNextTime": [" "], "invariantSummary": ""}`
    And the state is REFLECT

  Scenario: Everyone may skip the reflection
    When skip_reflection happens
    Then the session has ended with skipped
    And the view has COMPLETE at data.v2Step

  Scenario: A changed constraint has its own check
    When challenge happens with `{"answer": "purple"}`
    Then the view has false at data.reply.passed
    And the coach says "Say more"
    When challenge happens with `{"answer": "or green"}`
    Then the view has false at data.reply.passed
    And the coach says "One good answer"
    When challenge happens with `{"answer": "Adding a negative minute can make a longer stretch quiet again, so it may not be thrown away."}`
    Then the view has true at data.reply.passed
    When reflect happens with `{"cuesNextTime": ["limits"], "invariantSummary": ""}`
    Then the view has true at data.reflectPayload.adversaryChallengeCompleted

  Scenario: A second problem of the pattern is a review of it
    When skip_reflection happens
    And 3d passes
    And a new session
    And skip happens
    And skip happens
    And submit happens with `{"code": "def quiet_stretch(n, l): return 2"}`
    And run happens
    And judged happens with:
      """
      {"number": 1, "report": {"verdict": "accepted", "isolation": "full", "tests": [
        {"index": 0, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 1, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 2, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 3, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 4, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 5, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 6, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 7, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 8, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 9, "verdict": "accepted", "time_ms": 1, "memory_kb": 1},
        {"index": 10, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}, {"index": 11, "verdict": "accepted", "time_ms": 1, "memory_kb": 1}]}}
      """
    Then there are 1 item records
    And the item record patterns/sliding-window has 2 at usage

  Scenario: A crash loses nothing, and a replay gives the same
    When the process crashes and starts again
    Then the state is REFLECT
    When skip_reflection happens
    Then a replay of the log gives the same state
