Feature: Where a machine can check, it does

  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "kitchen", "curriculum": "kitchen"}
      """
    And a new session with the id c0000000-0000-4000-8000-000000000002
    And the learner says "I don't know"
    And go_on happens

  Scenario: SQL runs, and its rows decide
    Then the view has "query" at desk.ask.form
    When the learner says "SELECT 'x'"
    Then the coach says "It runs, but it returns different rows."
    And the view has 1 at data.last.quality
    And objects is refused

  Scenario: What the database refuses is told
    When the learner says "SELECT name FROM nowhere"
    Then the coach says "The database refuses this: no such table: nowhere"

  Scenario: A statement that reaches out of its database is refused
    When the learner says "ATTACH DATABASE '/tmp/out.db' AS out; SELECT 1"
    Then the coach says "This statement is not allowed here"
