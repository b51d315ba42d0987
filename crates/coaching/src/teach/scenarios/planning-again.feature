Feature: If no model could make a map, the course can try again

  # Scenarios have no model, so asking one says that there is none.
  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "underwater knitting", "model": true}
      """
    And a new session

  Scenario: Without a map the learner decides how to go on
    Then the state is unsurveyed
    And the coach says "could not make a map of “underwater knitting”"
    And the entry has diagnosing at status
    And the counter surveys is 1
    And answered is refused with {"text":"knit"}
    And go_on is refused

  Scenario: The model is asked once more
    When plan_again happens
    Then survey was performed 2 times
    And the counter surveys is 2
    And the state is unsurveyed
    And the coach says "could not make a map of “underwater knitting”"

  Scenario: A curriculum takes the place of the model's plan, and begins with the diagnosis
    When plan_again happens with {"curriculum":"three-letters"}
    Then the state is diagnosing
    And the entry has diagnosing at status
    And the coach says "First a few questions"
    And survey was performed 1 times
    And a mind_map record has three-letters at metadata.curriculum
    And a mind_map record has 3 at node_count
    When the learner says "I don't know" 3 times
    Then the entry has teaching at status
    And a replay of the log gives the same state

  Scenario: A curriculum may be named by its title
    When plan_again happens with:
      """
      {"curriculum": "Three letters"}
      """
    Then the state is diagnosing

  Scenario: A curriculum that is not there changes nothing
    Then plan_again is refused with {"curriculum":"cooking"}
    And plan_again is refused with {"topic":"cooking"}
    And the state is unsurveyed
    And the counter surveys is 1

  Scenario: A course that was moved on to planning can still get its map, and is not diagnosed again
    When advance happens
    Then the state is unplanned
    And the entry has planning at status
    When plan_again happens
    Then the state is unplanned
    And the entry has planning at status
    When plan_again happens with {"curriculum":"three-letters"}
    Then the entry has teaching at status
    And pose_probe was not performed

  Scenario: A model is not asked forever
    # The session before this one has asked once.
    Given max_surveys is set to 2
    And a new session
    When plan_again happens
    Then survey was performed 3 times
    When plan_again happens
    Then survey was performed 3 times
    And refuse_survey was performed 1 times
    And the coach says "Choose a curriculum"
    And the state is unsurveyed
    When plan_again happens with {"curriculum":"three-letters"}
    Then the state is diagnosing

  Scenario: Tries survive a crash
    When plan_again happens
    And the process crashes and starts again
    And plan_again happens
    Then the counter surveys is 3

  Scenario: A course without a map can be abandoned
    When abandon happens
    Then the session has ended with user

  Scenario: The tutor of a course lays out its map
    Given it is opened with:
      """
      {"topic": "underwater knitting", "tutor": "outside"}
      """
    And a new session
    When edited happens with `{"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Purl"}`
    And recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens
    Then plan_again is refused
