Feature: A turnstile

  Background:
    Given the law "turnstile.yaml"
    And a new session

  Scenario: A coin lets one person through
    When coin happens
    Then the state is OPEN
    And let_through was performed 1 times
    When push happens
    Then the state is LOCKED
    And a replay of the log gives the same state

  Scenario: Pushing without a coin ends it at the cap
    When push happens 2 times
    Then the counter pushes is 2
    And the session is still open
    When push happens
    Then the session has ended with cap
    And coin is refused

  Scenario: No one comes
    When 10m passes
    Then the session has ended with timeout

  Scenario: A crash loses nothing
    When push happens 2 times
    And the process crashes and starts again
    Then the counter pushes is 2
    When coin happens
    Then the counter pushes is 0
