Feature: The coach never loops, and knows when to stand aside

  Background:
    Given the flow agent
    And a new session

  Scenario: An agent that says the same again is getting nowhere
    When the learner says "Let me run the tests next."
    And the learner says "Let me run the tests next."
    Then the counter standstills is 1
    When the learner says "Let me run the tests next!"
    Then the state is WAITING_HUMAN
    And the coach says "keeps repeating itself"

  Scenario: Numbers that move are progress
    When the learner says "Let me run the tests next, 3 of 7 modules are converted."
    And the learner says "Let me run the tests next, 4 of 7 modules are converted."
    And the learner says "Let me run the tests next, 5 of 7 modules are converted."
    Then the counter standstills is 0
    And the counter continues is 3

  Scenario: After a bound only a human sets the agent going again
    When the learner says "Let me run the tests next."
    And the learner says "I have not finished yet: the parser is still open."
    And the learner says "The importer is 40% complete, its error handling is still missing."
    And the learner says "Next I will write the importer."
    And the learner says "Now I am going to write the exporter."
    Then the view has aside at data.last.decision
    And the coach says "no human has answered"
    When prompted happens with `{"text": "Go on with the exporter."}`
    And the learner says "Next I will write its tests."
    Then the view has continue at data.last.decision
    And the counter continues is 1

  Scenario: Time that passes is no human
    When the learner says "Should I proceed with the refactor?"
    And 1m passes
    And the learner says "Let me run the tests next."
    Then the state is WAITING_HUMAN
    And send_coaching was not performed
    When prompted happens with `{"text": "Yes, do."}`
    And the learner says "Let me run the tests next."
    Then the state is WATCHING
    And the counter continues is 1

  Scenario: Finished work is not started again, except by the human
    When the learner says "All 42 tests passed, committed abc1234"
    And the learner says "Let me run the tests next."
    Then the state is COMPLETED
    And the coach says "no human has asked for more"
    And send_coaching was not performed
    When prompted happens with `{"text": "Now the exporter."}`
    And the learner says "Let me run the tests next."
    Then the view has continue at data.last.decision

  Scenario: Time runs out
    Given it is opened with `{"max_minutes": 30}`
    And a new session
    When the learner says "Let me run the tests next."
    And 31m passes
    And the learner says "I have not finished yet: the parser is still open."
    Then the state is WAITING_HUMAN
    And the coach says "more than 30 minutes"

  Scenario: The kill switch keeps the coach out
    When stopped happens with `{"text": "Let me run the tests next.", "is_switched_off": true}`
    Then the coach says "switched off"
    And the state is WATCHING
    And classify_output was not performed

  Scenario: While work goes on in the background, the coach stands aside
    When stopped happens with `{"text": "Let me run the tests next.", "in_background": 2}`
    Then the view has aside at data.last.decision
    And the counter continues is 0

  Scenario: A human who takes over ends it
    When the learner says "Let me run the tests next."
    And halted happens
    Then the session has ended with user

  Scenario: The counts survive a crash of the coach
    When the learner says "Let me run the tests next."
    And the learner says "I have not finished yet: the parser is still open."
    And the learner says "The importer is 40% complete, its error handling is still missing."
    And the process crashes and starts again
    And the learner says "Next I will write the importer."
    Then the state is WAITING_HUMAN
    And a replay of the log gives the same state
