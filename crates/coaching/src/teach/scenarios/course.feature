Feature: Etude teaches a course from a curriculum

  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters"}
      """
    And a new session

  Scenario: One probe at a time, of median difficulty first
    Then the state is diagnosing
    And the coach says "First a few questions"
    And pose_probe was performed 1 times
    And the view has 0 at counters.probes

  Scenario: A diagnosis of somebody who knows nothing ends at the beginning
    When the learner says "I don't know" 2 times
    Then the coach does not say "Right."
    When the learner says "I don't know"
    Then the session went through: diagnosing, planning, explaining, questioning
    And the coach says "Alpha is the name of a letter"
    And there are 3 quiz_response records
    And a quiz_response record has diagnostic at response_type
    And the entry has teaching at status
    And the entry has questioning at current_phase

  Scenario: What seems to be known gets a head start, never mastery
    # The probes ask for beta, gamma and alpha.
    When the learner says "beta"
    And the learner says "gamma"
    And the learner says "alpha"
    Then there are 0 mind_map_node records at mastered
    And the entry has teaching at status
    And there are 2 mind_map_node records at diagnosed

  Scenario: Explain, question, evaluate, quiz, review
    When the learner says "?" 3 times
    And go_on happens
    Then the entry has evaluating at current_phase
    When the learner says "alpha"
    Then the coach says "Right."
    And the entry has quizzing at status
    When the learner says "alpha"
    Then there are 1 schedule records
    And there are 1 mind_map_node records at reviewing
    # Beta needs alpha, which is not mastered yet.
    And the entry has reviewing at status
    And the coach says "practise now"

  Scenario: A failed quiz explains the same concept once more
    When the learner says "?" 3 times
    And go_on happens
    And the learner says "omega"
    And the learner says "omega"
    And the learner says "omega"
    Then the entry has teaching at status
    And the coach says "Alpha, once more"
    And there are 0 schedule records
    And there are 1 mind_map_node records at learning

  Scenario: Whoever has failed the quiz, or asks again, hears it in other words
    When the learner says "?" 3 times
    And asks happens with `{"text": "I don't understand alpha"}`
    Then the coach says "The alphabet carries its name"
    When go_on happens
    And the learner says "omega" 3 times
    Then the coach says "Alpha, once more"
    And the coach says "The alphabet carries its name"
    And the coach does not say "Alpha is the name of a letter"
    # After a second failure the first explanation has its turn again.
    When go_on happens
    And the learner says "omega" 3 times
    Then the coach says "Alpha is the name of a letter"

  Scenario: A question in between about the concept at hand
    When the learner says "?" 3 times
    And asks happens with `{"text": "I don't understand alpha"}`
    Then the coach says "About Alpha"
    And the entry has questioning at current_phase
    When the learner says "alpha"
    Then the entry has questioning at current_phase
    And a quiz_response record has teach at response_type

  Scenario: A question in between about another concept leaves the course where it is
    When the learner says "?" 3 times
    And go_on happens
    And asks happens with `{"text": "what about letter gamma?"}`
    Then the coach says "About Gamma"
    And the entry has evaluating at current_phase
    When the learner says "gamma"
    Then the coach says "Back to the question"
    And the entry has evaluating at current_phase
    When the learner says "alpha"
    Then the entry has quizzing at status

  Scenario: A question about something else
    When the learner says "?" 3 times
    And asks happens with `{"text": "who invented cheese?"}`
    Then the coach says "not on the map"
    And the entry has questioning at current_phase
    And a mind_map record has 3 at node_count

  Scenario: A crash in the middle of a quiz loses nothing
    When the learner says "?" 3 times
    And go_on happens
    And the learner says "alpha"
    And the process crashes and starts again
    And the learner says "alpha"
    Then the entry has reviewing at status

  Scenario: After days away the course goes on in the same phase
    When the learner says "?" 3 times
    And 2d passes
    And go_on happens
    Then explain was performed 1 times
    And the entry has evaluating at current_phase

  Scenario: Abandoned and taken up again, what was learned is still there
    When the learner says "?" 3 times
    And go_on happens
    And the learner says "alpha" 2 times
    And abandon happens
    Then there are 0 schedule records
    And there are 1 mind_map records at abandoned
