Feature: Attempts from before the five steps

  Background:
    Given the flow attempt
    And it is opened with:
      """
      {"problemId": "market-pair", "attempt_v2_flow": false}
      """
    And a new session

  Scenario: Three steps instead of five
    Then the state is APPROACH
    And the view has null at data.v2Step
    And skip is refused
    And hint is refused
    When explain happens with `{"explanation": "I look prices up"}`
    Then the state is CODE
    When submit happens with `{"code": "def market_pair(p, v): return [0, 1]"}`
    Then the state is TEST
    When run happens
    And judged happens with:
      """
      {"number": 1, "report": {"verdict": "wrong_answer", "isolation": "full", "tests": [
        {"index": 0, "verdict": "wrong_answer", "time_ms": 1, "memory_kb": 1}]}}
      """
    Then the state is TEST
    And the view has null at data.v2Step
    When retry happens
    Then the state is CODE

  Scenario: Beginners are not the default where the settings say so
    When it is opened with `{"problemId": "market-pair", "beginner_mode_default": false}`
    And a new session
    Then the view has EXPERT at data.mode
    And the state is UNDERSTAND
