Feature: An order

  Background:
    Given the law "order.yaml"
    And a new session

  Scenario: From the cart to the door
    When order happens
    Then the state is cart
    When these happen: add, add, order
    Then the state is paying-charging
    And charge_card was performed 1 times
    When these happen: paid, packed, delivered
    Then the session has ended with delivered
    And the counter items is 2
    And a replay of the log gives the same state

  Scenario: A declined card leads back to the cart, and the next payment starts over
    When these happen: add, order, failed, retry, declined
    Then the state is cart
    And the counter paying-retries is 1
    When order happens
    Then the counter paying-retries is 0

  Scenario: The day counts from the first moment in the cart, whatever happens within
    When 20h passes
    And these happen: add, order
    And 3h passes
    And declined happens
    And 59m passes
    Then the state is cart
    When 1m passes
    Then the session has ended with abandoned

  Scenario: Once it is paid, the day no longer counts
    When these happen: add, order, paid
    And 2d passes
    Then the state is packing

  Scenario: The payment gives up, and so does the order
    When these happen: add, order
    And these happen 5 times: failed, retry
    And failed happens
    Then the session has ended with unpaid
