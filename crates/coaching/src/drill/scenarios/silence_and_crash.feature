Feature: Silence, crashes and short sessions

  Background:
    Given the flow drill

  Scenario: An empty room ends the session, and the word is parked
    Given it is opened with:
      """
      {"pack": "german-first-words", "new_words": 3}
      """
    And a new session
    When start happens
    And 45s passes
    Then the counter silences is 1
    And the state is WAIT_STUDENT
    When 45s passes
    Then the state is WAIT_REPEAT
    When 45s passes
    Then the session has ended with timeout
    And the view has 1 at data.pool
    And a replay of the log gives the same state

  Scenario: Who may leave and come back is waited for
    Given it is opened with:
      """
      {"pack": "german-first-words", "new_words": 3, "timed": false}
      """
    And a new session
    When start happens
    And 45s passes
    And 45s passes
    And 45s passes
    Then the counter silences is 0
    And the state is WAIT_STUDENT
    And the session is still open
    When the learner says "Hallo"
    Then the counter usage is 1

  Scenario: A learner who speaks again is given the full patience
    Given it is opened with:
      """
      {"pack": "german-first-words"}
      """
    And a new session
    When start happens
    And 45s passes
    And the learner says "Hallo"
    Then the counter silences is 0
    And the session is still open

  Scenario: A crash in the middle loses nothing
    Given it is opened with:
      """
      {"pack": "german-first-words", "new_words": 2}
      """
    And a new session
    When start happens
    And the learner says "Hallo" 2 times
    And the learner says "Tschüss"
    And the process crashes and starts again
    Then the counter usage is 1
    And the state is WAIT_STUDENT
    And the view has tschuess at data.target.id
    When the learner says "Tschüss"
    And the learner says "Hallo"
    Then the view has 1 at data.pool
    And a replay of the log gives the same state

  Scenario: A crash in remediation keeps the tries
    Given it is opened with:
      """
      {"pack": "german-first-words", "new_words": 2}
      """
    And a new session
    When start happens
    And the learner says "nein" 3 times
    And the process crashes and starts again
    Then the state is WAIT_REPEAT
    And the counter repeats is 1

  Scenario: Five uses are asked for where the learner wants five
    Given required_usages is set to 5
    And it is opened with:
      """
      {"pack": "german-first-words", "new_words": 2}
      """
    And a new session
    When start happens
    And the learner says "Hallo" 2 times
    And the learner says "Tschüss" 2 times
    And the learner says "Hallo"
    Then the view has 0 at data.pool
    And rest_word was performed 3 times

  Scenario: One word only
    Given it is opened with:
      """
      {"pack": "german-first-words", "new_words": 1}
      """
    And a new session
    When start happens
    And the learner says "Hallo" 3 times
    Then the session has ended with done
    And start is refused

  Scenario: Leaving is always possible
    Given it is opened with:
      """
      {"pack": "german-first-words"}
      """
    And a new session
    When start happens
    And leave happens
    Then the session has ended with user
