Feature: Coming back on another day

  Background:
    Given the flow drill
    And it is opened with:
      """
      {"pack": "two-words"}
      """
    And a new session
    And start happens
    And the learner says "zivjo" 3 times
    And the learner says "hvala" 3 times

  Scenario: Nothing is left to learn today
    Then the session has ended with done
    When a new session
    And start happens
    Then the session has ended with done
    And the view has 2 at data.pool

  Scenario: The words come back for review when they are due
    When 30d passes
    And a new session
    And start happens
    Then the state is WAIT_STUDENT
    And the view has true at data.target.is_review
    And the view has 1 at data.queue
