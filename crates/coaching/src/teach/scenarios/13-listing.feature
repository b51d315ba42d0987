Feature: The courses of a learner can be listed

  Background:
    Given these names stand for:
      | First     | c0000000-0000-4000-8000-000000000001 |
      | Second    | c0000000-0000-4000-8000-000000000002 |
      | Third     | c0000000-0000-4000-8000-000000000003 |
      | Fourth    | c0000000-0000-4000-8000-000000000004 |
      | Functions | 00000000-0000-4000-8000-000000000001 |
      | Loops     | 00000000-0000-4000-8000-000000000002 |
      | Values    | 00000000-0000-4000-8000-000000000003 |
      | Names     | 00000000-0000-4000-8000-000000000004 |
      | Types     | 00000000-0000-4000-8000-000000000005 |
    And the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """

  Scenario: List the active courses: those in one status, with the share that is mastered
    When a new session with the id "<First>"
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    And 1h passes
    And a new session with the id "<Second>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      {"edit": "node_create", "node_id": "<Values>", "label": "Values"}
      {"edit": "node_create", "node_id": "<Names>", "label": "Names"}
      {"edit": "node_create", "node_id": "<Types>", "label": "Types"}
      """
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And 1h passes
    And a new session with the id "<Third>"
    And 1h passes
    And a new session with the id "<Fourth>"
    And abandon happens
    And 1h passes
    And teaching_flow_list is called with `{"status": "teaching"}`
    Then the answer has:
      """
      {
        "result": [
          {
            "mind_map_id": "<Second>", "title": "Python", "status": "teaching", "session_count": 3, "mastery_pct": 0.25,
            "started_at": "2026-01-01T10:00:00Z", "last_session_at": "2026-01-01T10:00:00Z"
          }
        ]
      }
      """

  Scenario: A list without a filter has all courses, the one used last first
    When a new session with the id "<First>"
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    And 1h passes
    And a new session with the id "<Second>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      {"edit": "node_create", "node_id": "<Values>", "label": "Values"}
      {"edit": "node_create", "node_id": "<Names>", "label": "Names"}
      {"edit": "node_create", "node_id": "<Types>", "label": "Types"}
      """
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And 1h passes
    And a new session with the id "<Third>"
    And 1h passes
    And a new session with the id "<Fourth>"
    And abandon happens
    And 1h passes
    And teaching_flow_list is called
    Then the answer has:
      """
      {
        "result": [
          {"mind_map_id": "<Fourth>", "status": "abandoned", "mastery_pct": 0.0},
          {"mind_map_id": "<Third>", "status": "diagnosing", "mastery_pct": 0.0},
          {"mind_map_id": "<Second>", "status": "teaching", "mastery_pct": 0.25},
          {"mind_map_id": "<First>", "status": "completed", "mastery_pct": 1.0}
        ]
      }
      """
    When attention turns to the "<Second>"
    And advance happens
    And teaching_flow_list is called with `{"status": null}`
    Then the answer has:
      """
      {
        "result": [
          {"mind_map_id": "<Second>", "last_session_at": "2026-01-01T13:00:00Z"},
          {"mind_map_id": "<Fourth>"}, {"mind_map_id": "<Third>"}, {"mind_map_id": "<First>"}
        ]
      }
      """

  Scenario: An empty list when there are no courses
    When teaching_flow_list is called
    Then the answer is `{"result": []}`

  Scenario: Completed courses are in the list, wholly mastered
    When a new session with the id "<First>"
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    And 1h passes
    And a new session with the id "<Second>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      {"edit": "node_create", "node_id": "<Values>", "label": "Values"}
      {"edit": "node_create", "node_id": "<Names>", "label": "Names"}
      {"edit": "node_create", "node_id": "<Types>", "label": "Types"}
      """
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And 1h passes
    And a new session with the id "<Third>"
    And 1h passes
    And a new session with the id "<Fourth>"
    And abandon happens
    And 1h passes
    And teaching_flow_list is called with `{"status": "completed"}`
    Then the answer has:
      """
      {"result": [{"mind_map_id": "<First>", "status": "completed", "mastery_pct": 1.0}]}
      """

  Scenario: What is forgotten after the end of a course is reviewed again, and the course stays completed
    When a new session with the id "<First>"
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with each of:
      """
      {"node_id": "<Functions>", "question_text": "?", "user_answer": "!", "quality": 5, "response_type": "review"}
      {"node_id": "<Functions>", "question_text": "?", "user_answer": "!", "quality": 5, "response_type": "review"}
      {"node_id": "<Functions>", "question_text": "?", "user_answer": "!", "quality": 5, "response_type": "review"}
      {"node_id": "<Functions>", "question_text": "?", "user_answer": "!", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    Then the entry has completed at status
    When 300d passes
    And attention turns to the review
    And the learner says "0 gone"
    And teaching_flow_list is called with `{"status": "completed"}`
    Then the answer has:
      """
      {"result": [{"mind_map_id": "<First>", "status": "completed", "mastery_pct": 1.0, "nodes": 1, "mastered": 0}]}
      """
    And there are 1 mind_map_node records at reviewing
