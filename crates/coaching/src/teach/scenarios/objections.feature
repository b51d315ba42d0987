Feature: A learner whose words the rubric does not know can object to the mark

  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And a new session with the id 00000000-0000-4000-8000-00000000000a
    And the learner says "?" 3 times
    And go_on happens

  Scenario: Only an answer in the learner's own words that was not marked right can be objected to
    Then objects is refused
    When the learner says "alpha"
    Then the view has false at data.last.may_object
    And objects is refused
    And the answer has nothing_to_object_to at code

  Scenario: The answer counts as the learner sees it, and the rules' own mark is kept
    When the learner says "the first of them"
    Then the view has 1 at data.last.quality
    And the view has true at data.last.may_object
    When objects happens
    Then the coach says "by your own judgement"
    And the coach says "Back to the question:"
    And the view has 3 at data.last.quality
    And the view has false at data.last.may_object
    And a quiz_response record has:
      """
      {"user_answer": "the first of them", "quality": 3, "marked": 1}
      """
    And there are 4 quiz_response records
    And a mind_map_node record has 0.6 at mastery_score
    And objects is refused

  Scenario: After the objection the quiz continues as after any right answer
    When the learner says "the first of them"
    And objects happens
    And the learner says "alpha" 2 times
    Then the coach says "You have understood “Alpha”."
    And a replay of the log gives the same state

  Scenario: Gaps are checked by a machine, so their mark stands
    When the learner says "alpha"
    And the learner says "the first of them"
    Then the view has false at data.last.may_object
    And objects is refused

  Scenario: After a failed quiz, the next one asks another question
    When the learner says "omega"
    And the learner says "omega"
    And the learner says "the first of them"
    Then the entry has teaching at status
    And a mind_map_node record has learning at mastery_status
    When objects happens
    Then the entry has quizzing at status
    When the learner says "alpha"
    Then the coach says "hasn't sunk in yet"
    And a replay of the log gives the same state

  Scenario: An earlier question can no longer be objected to
    When the learner says "omega"
    And the learner says "omega"
    And the learner says "omega"
    And go_on happens
    Then objects is refused

  Rule: In a review

    Background:
      When the learner says "alpha" 2 times
      And a review begins beside it with `{"ahead": true}`

    Scenario: A learner who stays may object to the last mark, and the memory is rated again
      When answered happens with `{"text": "the first of them", "stays": true}`
      Then the session is still open
      And the state is parting
      And a mind_map_node record has 1 at interval_days
      When objects happens
      Then the session has ended with done
      And the coach says "1 of 1 recalled."
      And a mind_map_node record has:
        """
        {"interval_days": "1 to 30", "recalls": [3]}
        """
      And there are 1 schedule records

    Scenario: A learner who stays without an objection can simply leave
      When answered happens with `{"text": "the first of them", "stays": true}`
      And leave happens
      Then the session has ended with done
      And the coach says "0 of 1 recalled."

    Scenario: A right answer needs no waiting
      When answered happens with `{"text": "alpha", "stays": true}`
      Then the session has ended with done

    Scenario: The sitting does not wait long
      When answered happens with `{"text": "the first of them", "stays": true}`
      And 11m passes
      Then the session has ended with done

    Scenario: Elsewhere the last answer ends a sitting
      When the learner says "the first of them"
      Then the session has ended with done
