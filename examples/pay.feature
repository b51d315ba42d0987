Feature: A payment that is tried again

  Background:
    Given the law "pay.yaml"
    And a new session

  Scenario: The card is charged at once
    When paid happens
    Then the session has ended with paid
    And charge_card was performed 1 times

  Scenario: Pauses grow from one second to sixteen
    When failed happens
    And 1s passes
    Then the state is charging
    When failed happens
    And 1s passes
    Then the state is pausing
    When 1s passes
    Then the state is charging
    And the counter retries is 2

  Scenario: After five pauses it is not tried again
    When these happen 5 times: failed, retry
    And failed happens
    Then the session has ended with unreachable
    And charge_card was performed 6 times

  Scenario: A crash does not shorten a pause
    When failed happens
    And the process crashes and starts again
    And 500ms passes
    Then the state is pausing
    When 500ms passes
    Then the state is charging
