Feature: Sittings and courses end, and nothing is lost or asked forever

  Background:
    Given the flow teach

  # The scenario begins at 9:00. What is due in days is due at 4:00, when the day begins.
  Scenario Outline: What comes back is told in the learner's own days
    Given it is opened with:
      """
      {"map": {
        "mind_map_id": "00000000-0000-4000-8000-000000000000",
        "title": "One thing",
        "nodes": [{"node_id": "00000000-0000-4000-8000-000000000001", "label": "it"}],
        "edges": []
      }}
      """
    And a new session
    And the learner says "0 no idea"
    And go_on happens
    When <time> passes
    And the learner says "<answer>" <times> times
    Then the coach says "It comes back <when>."

    Examples:
      | time | answer    | times | when      |
      | 1s   | 4 this    | 2     | in 2 days |
      | 9h   | 4 this    | 2     | in 2 days |
      | 14h  | 3 perhaps | 3     | tomorrow  |

  Rule: One concept is in review

    Background:
      Given it is opened with:
        """
        {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
        """
      And a new session with the id 00000000-0000-4000-8000-00000000000a
      And the learner says "?" 3 times
      And go_on happens
      And the learner says "alpha" 2 times

    # What was explained just now is understood; whether it was remembered is unknown.
    Scenario: The learner's own question in a sitting is answered, and the open one is asked again
      When 30d passes
      And attention turns to the review
      And asks happens with `{"text": "I don't understand alpha"}`
      Then the coach says "Alpha is the name of a letter"
      And the coach says "Back to the question"
      And the state is recalling
      And the counter recalls is 0
      And there are 5 quiz_response records
      And asks is refused with `{"text": " "}`
      When the learner says "alpha"
      Then there are 6 quiz_response records
      And a quiz_response record has:
        """
        {"response_type": "review", "user_answer": "alpha", "quality": 3}
        """

    # The question is which letter stands first.
    Scenario: An explanation does not answer the question that waits
      When 30d passes
      And attention turns to the review
      And asks happens with `{"text": "what kind of letter has this name?"}`
      Then the coach says "I'm leaving out what would answer the open question"
      And the coach does not say "Alpha is the name of a letter"
      And the coach says "Back to the question"

    Scenario: A question about something else takes nothing from an answer
      When 30d passes
      And attention turns to the review
      And asks happens with `{"text": "who invented cheese?"}`
      Then the coach says "not on the map"
      And the coach says "Back to the question"
      When the learner says "alpha"
      Then a quiz_response record has:
        """
        {"response_type": "review", "user_answer": "alpha", "quality": 5}
        """

    Scenario: A sitting of a course that was abandoned lapses, and no other follows
      When 30d passes
      And abandon happens
      And 25h passes
      And attention turns to the review
      Then the session has ended with timeout
      And there are 0 schedule records
      When 25h passes
      And 25h passes
      And 25h passes
      Then there are 1 inbox records

    Scenario: An answer in a sitting of a course that was abandoned ends it and changes nothing
      When 30d passes
      And abandon happens
      And attention turns to the review
      And the learner says "alpha"
      Then the session has ended with done
      And the coach says "was put aside"
      And the view has 0 at data.answered
      And there are 5 quiz_response records
      And there are 0 schedule records

    Scenario: After five ignored sittings, what is due waits for the learner
      When 30d passes
      And 25h passes
      Then there are 1 schedule records
      When 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      And 25h passes
      Then there are 5 inbox records
      And there are 0 schedule records
      When a review begins beside it
      And the learner says "alpha"
      Then a mind_map record has 0 at lapsed_sittings
      And there are 1 schedule records

    Scenario: A course that is resumed gets its reviews back, and stays where it was as it ended
      When abandon happens
      Then there are 0 schedule records
      When it is opened with `{"from": "00000000-0000-4000-8000-00000000000a"}`
      And a new session with the id 00000000-0000-4000-8000-00000000000b
      Then the entry has reviewing at status
      And the coach says "You have understood 1 of its 3 concepts"
      And there are 2 mind_map_node records at reviewing
      And there are 1 schedule records
      And there are 1 mind_map records at abandoned
      And there are 1 mind_map records at active
      When 30d passes
      And attention turns to the review
      And the learner says "alpha"
      Then the session has ended with done
      And there are 1 schedule records

    Scenario: A course that is resumed twice gives two copies
      When abandon happens
      And it is opened with `{"from": "00000000-0000-4000-8000-00000000000a"}`
      And a new session with the id 00000000-0000-4000-8000-00000000000b
      And a new session with the id 00000000-0000-4000-8000-00000000000c
      Then the entry has reviewing at status
      And there are 3 mind_map_node records at reviewing
      And there are 2 schedule records
      And a schedule record has 00000000-0000-4000-8000-00000000000b at mind_map_id
      And a schedule record has 00000000-0000-4000-8000-00000000000c at mind_map_id

    Scenario: An answer in the sitting of a course that was resumed since takes nothing away from it
      When 30d passes
      And abandon happens
      And it is opened with `{"from": "00000000-0000-4000-8000-00000000000a"}`
      And a new session with the id 00000000-0000-4000-8000-00000000000b
      And attention turns to the review
      And the learner says "alpha"
      Then the coach says "was put aside"
      And there are 2 mind_map_node records at reviewing
      And there are 1 schedule records
      And a schedule record has 00000000-0000-4000-8000-00000000000b at mind_map_id

    Scenario: A sitting ahead of its time that is left takes no review off the list
      When a review begins beside it with `{"ahead": true}`
      And leave happens
      Then the session has ended with user
      And the coach says "each concept comes back when it is due"
      And there are 1 schedule records
      When 30d passes
      And attention turns to the review
      Then the state is recalling

    Scenario: A sitting that is left with something due says that it comes back
      When 30d passes
      And attention turns to the review
      And leave happens
      Then the coach says "what is due comes back tomorrow"
      And the coach does not say "There is nothing to review now."
      And there are 1 schedule records

    Scenario: What was recalled before its batch came is not announced again
      When 30d passes
      And 25h passes
      Then a schedule record has "review-batch-00000000-0000-4000-8000-00000000000a" at name
      When a review begins beside it
      And the learner says "alpha"
      Then there are 1 schedule records
      And there are 1 inbox records
      When 25h passes
      Then there are 1 schedule records
      And there are 1 inbox records

  Rule: Two concepts do not build on each other

    Background:
      Given it is opened with:
        """
        {"map": {
          "mind_map_id": "00000000-0000-4000-8000-000000000000",
          "title": "A pair",
          "nodes": [
            {"node_id": "00000000-0000-4000-8000-000000000001", "label": "left"},
            {"node_id": "00000000-0000-4000-8000-000000000002", "label": "right"}
          ],
          "edges": []
        }}
        """
      And a new session with the id 00000000-0000-4000-8000-00000000000d
      # Its intervals are exact: what is understood is due a day later.
      And the profile record me is:
        """
        {"memory": "sm2", "balances_load": false}
        """
      And the learner says "0 no idea" 2 times
      And go_on happens
      And the learner says "5 it is this" 2 times

    Scenario: While a sitting is open no other begins, and what falls due meanwhile is asked in it
      When 20h passes
      And go_on happens
      And the learner says "5 it is that" 2 times
      And 5h passes
      And 20h passes
      Then there are 1 inbox records
      When attention turns to the review
      Then the view has 1 at data.left
      When the learner says "5 it is this"
      Then the state is recalling
      And the coach says "What do you know about right?"
      When the learner says "5 it is that"
      Then the session has ended with done
      And the view has 2 at data.answered
      And there are 2 schedule records
      When 2h passes
      Then there are 1 inbox records

    Scenario: What was recalled elsewhere while a question waited does not count twice
      When abandon happens
      And it is opened with:
        """
        {"topic": "A pair", "tutor": "outside"}
        """
      And a new session with the id 00000000-0000-4000-8000-000000000010
      And edited happens with `{"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "left"}`
      And recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
      And 25h passes
      And 1h passes
      And recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
      And attention turns to the review
      And the learner says "5 it is this"
      Then the coach says "was recalled elsewhere"
      And the session has ended with done
      And the view has 0 at data.answered
      And there are 6 quiz_response records
      And there are 1 schedule records

  Rule: One concept builds on another, and both are due

    Background:
      Given these names stand for:
        | Course | c0000000-0000-4000-8000-00000000000e |
        | Base   | 00000000-0000-4000-8000-000000000001 |
        | Top    | 00000000-0000-4000-8000-000000000002 |
      And it is opened with:
        """
        {"topic": "A tower", "tutor": "outside"}
        """
      And a new session with the id "<Course>"
      And edited happens with each of:
        """
        {"edit": "node_create", "node_id": "<Base>", "label": "base"}
        {"edit": "node_create", "node_id": "<Top>", "label": "top"}
        {"edit": "edge_create", "parent_node_id": "<Base>", "child_node_id": "<Top>"}
        """
      # In the evening both are forgotten, and the sitting begins with the next day.
      And recorded happens with each of:
        """
        {"node_id": "<Base>", "question_text": "?", "user_answer": "!", "quality": 5, "response_type": "review"}
        {"node_id": "<Top>", "question_text": "?", "user_answer": "!", "quality": 5, "response_type": "review"}
        """
      And 14h passes
      And recorded happens with each of:
        """
        {"node_id": "<Base>", "question_text": "?", "user_answer": "!", "quality": 2, "response_type": "review"}
        {"node_id": "<Top>", "question_text": "?", "user_answer": "!", "quality": 0, "response_type": "review"}
        """
      And 6h passes
      And attention turns to the review

    Scenario Outline: What was credited for an answer in the same sitting still counts when it is recalled
      Then the view has 2 at data.left
      And the view has "<Top>" at data.question.node_id
      When 14h passes
      And the learner says "5 fine"
      Then the view has "<Base>" at data.question.node_id
      When the learner says "<answer>"
      Then the session has ended with done
      And the coach does not say "was recalled elsewhere"
      And the view has 2 at data.answered
      And the view has <recalled> at data.recalled
      And there are 6 quiz_response records

      Examples:
        | answer      | recalled |
        | 5 I know it | 2        |
        | 0 forgotten | 1        |

    Scenario: What was forgotten elsewhere and has fallen due again is asked for once
      When 1h passes
      And attention turns to the teach
      And recorded happens with:
        """
        {"node_id": "<Base>", "question_text": "?", "user_answer": "!", "quality": 1, "response_type": "review"}
        """
      And attention turns to the review
      And 22h passes
      And 50m passes
      And the learner says "0 forgotten"
      Then the view has "<Base>" at data.question.node_id
      When 1h passes
      And the learner says "5 I know it"
      Then the session has ended with done
      And the view has 2 at data.answered
      And there are 7 quiz_response records

  Rule: A concept is taken off the map while a sitting is open

    Background:
      Given these names stand for:
        | Course | c0000000-0000-4000-8000-00000000000f |
        | First  | 00000000-0000-4000-8000-000000000001 |
        | Second | 00000000-0000-4000-8000-000000000002 |
        | Third  | 00000000-0000-4000-8000-000000000003 |
      And it is opened with:
        """
        {"topic": "Three things", "tutor": "outside"}
        """
      And a new session with the id "<Course>"
      And edited happens with each of:
        """
        {"edit": "node_create", "node_id": "<First>", "label": "first"}
        {"edit": "node_create", "node_id": "<Second>", "label": "second"}
        {"edit": "node_create", "node_id": "<Third>", "label": "third"}
        """
      And recorded happens with each of:
        """
        {"node_id": "<Second>", "question_text": "?", "user_answer": "!", "quality": 4, "response_type": "review"}
        {"node_id": "<Third>", "question_text": "?", "user_answer": "!", "quality": 4, "response_type": "review"}
        """
      And 5d passes
      And attention turns to the review
      Then the view has "<Second>" at data.question.node_id
      And attention turns to the teach

    Scenario: An answer to its question counts nothing and brings nothing back
      When edited happens with `{"edit": "node_remove", "node_id": "<Second>"}`
      And attention turns to the review
      And the learner says "4 fine"
      Then the coach says "was taken off the map"
      And the view has 0 at data.answered
      And the view has "<Third>" at data.question.node_id
      And there are 1 mind_map_node records
      And there are 2 quiz_response records
      When the learner says "4 fine"
      Then the session has ended with done
      And there are 1 schedule records

    Scenario: It is no longer asked about
      When edited happens with `{"edit": "node_remove", "node_id": "<Third>"}`
      And attention turns to the review
      And the learner says "4 fine"
      Then the session has ended with done
      And the view has 1 at data.answered
      And there are 1 mind_map_node records
      And there are 1 schedule records
