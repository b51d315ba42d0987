Feature: A passed lesson opens the way on

  Background:
    Given these names stand for:
      | Course | c0000000-0000-4000-8000-000000000001 |
      | Alpha  | cfe1b366-1e08-5919-985a-b93d06faa99d |
      | Beta   | 99f7d4f4-4aa6-576e-a562-920322856693 |
      | Gamma  | 25d041a9-af63-5e53-9d7c-9b59116b953e |
    And the flow teach
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters"}
      """
    And a new session with the id "<Course>"

  Scenario: A beginner comes to the second concept in the first evening, and to the third
    When the learner says "I don't know" 3 times
    And go_on happens
    And the learner says "alpha" 2 times
    Then the state is questioning
    And the coach says "Beta is the name of a letter"
    And the mind_map_node record "<Alpha>" has reviewing at mastery_status
    When go_on happens
    And the learner says "beta" 2 times
    Then the coach says "Gamma is the name of a letter"
    When go_on happens
    And the learner says "gamma" 2 times
    Then the entry has reviewing at status
    And there are 3 mind_map_node records at reviewing

  Scenario: What the diagnosis is sure of is not taught, and a review checks it soon
    When the learner says "beta"
    And the learner says "gamma"
    And the learner says "alpha"
    Then there are 2 mind_map_node records at reviewing
    And there are 2 schedule records
    And the entry has teaching at status
    When 2d passes
    And attention turns to the review
    Then the state is recalling

  Scenario: What the diagnosis was wrong about is taught after all
    When the learner says "beta"
    And the learner says "gamma"
    And the learner says "alpha"
    And a review begins beside it with `{"ahead": true}`
    And the learner says "I don't know"
    Then the coach says "We'll go through it properly"
    And there are 1 mind_map_node records at reviewing
    And there are 2 mind_map_node records at learning

  Scenario: A learner who knows a concept proves it with two questions
    When the learner says "I don't know" 3 times
    And advance happens
    Then the entry has quizzing at status
    When the learner says "alpha" 2 times
    Then the mind_map_node record "<Alpha>" has reviewing at mastery_status
    And the coach says "Beta is the name of a letter"

  Scenario: The stricter rule is a setting
    When it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And a new session with the id "c0000000-0000-4000-8000-000000000002"
    And the learner says "I don't know" 3 times
    And go_on happens
    And the learner says "alpha" 2 times
    Then the entry has reviewing at status
    And there are 0 mind_map_node records at mastered
