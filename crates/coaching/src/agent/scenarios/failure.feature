Feature: What has failed is never continued

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

  Scenario: The agent's program knows better than its words
    When stopped happens with `{"text": "Let me run the tests next.", "signals": {"agent_error": "overloaded"}}`
    Then the session has ended with error
    And send_coaching was not performed

  Scenario: An error in the words alone
    When the learner says "Error: ModuleNotFoundError: no module named x"
    Then the session has ended with error
    And the view has error at data.last.output_type

  Scenario: A human who interrupts is not talked over
    When stopped happens with `{"text": "Let me run the tests next.", "signals": {"stop_reason": "aborted"}}`
    Then the state is WAITING_HUMAN
    And send_coaching was not performed

  Scenario: A session nobody hears of is stale, once
    When the learner says "Let me run the tests next."
    And 6h passes
    Then the session has ended with timeout

  Scenario: A finished session ends quietly
    When the learner says "All 42 tests passed, committed abc1234"
    And 6h passes
    Then the session has ended with done
