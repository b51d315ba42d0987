Feature: A tutor who continues a course learns from the store alone where it stands

  # Another tutor leads these courses, such as an assistant through tools: nothing happens by itself.
  Background:
    Given these names stand for:
      | Course         | c0000000-0000-4000-8000-000000000001 |
      | Functions      | 00000000-0000-4000-8000-000000000001 |
      | Known          | 00000000-0000-4000-8000-000000000002 |
      | Unknown effort | 00000000-0000-4000-8000-000000000003 |
      | Long           | 00000000-0000-4000-8000-000000000004 |
      | Short          | 00000000-0000-4000-8000-000000000005 |
      | Deeper         | 00000000-0000-4000-8000-000000000006 |
      | Out of reach   | 00000000-0000-4000-8000-000000000007 |
      | In review      | 00000000-0000-4000-8000-000000000008 |
      | Loops          | 00000000-0000-4000-8000-000000000009 |
    And the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Course>"

  Scenario: The context has four parts, always in the same order
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has the parts: flow_state, frontier, recent_responses, memory

  Scenario: The flow state is in the context
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "flow_state": {
          "status": "teaching", "mind_map_id": "<Course>", "current_node_id": "<Functions>",
          "current_phase": "explaining", "diagnostic_results": {"<Functions>": {"quality": 0}}, "session_count": 3,
          "started_at": "2026-01-01T09:00:00Z", "last_session_at": "2026-01-01T09:00:00Z"
        }
      }
      """

  Scenario: The context says what the course is for and who leads it
    When it is opened with:
      """
      {"topic": "Rust", "goal": "Write a compiler", "tutor": "outside"}
      """
    And a new session with the id c0000000-0000-4000-8000-000000000002
    And teaching_context is called with `{"mind_map_id": "c0000000-0000-4000-8000-000000000002"}`
    Then the answer has:
      """
      {"flow_state": {"topic": "Rust", "goal": "Write a compiler", "tutor": "outside"}}
      """

  Scenario: The frontier is in the context, by depth and then by effort, unknown effort last
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Known>", "label": "Known"}
      {"edit": "node_create", "node_id": "<Unknown effort>", "label": "Unknown effort"}
      {"edit": "node_create", "node_id": "<Long>", "label": "Long", "effort_minutes": 30}
      {"edit": "node_create", "node_id": "<Short>", "label": "Short", "effort_minutes": 10}
      {"edit": "node_create", "node_id": "<Deeper>", "label": "Deeper", "effort_minutes": 1}
      {"edit": "node_create", "node_id": "<Out of reach>", "label": "Out of reach", "effort_minutes": 1}
      {"edit": "node_create", "node_id": "<In review>", "label": "In review", "effort_minutes": 1}
      {"edit": "edge_create", "parent_node_id": "<Known>", "child_node_id": "<Deeper>"}
      {"edit": "edge_create", "parent_node_id": "<Unknown effort>", "child_node_id": "<Out of reach>"}
      {"edit": "node_update", "node_id": "<Long>", "mastery_status": "diagnosed"}
      {"edit": "node_update", "node_id": "<Deeper>", "mastery_status": "learning"}
      """
    And recorded happens 3 times with `{"node_id": "<Known>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens with `{"node_id": "<In review>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "frontier": [
          {"label": "Short", "depth": 0, "effort_minutes": 10, "mastery_status": "unseen"},
          {"label": "Long", "depth": 0, "effort_minutes": 30, "mastery_status": "diagnosed"},
          {"label": "Unknown effort", "depth": 0, "effort_minutes": null, "mastery_status": "unseen"},
          {"label": "Deeper", "depth": 1, "effort_minutes": 1, "mastery_status": "learning"}
        ]
      }
      """

  Scenario: The recent quiz responses are in the context: the newest ten about the current concept
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And recorded happens every 1m with each of:
      """
      {"node_id": "<Functions>", "question_text": "Question 1?", "user_answer": "answer 1", "quality": 1, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 2?", "user_answer": "answer 2", "quality": 2, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 3?", "user_answer": "answer 3", "quality": 3, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 4?", "user_answer": "answer 4", "quality": 4, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 5?", "user_answer": "answer 5", "quality": 5, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 6?", "user_answer": "answer 6", "quality": 0, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 7?", "user_answer": "answer 7", "quality": 1, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 8?", "user_answer": "answer 8", "quality": 2, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 9?", "user_answer": "answer 9", "quality": 3, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 10?", "user_answer": "answer 10", "quality": 4, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 11?", "user_answer": "answer 11", "quality": 5, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "Question 12?", "user_answer": "answer 12", "quality": 0, "response_type": "teach"}
      {"node_id": "<Loops>", "question_text": "About another?", "user_answer": "another", "quality": 5, "response_type": "teach"}
      """
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "recent_responses": [
          {
            "question_text": "Question 12?", "user_answer": "answer 12", "quality": 0, "response_type": "teach",
            "responded_at": "2026-01-01T09:12:00Z", "node_id": "<Functions>"
          },
          {"user_answer": "answer 11", "quality": 5},
          {"user_answer": "answer 10", "quality": 4},
          {"user_answer": "answer 9", "quality": 3},
          {"user_answer": "answer 8", "quality": 2},
          {"user_answer": "answer 7", "quality": 1},
          {"user_answer": "answer 6", "quality": 0},
          {"user_answer": "answer 5", "quality": 5},
          {"user_answer": "answer 4", "quality": 4},
          {"user_answer": "answer 3", "quality": 3}
        ]
      }
      """

  Scenario: Memory of the learner is in the context
    When the profile record me is:
      """
      {"name": "Ada", "time_zone": "Europe/London", "preferred_channel": "email"}
      """
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      """
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And recorded happens with each of:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 2, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "teach"}
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "teach"}
      """
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "memory": {
          "preferences": {"name": "Ada", "time_zone": "Europe/London", "preferred_channel": "email"},
          "courses": [{"title": "Python", "status": "teaching", "mastery": "50 %"}],
          "strongest": [{"label": "Loops", "course": "Python"}],
          "struggling": [{"label": "Functions", "course": "Python"}]
        }
      }
      """

  # That the failure is logged, a test of the program shows.
  Scenario Outline: A failure of memory is fail-open: <profile>
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "What is it?", "user_answer": "A thing.", "quality": 4, "response_type": "teach"}
      """
    And the profile record me is:
      """
      <profile>
      """
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has the parts: flow_state, frontier, recent_responses
    And the answer has nothing at memory
    And the answer has:
      """
      {
        "flow_state": {"status": "teaching"},
        "frontier": [{"label": "Functions"}],
        "recent_responses": ["…", {"user_answer": "A thing."}, "…"]
      }
      """

    Examples:
      | profile                        |
      | not JSON at all                |
      | {"desired_retention": "a lot"} |

  Scenario: No transcript of an earlier session is required, after three days and in another process
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And explained happens
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "What is it?", "user_answer": "A thing.", "quality": 3, "response_type": "teach"}
      """
    And the process crashes and starts again
    And 3d passes
    And teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "flow_state": {"status": "teaching", "current_node_id": "<Functions>", "current_phase": "questioning"},
        "frontier": [{"label": "Functions"}],
        "recent_responses": ["…", {"user_answer": "A thing."}, "…"],
        "memory": {"courses": [{"title": "Python"}]}
      }
      """
    When asked happens
    Then the entry has evaluating at current_phase
    When advance happens
    Then the entry has quizzing at status
