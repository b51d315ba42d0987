Feature: A login with a one-time password

  Background:
    Given the law "login.yaml"

  Scenario: The right code opens
    Given a new session
    When sent happens
    And the fact is_right holds
    And guess happens
    Then the session has ended with logged_in
    And open_session was performed

  Scenario: A blocked user gets no code
    Given the fact is_blocked holds
    And a new session
    Then the session has ended with blocked
    And send_code was not performed

  Scenario: Three wrong guesses lock
    Given a new session
    When sent happens
    And guess happens 2 times
    Then the state is asking
    When guess happens
    Then the session has ended with locked

  Scenario: A new code gives new guesses but no more time
    Given a new session
    When sent happens
    And guess happens 2 times
    And 4m passes
    And these happen: resend, sent
    Then the counter guesses is 0
    When 59s passes
    Then the state is asking
    When 1s passes
    Then the session has ended with expired

  Scenario: The code cannot be sent
    Given a new session
    When failed happens
    Then the session has ended with unreachable
