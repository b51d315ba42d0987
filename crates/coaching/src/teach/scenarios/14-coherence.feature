Feature: Every session stands alone: it begins with what is stored and leaves nothing anywhere else

  Background:
    Given these names stand for:
      | Course       | c0000000-0000-4000-8000-000000000001 |
      | Other course | c0000000-0000-4000-8000-000000000002 |
      | Alpha        | cfe1b366-1e08-5919-985a-b93d06faa99d |
      | Beta         | 99f7d4f4-4aa6-576e-a562-920322856693 |
      | Gamma        | 25d041a9-af63-5e53-9d7c-9b59116b953e |
      | Functions    | 00000000-0000-4000-8000-000000000001 |
      | Decorators   | 00000000-0000-4000-8000-000000000002 |
    And the flow teach
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And a new session with the id "<Course>"

  Scenario: A session resumes teaching after 48 hours, in the same phase and without explaining again
    When the learner says "I don't know" 3 times
    Then explain was performed 1 times
    When the process crashes and starts again
    And 48h passes
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "questioning"}
      """
    When go_on happens
    Then explain was performed 1 times
    And pose_question was performed 1 times
    And the entry has evaluating at current_phase
    And the view has "<Alpha>" at data.question.node_id

  Scenario: Each session reads the frontier fresh
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And mind_map_frontier is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has:
      """
      {"result": [{"label": "Functions"}]}
      """
    # Meanwhile a review beside the course masters the concept that is taught.
    When recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And teaching_context is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has:
      """
      {"frontier": [{"label": "Decorators"}]}
      """
    When advance happens
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Decorators>"}
      """

  Scenario: A concept mastered before it is taught is not taught
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens 3 times with `{"node_id": "<Decorators>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    Then the entry has "<Decorators>" at current_node_id

  Scenario: Diagnostic results survive the boundaries of sessions
    When the learner says "beta"
    And the process crashes and starts again
    And the learner says "gamma"
    And the process crashes and starts again
    And the learner says "alpha"
    Then the entry has:
      """
      {
        "status": "teaching",
        "diagnostic_results": {
          "<Alpha>": {"quality": "3 to 5", "inferred_mastery": "0.9 to 1.0"},
          "<Beta>": {"quality": "3 to 5", "inferred_mastery": "0.8 to 0.9"},
          "<Gamma>": {"quality": "3 to 5", "inferred_mastery": "0.6 to 0.7"}
        }
      }
      """
    And the mind_map_node record "<Beta>" has:
      """
      {"mastery_status": "diagnosed", "mastery_score": "0.3 to 0.7"}
      """
    And the mind_map_node record "<Gamma>" has:
      """
      {"mastery_status": "diagnosed", "mastery_score": "0.3 to 0.7"}
      """

  Scenario: Diagnostic results can be read by the planner of a later session
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}`
    And advance happens
    And the process crashes and starts again
    And teaching_context is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has:
      """
      {
        "flow_state": {"status": "planning", "diagnostic_results": {"<Functions>": {"quality": 5, "inferred_mastery": "0.7 to 1.0"}}},
        "frontier": [{"label": "Functions", "mastery_status": "diagnosed", "mastery_score": "0.3 to 0.7"}]
      }
      """

  Scenario: The session count tracks all sessions: one for every advance
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    Then the entry has 1 at session_count
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    Then the entry has:
      """
      {"status": "quizzing", "session_count": 4}
      """
    When recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "teach"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "session_count": 5}
      """
    When explained happens
    And asked happens
    Then the entry has 5 at session_count
    When advance happens
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "reviewing", "session_count": 7}
      """
    # Four reviews after which nothing can be taught, and a last one.
    When advance happens 4 times
    Then the entry has:
      """
      {"status": "reviewing", "session_count": 11}
      """
    When edited happens with:
      """
      {"edit": "node_update", "node_id": "<Functions>", "mastery_status": "mastered", "mastery_score": 0.95}
      """
    And advance happens
    And teaching_flow_get is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has:
      """
      {"result": {"status": "completed", "session_count": 12}}
      """

  Scenario: A review and a teaching session at the same moment do not corrupt the course
    # The loser reads again, finds the course elsewhere and leaves it as the winner has left it.
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    And edited happens with:
      """
      {"edit": "node_update", "node_id": "<Functions>", "mastery_status": "mastered", "mastery_score": 0.95}
      """
    Then the entry has:
      """
      {"status": "reviewing", "session_count": 5}
      """
    When these happen at once:
      """
      advance {"expected_status": "reviewing"}
      advance {"expected_status": "reviewing"}
      """
    Then the answer has:
      """
      {"taken": 1, "refused": [{"code": "status_moved", "message": "the course has the status “teaching”, not “reviewing”"}]}
      """
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Decorators>", "current_phase": "explaining", "session_count": 6}
      """
    And a replay of the log gives the same state
