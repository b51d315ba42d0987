Feature: Four tools lead a course: start, get, advance, abandon

  # Another tutor leads these courses, such as an assistant through tools: nothing happens by itself.
  Background:
    Given these names stand for:
      | Course    | c0000000-0000-4000-8000-000000000001 |
      | Functions | 00000000-0000-4000-8000-000000000001 |
      | Loops     | 00000000-0000-4000-8000-000000000002 |
      | Resumed   | c0000000-0000-4000-8000-000000000002 |
    And the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Course>"

  Scenario: teaching_flow_start creates a course and returns its first state
    # It is created pending with no session, and its own advance counts as the first.
    When 1h passes
    And teaching_flow_start is called with `{"topic": "Rust", "goal": "Learn systems programming"}`
    Then the answer has:
      """
      {
        "status": "diagnosing", "session_count": 1, "current_node_id": null, "current_phase": null,
        "diagnostic_results": {}, "started_at": "2026-01-01T10:00:00Z", "last_session_at": "2026-01-01T10:00:00Z"
      }
      """
    And a mind_map record has:
      """
      {"title": "Rust", "status": "active", "metadata": {"goal": "Learn systems programming"}}
      """
    When attention turns to the teach
    Then the session went through: pending, diagnosing
    And the entry has:
      """
      {"status": "diagnosing", "session_count": 1, "started_at": "2026-01-01T10:00:00Z"}
      """

  Scenario Outline: teaching_flow_get returns nothing for an unknown course: <id>
    When teaching_flow_get is called with `{"mind_map_id": "<id>"}`
    Then the answer is `{"result": null}`

    Examples:
      | id                                   |
      | nonexistent-uuid                     |
      | 00000000-0000-4000-8000-000000000000 |

  Scenario: teaching_flow_get returns the current state of a known course
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}`
    And advance happens 2 times
    And teaching_flow_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "result": {
          "status": "teaching", "mind_map_id": "<Course>", "current_node_id": "<Functions>", "current_phase": "explaining",
          "diagnostic_results": {"<Functions>": {"quality": 5, "inferred_mastery": "0.7 to 1.0"}}, "session_count": 3,
          "started_at": "2026-01-01T09:00:00Z", "last_session_at": "2026-01-01T09:00:00Z"
        }
      }
      """

  Scenario: teaching_flow_advance updates the time and the count on every call
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And 1h passes
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And teaching_flow_advance is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {"status": "planning", "session_count": 2, "last_session_at": "2026-01-01T10:00:00Z"}
      """
    When 1h passes
    And teaching_flow_advance is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {"status": "teaching", "session_count": 3, "last_session_at": "2026-01-01T11:00:00Z"}
      """
    When 1h passes
    And teaching_flow_advance is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "status": "quizzing", "session_count": 4, "started_at": "2026-01-01T09:00:00Z",
        "last_session_at": "2026-01-01T12:00:00Z"
      }
      """

  Scenario: teaching_flow_abandon removes the reviews and returns nothing
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens 2 times
    And recorded happens with:
      """
      {"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens
    Then there are 2 schedule records
    When teaching_flow_abandon is called with `{"mind_map_id": "<Course>"}`
    Then the answer is `{"result": null}`
    And there are 0 schedule records
    And the entry has abandoned at status
    And there are 1 mind_map records at abandoned

  Scenario Outline: A quality is a whole number from 0 to 5, not <quality>
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    Then recorded is refused with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": <quality>, "response_type": "teach"}
      """
    And the answer has bad_quality at code
    And there are 0 quiz_response records

    Examples:
      | quality |
      | 6       |
      | -1      |
      | 2.9     |
      | true    |
      | "4"     |

  Scenario: A diagnosis never finds that a concept is known as if it had been taught
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    Then mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_status": "diagnosed", "mastery_score": 1.0}`
    And the answer has out_of_bounds at code
    When mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "diagnosed", "mastery_score": 0.7}`
    Then mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_score": 0.8}`

  Scenario: What is believed about a concept before a diagnosis is worth no more after it
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_score": 1.0}`
    And mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "diagnosed"}`
    Then the mind_map_node record "<Functions>" has:
      """
      {"mastery_status": "diagnosed", "mastery_score": 0.7}
      """

  Scenario: A concept takes one step at a time
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    Then mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_status": "mastered"}`
    And the answer has:
      """
      {"code": "status_jump", "message": "“Functions” is unseen and cannot become mastered at once", "cure": "from unseen it can become diagnosed, learning…"}
      """
    And mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_status": "reviewing"}`
    And there are 0 mind_map_node records
    When mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "diagnosed"}`
    Then mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_status": "unseen"}`
    When mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "learning"}`
    Then mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_status": "mastered"}`
    When mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "reviewing"}`
    And mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "mastered"}`
    Then mind_map_node_update is refused when called with `{"node_id": "<Functions>", "mastery_status": "learning"}`
    And the answer has status_jump at code
    When mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "mastered"}`
    And mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "reviewing"}`
    And mind_map_node_update is called with `{"node_id": "<Functions>", "mastery_status": "learning"}`
    Then there are 1 mind_map_node records at learning

  Scenario: Another tutor keeps to the bounds: three to seven probes
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    Then teaching_flow_advance is refused when called with `{"mind_map_id": "<Course>"}`
    And the answer has:
      """
      {"code": "diagnosis_too_short", "message": "a diagnosis has at least 3 questions, and none is recorded", "cure": "…quiz_response_record…"}
      """
    When recorded happens 2 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "diagnostic"}`
    Then teaching_flow_advance is refused when called with `{"mind_map_id": "<Course>"}`
    And the answer has "a diagnosis has at least 3 questions, and 2 are recorded" at message
    And the entry has:
      """
      {"status": "diagnosing", "session_count": 1}
      """
    When recorded happens 5 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "diagnostic"}`
    Then recorded is refused with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "diagnostic"}`
    And the answer has diagnosis_too_long at code
    And there are 7 quiz_response records
    When teaching_flow_advance is called with `{"mind_map_id": "<Course>"}`
    Then the answer has planning at status
    And recorded is refused with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "diagnostic"}`
    And the answer has diagnosis_over at code

  Scenario: Another tutor keeps to the bounds: one to three quiz questions
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    Then the entry has quizzing at status
    And teaching_flow_advance is refused when called with `{"mind_map_id": "<Course>"}`
    And the answer has:
      """
      {"code": "nothing_recorded", "cure": "…quiz_response_record…"}
      """
    And the entry has:
      """
      {"status": "quizzing", "session_count": 4}
      """
    When recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}`
    Then recorded is refused with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}`
    And the answer has quiz_too_long at code
    When advance happens
    Then the entry has reviewing at status

  Scenario Outline: An answer worth 3 seeds the diagnosis, one below does not: <quality>
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      {"edit": "edge_create", "parent_node_id": "<Loops>", "child_node_id": "<Functions>"}
      """
    And recorded happens 2 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": <quality>, "response_type": "diagnostic"}`
    Then there are <seeded> mind_map_node records at diagnosed

    Examples:
      | quality | seeded |
      | 2       | 0      |
      | 3       | 1      |
      | 5       | 1      |

  Scenario: Answers in a course that Etude leads are passed on, not recorded
    When it is opened with `{"topic": "three letters", "curriculum": "three-letters", "tutor": "etude"}`
    And a new session with the id "<Resumed>"
    Then the view has etude at data.tutor
    And recorded is refused with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}`
    And the answer has:
      """
      {"code": "led_by_etude", "cure": "…teach_answer…"}
      """
    And there are 0 quiz_response records
    And advance is refused
    And the answer has:
      """
      {"code": "diagnosis_too_short", "cure": "…“I don't know” is an answer, too"}
      """

  Scenario: A course that is resumed goes on with its answers and its numbers
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And advance happens
    And 1m passes
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And teaching_flow_abandon is called with `{"mind_map_id": "<Course>"}`
    And it is opened with `{"from": "<Course>"}`
    And a new session with the id "<Resumed>"
    And advance happens 2 times
    Then the entry has reviewing at status
    And there are 2 mind_map_node records at reviewing
    When teaching_context is called with `{"mind_map_id": "<Resumed>"}`
    Then the answer has:
      """
      {"recent_responses": [{"response_type": "review", "quality": 5}, "…"]}
      """
    When learning_analytics is called with `{"mind_map_id": "<Resumed>"}`
    Then the answer has 1.0 at retention_7d
