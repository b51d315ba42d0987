Feature: What was understood comes back

  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters"}
      """
    And a new session
    And the learner says "?" 3 times
    And go_on happens
    And the learner says "alpha" 2 times

  Scenario: A review comes up by itself when it is due
    When 30d passes
    And attention turns to the review
    Then the state is recalling
    And the view has 1 at data.left
    And there are 0 schedule records
    When the learner says "alpha"
    Then the session has ended with done
    And a quiz_response record has review at response_type
    And there are 1 schedule records

  Scenario: However often one looks, a review is opened once
    When 30d passes
    And 1s passes
    And attention turns to the review
    Then the view has 1 at data.left
    And there are 5 quiz_response records
    When the learner says "alpha"
    Then there are 1 schedule records

  Scenario: A failed recall comes back the next day and stays in review
    When 30d passes
    And attention turns to the review
    And the learner says "omega"
    Then there are 1 mind_map_node records at reviewing
    And there are 0 mind_map_node records at learning
    When 25h passes
    And attention turns to the review
    Then the state is recalling

  Scenario: Three good recalls master the concept and open the next one
    When a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And 1s passes
    And attention turns to the teach
    And a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And 1s passes
    And attention turns to the teach
    Then the entry has reviewing at status
    When a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And attention turns to the teach
    Then there are 1 mind_map_node records at mastered
    And the entry has teaching at status
    And the coach says "Beta is the name of a letter"

  Scenario: A review beside teaching does not push the course
    When 30d passes
    And attention turns to the teach
    And advance happens
    Then the entry has reviewing at status

  Scenario: A sitting that nobody takes up lapses, and what is due comes back as one
    When 30d passes
    And attention turns to the review
    And 25h passes
    Then the session has ended with timeout
    And there are 1 schedule records

  Scenario: A flow that is resumed gets its reviews back
    When abandon happens
    Then there are 0 schedule records
    And advance is refused
