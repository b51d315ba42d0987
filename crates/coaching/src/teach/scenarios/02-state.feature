Feature: Where a course stands is kept under its own key, and moves in one piece

  # Another tutor leads these courses, such as an assistant through tools: nothing happens by itself.
  Background:
    Given these names stand for:
      | Course    | c0000000-0000-4000-8000-000000000001 |
      | Functions | 00000000-0000-4000-8000-000000000001 |
    And the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Course>"

  Scenario: The state is written atomically on a transition
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens
    Then the entry has:
      """
      {"status": "planning", "session_count": 2, "current_node_id": null, "current_phase": null}
      """
    When 1h passes
    And advance happens
    Then the entry has:
      """
      {
        "status": "teaching", "session_count": 3, "current_node_id": "<Functions>", "current_phase": "explaining",
        "started_at": "2026-01-01T09:00:00Z", "last_session_at": "2026-01-01T10:00:00Z"
      }
      """
    When the process crashes and starts again
    Then the entry has:
      """
      {"status": "teaching", "session_count": 3, "current_node_id": "<Functions>", "current_phase": "explaining"}
      """
    And a replay of the log gives the same state

  Scenario: A conflict of sessions that update at the same moment: one wins, the others are told
    # The loser reads again and decides again, once; by then the course is elsewhere.
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens
    And these happen at once:
      """
      advance {"expected_status": "planning"}
      advance {"expected_status": "planning"}
      advance {"expected_status": "planning"}
      advance {"expected_status": "planning"}
      """
    Then the answer has 1 at taken
    And the answer has:
      """
      {"refused": [{"code": "status_moved"}, {"code": "status_moved"}, {"code": "status_moved"}]}
      """
    And the entry has:
      """
      {"status": "teaching", "session_count": 3, "current_node_id": "<Functions>", "current_phase": "explaining"}
      """
    And a replay of the log gives the same state

  Scenario: The key of the state matches the id of the map
    When teaching_flow_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {"result": {"mind_map_id": "<Course>", "status": "diagnosing"}}
      """
    And the entry "flow:<Course>" has:
      """
      {"mind_map_id": "<Course>", "status": "diagnosing", "session_count": 1}
      """
    And the mind_map record "<Course>" has active at status

  Scenario: A current concept is required for teaching
    When edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And edited happens with `{"edit": "node_remove", "node_id": "<Functions>"}`
    And advance happens
    Then the entry has planning at status
    And advance is refused
    And the answer has no_nodes at code
    And the entry has:
      """
      {"status": "planning", "session_count": 2, "current_node_id": null}
      """

  Scenario: Phases are durable steps
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And explained happens
    Then the entry has questioning at current_phase
    When the process crashes and starts again
    And asked happens
    Then the entry has evaluating at current_phase
    And the entry has 3 at session_count
