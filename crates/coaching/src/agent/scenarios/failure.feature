Feature: No agent goes on after a failure

  Background:
    Given the flow agent
    And a new session

  Scenario: An error that the agent's program reports
    When crashed happens with `{"error": "rate_limit", "details": "try again at noon"}`
    Then the session has ended with error
    And the coach says "rate_limit"
    And mark_failed was performed
    And send_coaching was not performed
    And stopped is refused

  Scenario: What the agent's program reports counts for more than its words
    When stopped happens with `{"text": "Let me run the tests next.", "signals": {"agent_error": "overloaded"}}`
    Then the session has ended with error
    And send_coaching was not performed

  Scenario: An error in the words alone is the human's to look at, and no crash
    When the learner says "Error: ModuleNotFoundError: no module named x"
    Then the state is WAITING_HUMAN
    And the view has error at data.last.output_type
    And send_coaching was not performed

  Scenario: Failing tests are work in progress
    When stopped happens with `{"text": "3 tests failed.", "work": {"calls": 1, "runs": [{"command": "make test", "has_failed": true, "is_check": true, "is_test": true, "is_after_change": true, "output": "leap_day FAILED"}]}}`
    Then the view has continue at data.last.decision
    And the coach says "leap_day FAILED"

  Scenario: A human who interrupts is not talked over
    When stopped happens with `{"text": "Let me run the tests next.", "signals": {"stop_reason": "aborted"}}`
    Then the state is WAITING_HUMAN
    And send_coaching was not performed

  Scenario: A session that stays silent is stale, once
    When the learner says "Let me run the tests next."
    And 31m passes
    And 6h passes
    Then the session has ended with timeout

  Scenario: A finished session ends quietly
    When the learner says "All 42 tests passed, committed abc1234"
    And 7h passes
    Then the session has ended with done

  Scenario: The human hears once that an agent has gone quiet, and then it is stale
    When the learner says "Let me run the tests next."
    And 31m passes
    Then the state is SILENT
    And the view has silence at data.alarms.0.trouble
    When the learner says "I have not finished yet: the parser is still open."
    And 31m passes
    Then the state is SILENT
    And the view has 1 at data.counts.alarms
    When 7h passes
    Then the session has ended with timeout

  Scenario: The same call again and again
    When watched happens with `{"call": "bash make test"}`
    And watched happens with `{"call": "bash ls"}`
    And watched happens with `{"call": "bash make test", "same_calls": 4}`
    Then raise_alarm was not performed
    When watched happens with `{"call": "bash make test"}`
    Then the coach says "same call 5 times"
    And the state is WATCHING
    When watched happens with `{"call": "bash make test"}`
    Then raise_alarm was performed 1 times

  Scenario: One failure after the other
    When watched happens with `{"is_error": true, "errors": 3}`
    Then raise_alarm was not performed
    When watched happens with `{"is_error": false}`
    And watched happens with `{"is_error": true}`
    Then raise_alarm was not performed
    When watched happens with `{"is_error": true, "errors": 5}`
    Then the coach says "calls in a row have failed"

  Scenario: An agent over its budget does not go on
    Given it is opened with `{"max_microusd": 1000000}`
    And a new session
    When stopped happens with `{"text": "Let me run the tests next.", "cost_microusd": 600000}`
    Then the view has continue at data.last.decision
    When stopped happens with `{"text": "Next I will write the importer.", "cost_microusd": 600000}`
    Then the state is WAITING_HUMAN
    And the coach says "$1.20"
