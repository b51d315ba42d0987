Feature: A new word is used three times until it sticks

  Background:
    Given the flow drill
    And it is opened with:
      """
      {"pack": "german-first-words", "new_words": 2}
      """
    And a new session

  Scenario: The ideal path, three correct uses in a row
    When start happens
    Then the session went through: INTRO_WORD, PROMPT_PRACTICE, WAIT_STUDENT
    And coach_introduce_word was performed 1 times
    And coach_explain_word was performed 1 times
    And coach_example_sentence was performed 1 times
    And the coach says "Hallo"
    When the learner says "Hallo"
    Then the counter usage is 1
    And the coach says "Ha…"
    When the learner says "Hallo"
    Then rest_word was performed 1 times
    And the view has 0 at data.pool
    And coach_introduce_word was performed 2 times
    When the learner says "Tschüss" 2 times
    Then the state is WAIT_RECALL
    And the counter usage is 2
    And the view has hallo at data.target.id
    And the view has null at data.target.text
    When the learner says "Hallo, Anna!"
    Then the view has 1 at data.pool
    And add_word_to_learned_pool was performed 1 times
    And remember_good was performed 1 times
    And the state is WAIT_RECALL
    And a replay of the log gives the same state

  Scenario: Many words of the pack at once do not say which one is meant
    When start happens
    And the learner says "Hallo Tschüss Danke Bitte ja nein"
    Then the counter usage is 0
    And the state is WAIT_STUDENT
    When the learner says "Hallo, ja, danke!"
    Then the counter usage is 1

  Scenario: A single word is recalled at once, for nothing else can come in between
    Given it is opened with:
      """
      {"pack": "german-first-words", "new_words": 1}
      """
    And a new session
    When start happens
    And the learner says "Hallo" 2 times
    Then the state is WAIT_RECALL
    And the counter usage is 2
    When the learner says "Hallo"
    Then the session has ended with done
    And the counter usage is 3

  Scenario: Ways out are never attempts
    When start happens
    And the learner says "I don't know"
    And the learner says "weiß nicht"
    And the learner says "?"
    And the learner says "help"
    And the learner says "what does it mean?"
    Then the coach says "It means: hello, hi"
    When the learner says "Was heißt das?"
    Then the coach says "It means: hello, hi"
    And the counter failures is 0
    And the state is WAIT_STUDENT
    When the learner says "skip"
    Then the coach says "We’ll leave “Hallo” for another time."
    And coach_introduce_word was performed 2 times
    And the counter failures is 0
    When the learner says "stop"
    Then the session has ended with user

  Scenario: Two misses lead to repeat-after-me, and a good repeat counts
    When start happens
    And the learner says "nein" 2 times
    Then the state is WAIT_REPEAT
    And the session went through: EVALUATE_ATTEMPT, REPEAT_AFTER_ME, WAIT_REPEAT
    And coach_slow_repeat was performed 1 times
    When the learner says "Hallo"
    Then the counter usage is 1
    And the counter failures is 0
    And the state is WAIT_STUDENT
    When the learner says "Hallo"
    And the learner says "Tschüss" 2 times
    And the learner says "Hallo"
    Then the view has 1 at data.pool

  Scenario: The cap on repeating lets the word go, without praise and without losing it
    When start happens
    And the learner says "nein" 2 times
    Then the state is WAIT_REPEAT
    When the learner says "nein" 2 times
    Then the state is WAIT_REPEAT
    And the counter repeats is 2
    When the learner says "nein"
    Then the view has 1 at data.pool
    And park_word was performed 1 times
    And coach_positive_reinforce was not performed
    And the coach does not say "Well done"
    And the state is WAIT_STUDENT

  Scenario: A correct answer forgives an earlier miss
    When start happens
    And the learner says "nein"
    Then the counter failures is 1
    When the learner says "Hallo"
    Then the counter failures is 0
    When the learner says "nein"
    Then the state is WAIT_STUDENT

  Scenario: Something that is not an attempt does not count
    When start happens
    And the learner says "!!!" 5 times
    Then the counter failures is 0
    And the counter usage is 0
    And the state is WAIT_STUDENT

  Scenario: A near miss counts, and the difference is shown
    When start happens
    And the learner says "Halo"
    Then the counter usage is 1
    And the view has fuzzy at data.feedback.how
