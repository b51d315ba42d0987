Feature: The tutor marks fairly, helps without giving answers away, and forgets what is taken off the map

  Rule: Etude leads

    Background:
      Given the flow teach
      And it is opened with:
        """
        {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
        """
      And a new session

    Scenario: A probe tells nothing about its answer, not even to those who look at the data
      When the learner says "omega"
      Then the view has null at data.last
      When the learner says "omega" 2 times
      And go_on happens
      And the learner says "omega"
      Then the view has 1 at data.last.quality

    Scenario: A choice that is not there is asked again, whatever it was sent through
      Then answered is refused with `{"text": "g"}`
      And there are 0 quiz_response records
      And the view has 0 at counters.probes
      When the learner says "a"
      Then there are 1 quiz_response records

    Scenario: The learner's own question in the diagnosis is answered, and the probe is asked again
      When asks happens with `{"text": "what is letter gamma?"}`
      Then the coach says "Gamma is the name of a letter"
      And the coach says "Back to the question"
      And the state is diagnosing
      And the counter probes is 0
      And there are 0 quiz_response records
      And the view has false at data.question.is_for_help

    Scenario: Help with the current concept is followed by another question than the one that waits
      When the learner says "?" 3 times
      And go_on happens
      And asks happens with `{"text": "I don't understand alpha"}`
      Then the coach says "About Alpha"
      And the view has true at data.question.is_for_help
      And the view has cloze at data.question.shown.form

    Scenario: A question that names no concept is about the current one
      When the learner says "?" 3 times
      And asks happens with `{"text": "can you show me another example?"}`
      Then the coach says "About Alpha"
      And the coach does not say "not on the map"

    Scenario: A learner who is lost gets help with the current concept
      When the learner says "?" 3 times
      And asks happens with `{"text": "I don't understand anything, can't you give me a hint?"}`
      Then the coach says "About Alpha"
      And the coach does not say "not on the map"

    Scenario: A question in the words of the lesson is about it
      When the learner says "?" 3 times
      And asks happens with `{"text": "what kind of letter has this name?"}`
      Then the coach says "About Alpha"

    Scenario: A question that is left behind by a failed quiz does not wait in the repeated lesson
      When the learner says "?" 3 times
      And go_on happens
      And the learner says "omega" 2 times
      And asks happens with `{"text": "what is letter gamma?"}`
      And advance happens
      Then the entry has teaching at status
      And the view has null at data.question

    Scenario: If Etude asks, no one else can report that a question was asked
      When the learner says "?" 3 times
      Then asked is refused
      And the entry has questioning at current_phase

    Scenario: A guard that is no status is refused, not ignored
      Then advance is refused with `{"expected_status": 3}`

    Scenario: A status that was set by hand survives the plan
      # The concepts of a course have ids that follow from its own, so one is added here to be named.
      When edited happens with:
        """
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Delta"}
        """
      And edited happens with each of:
        """
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "learning"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "reviewing"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "mastered"}
        """
      And the learner says "beta"
      And the learner says "?" 2 times
      And advance happens
      Then there are 1 mind_map_node records at mastered

    Scenario: What was asked in the diagnosis is not asked first in the quiz
      When the learner says "beta"
      And the learner says "gamma"
      And the learner says "alpha"
      Then the entry has teaching at status
      And a mind_map_node record has 1 at asked.0.times

    Scenario: A concept already in review before the plan keeps its date
      When edited happens with each of:
        """
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Delta"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "learning"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "reviewing"}
        """
      And the learner says "beta"
      And the learner says "?" 2 times
      And advance happens
      Then there are 1 mind_map_node records at reviewing
      And there are 1 schedule records

    Scenario: A concept that is taken off the map is neither reviewed nor counted
      When edited happens with each of:
        """
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Delta"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "learning"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "reviewing"}
        """
      Then there are 1 schedule records
      When edited happens with:
        """
        {"edit": "node_remove", "node_id": "00000000-0000-4000-8000-000000000001"}
        """
      Then there are 0 schedule records
      And there are 0 mind_map_node records
      And a mind_map record has 3 at node_count
      When a review begins beside it with `{"ahead": true}`
      Then the session has ended with done

    Scenario: A diagnosis goes on when the concept that it asks for is taken off the map
      When edited happens with each of:
        """
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Delta 1"}
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Delta 2"}
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000003", "label": "Delta 3"}
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000004", "label": "Delta 4"}
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000005", "label": "Delta 5"}
        {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000001", "child_node_id": "00000000-0000-4000-8000-000000000002"}
        {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000002", "child_node_id": "00000000-0000-4000-8000-000000000003"}
        {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000003", "child_node_id": "00000000-0000-4000-8000-000000000004"}
        {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000004", "child_node_id": "00000000-0000-4000-8000-000000000005"}
        """
      And the learner says "beta"
      And the learner says "gamma"
      Then the view has "00000000-0000-4000-8000-000000000004" at data.question.node_id
      When edited happens with:
        """
        {"edit": "node_remove", "node_id": "00000000-0000-4000-8000-000000000004"}
        """
      Then the state is diagnosing
      And pose_probe was performed 4 times
      And the view has 2 at counters.probes

  Rule: The learner judges themselves

    Background:
      Given the flow teach
      And it is opened with:
        """
        {"gate": "mastered", "map": {"mind_map_id": "00000000-0000-4000-8000-000000000009", "title": "Knots", "nodes": [
          {"node_id": "00000000-0000-4000-8000-000000000001", "label": "Bowline"},
          {"node_id": "00000000-0000-4000-8000-000000000002", "label": "Sheet bend"}], "edges": [
          {"parent_node_id": "00000000-0000-4000-8000-000000000001", "child_node_id": "00000000-0000-4000-8000-000000000002", "edge_type": "prerequisite"}]}}
        """
      And a new session
      And the learner says "0 no idea" 2 times
      And go_on happens
      And the learner says "4 a loop" 2 times

    Scenario: No promise of mastery for answers that never earn it
      Then the entry has reviewing at status
      And the coach says "right 3 more times in a row (a slip counts as 3 of 5, a choice as 4) to open"

    Scenario: The last recall counts most
      When a review begins beside it with `{"ahead": true}`
      And the learner says "4 a loop"
      And 1s passes
      And attention turns to the teach
      And a review begins beside it with `{"ahead": true}`
      And the learner says "4 a loop"
      And 1s passes
      And attention turns to the teach
      And a review begins beside it with `{"ahead": true}`
      And the learner says "4 a loop"
      Then there are 0 mind_map_node records at mastered
      And the coach says "right once more (a slip counts as 3 of 5, a choice as 4) to open"
      When 1s passes
      And attention turns to the teach
      And a review begins beside it with `{"ahead": true}`
      And the learner says "5 a loop"
      Then there are 1 mind_map_node records at mastered

  Rule: Another tutor leads

    Background:
      Given the flow teach
      And it is opened with:
        """
        {"topic": "Python", "tutor": "outside"}
        """
      And a new session
      And edited happens with each of:
        """
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
        {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Decorators"}
        {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000001", "child_node_id": "00000000-0000-4000-8000-000000000002"}
        """

    Scenario: Another tutor's questions belong to the diagnosis
      When recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      Then the entry has 0 at diagnostic_results.00000000-0000-4000-8000-000000000001.quality
      When recorded happens 2 times with `{"node_id": "00000000-0000-4000-8000-000000000002", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And advance happens
      Then the entry has 0 at diagnostic_results.00000000-0000-4000-8000-000000000001.quality
      And there are 0 mind_map_node records at diagnosed

    Scenario: A diagnostic question about something in review does not throw it back
      When recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
      And recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}`
      Then there are 1 mind_map_node records at reviewing

    Scenario: A diagnosis goes on when a concept that was answered is taken off the map
      When recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000002", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And edited happens with `{"edit": "node_remove", "node_id": "00000000-0000-4000-8000-000000000001"}`
      And recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000002", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      Then the entry has 0 at diagnostic_results.00000000-0000-4000-8000-000000000002.quality
      When advance happens
      Then the entry has planning at status

    Scenario: Etude does not answer in their place
      When recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And advance happens 2 times
      And explained happens
      Then asks is refused with `{"text": "what are functions?"}`

    Scenario: A plan without concepts is refused, however it is declared done
      When recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And advance happens
      And edited happens with:
        """
        {"edit": "node_remove", "node_id": "00000000-0000-4000-8000-000000000002"}
        """
      And edited happens with:
        """
        {"edit": "node_remove", "node_id": "00000000-0000-4000-8000-000000000001"}
        """
      Then planned is refused
      And the entry has planning at status

    Scenario: Every advance is a session, and giving up is none
      When recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And advance happens 3 times
      And recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
        """
      And advance happens
      Then the entry has reviewing at status
      And the entry has 5 at session_count
      When advance happens
      Then the entry has reviewing at status
      And the entry has 6 at session_count
      When abandon happens
      Then the entry has 6 at session_count

    Scenario: A quiz without answers is not over, also after one that failed
      When recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And advance happens 3 times
      Then advance is refused
      And the answer has nothing_recorded at code
      When recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "teach"}`
      And advance happens
      Then the entry has teaching at status
      When advance happens
      Then advance is refused
      And the entry has quizzing at status
      When recorded happens with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}`
      And advance happens
      Then there are 1 mind_map_node records at reviewing

    Scenario: A quiz that is passed does not take mastery away
      When recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
      And advance happens 3 times
      And recorded happens 3 times with `{"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
      And recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
        """
      And advance happens
      Then there are 1 mind_map_node records at mastered
      And the entry has "00000000-0000-4000-8000-000000000002" at current_node_id

    Scenario: A concept set to review comes up, and one still to be taught does not
      When edited happens with each of:
        """
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "learning"}
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "reviewing"}
        """
      Then there are 1 schedule records
      When edited happens with:
        """
        {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "learning"}
        """
      Then there are 0 schedule records
      And a mind_map_node record has null at next_review_at_us

    Scenario: Mastered stays mastered after a recall with effort
      When recorded happens with each of:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
        """
      Then there are 1 mind_map_node records at mastered
      When recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 2, "response_type": "review"}
        """
      Then there are 0 mind_map_node records at mastered

    Scenario: A good recall of what builds on it lengthens a classic interval
      When the profile record me is:
        """
        {"memory": "sm2", "balances_load": false}
        """
      And recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
        """
      And 1d passes
      And recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
        """
      Then a mind_map_node record has 6.0 at interval_days
      When 3d passes
      And recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000002", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
        """
      # Half of the six days have passed, and half of what a review would have given is credited.
      Then a mind_map_node record has 8.25 at interval_days

    Scenario: A review is not pushed off its own day by itself
      When recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
        """
      Then a schedule record has "2026-01-09T04:00:00Z" at run_at
      When recorded happens with:
        """
        {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
        """
      Then a schedule record has "2026-01-09T04:00:00Z" at run_at

  Rule: In an unusual setting

    Scenario: A course without a map says so and waits for one
      Given the flow teach
      And it is opened with:
        """
        {"topic": "knitting", "model": true}
        """
      When a new session
      And 1s passes
      Then the state is unsurveyed
      When advance happens
      Then the entry has planning at status

    Scenario: As many probes are announced as the law allows
      Given the flow teach
      And max_probes is set to 3
      And it is opened with:
        """
        {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
        """
      When a new session
      Then the coach says "at most 3,"

  Rule: Without written questions the learner judges themselves

    Background:
      Given the flow teach
      And it is opened with:
        """
        {"map": {
          "mind_map_id": "00000000-0000-4000-8000-000000000000",
          "title": "One thing",
          "nodes": [{"node_id": "00000000-0000-4000-8000-000000000001", "label": "it"}],
          "edges": []
        }}
        """
      And a new session

    Scenario Outline: A whole number from 0 to 5 at the beginning counts, and having no answer counts as none
      When the learner says "<answer>"
      Then a quiz_response record has <quality> at quality

      Examples:
        | answer                       | quality |
        | 0                            | 0       |
        | 4 it is this                 | 4       |
        | 3, not sure about it         | 3       |
        | 5/5                          | 5       |
        | I don't know                 | 0       |
        | no                           | 0       |
        | No. I have never heard of it | 0       |
        | never heard of it            | 0       |

    Scenario Outline: Whatever else an answer begins with is asked about and counts nothing
      Then answered is refused with `{"text": "<answer>"}`
      And the answer has unclear at code
      And the answer has "Begin your answer with a whole number from 0…" at cure
      And there are 0 quiz_response records

      Examples:
        | answer          |
        | 6 fine          |
        | 9               |
        | 2.9 well        |
        | 4-5             |
        | 4/10            |
        | 50% of it       |
        | 10 of 10        |
        | -1 no           |
        | true            |
        | hm              |
        | bananas         |
        | 5th of its kind |
        | it is this      |
