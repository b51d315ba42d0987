Feature: Coming back on another day

  Background:
    Given the flow drill
    And it is opened with:
      """
      {"pack": "two-words"}
      """
    And a new session
    And start happens
    And the learner says "živjo" 2 times
    And the learner says "hvala" 2 times
    And the learner says "živjo"
    And the learner says "hvala"

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
    Then the state is WAIT_RECALL
    And the session went through: REMIND_WORD, ASK_RECALL, WAIT_RECALL
    And the view has true at data.target.is_review
    And the view has 1 at data.queue
    And coach_introduce_word was performed 2 times

  Scenario: Nothing shows the word before the first try
    When 30d passes
    And a new session
    And start happens
    Then the view has null at data.target.text
    And the coach does not say "Živjo"
    And the coach says "From memory: “hi”"

  Scenario: A word that is recalled is done, and memory is told so once
    When 30d passes
    And a new session
    And start happens
    And the learner says "živjo"
    Then remember_good was performed 3 times
    And the view has 1 at data.pool
    And the state is WAIT_RECALL
    And a replay of the log gives the same state

  Scenario: From the second review on, a word that comes at once is easy
    When 30d passes
    And a new session
    And start happens
    And the learner says "živjo"
    And 300d passes
    And a new session
    And start happens
    And the learner says "živjo"
    Then remember_easy was performed 1 times

  Scenario: With a cue it was hard
    When 30d passes
    And a new session
    And start happens
    And the learner says "I don't know"
    Then the state is WAIT_RECALL
    And the counter cues is 1
    And the coach says "Ži…"
    When the learner says "živjo"
    Then remember_hard was performed 1 times
    And the view has 1 at data.pool

  Scenario: A word that was missed is forgotten, told, and practised again
    When 30d passes
    And a new session
    And start happens
    And the learner says "hvala"
    Then remember_again was performed 1 times
    And the coach says "Živjo"
    And the state is WAIT_STUDENT
    When the learner says "živjo" 2 times
    Then the state is WAIT_RECALL
    And the view has hvala at data.target.id
    When the learner says "hvala"
    And the learner says "živjo"
    Then the session has ended with done
    And remember_good was performed 4 times

  Scenario: After giving up twice, the learner sees the word, and it counts as forgotten
    When 30d passes
    And a new session
    And start happens
    And the learner says "no idea" 2 times
    Then remember_again was performed 1 times
    And the state is WAIT_STUDENT
