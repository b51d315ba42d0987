Feature: A course moves only along its permitted transitions

  # Another tutor leads these courses, such as an assistant through tools: nothing happens by itself.
  Background:
    Given these names stand for:
      | Course     | c0000000-0000-4000-8000-000000000001 |
      | Functions  | 00000000-0000-4000-8000-000000000001 |
      | Long way   | 00000000-0000-4000-8000-000000000002 |
      | Short way  | 00000000-0000-4000-8000-000000000003 |
      | Needs all  | 00000000-0000-4000-8000-000000000004 |
      | Decorators | 00000000-0000-4000-8000-000000000005 |
      | Generators | 00000000-0000-4000-8000-000000000006 |
      | Loops      | 00000000-0000-4000-8000-000000000007 |
    And the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Course>"

  Scenario: A valid forward transition persists the new status
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    Then the entry has teaching at status
    When teaching_flow_advance is called with `{"mind_map_id": "<Course>"}`
    Then the answer has quizzing at status
    And the entry "flow:<Course>" has:
      """
      {"status": "quizzing", "mind_map_id": "<Course>"}
      """
    # There is a phase only while something is taught.
    And the entry has null at current_phase
    When teaching_flow_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has quizzing at result.status
    And a replay of the log gives the same state

  Scenario: An invalid transition is an error that names it and changes nothing
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    Then the entry has completed at status
    And teaching_flow_advance is refused when called with `{"mind_map_id": "<Course>"}`
    And the answer has invalid_transition at code
    And the answer has "invalid transition from `completed`…" at message
    And abandon is refused
    And the entry has:
      """
      {"status": "completed", "session_count": 5}
      """

  Scenario: The transition from quizzing branches on the frontier
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions", "effort_minutes": 5}
      {"edit": "node_create", "node_id": "<Long way>", "label": "Long way", "effort_minutes": 30}
      {"edit": "node_create", "node_id": "<Short way>", "label": "Short way", "effort_minutes": 10}
      {"edit": "node_create", "node_id": "<Needs all>", "label": "Needs all"}
      {"edit": "edge_create", "parent_node_id": "<Long way>", "child_node_id": "<Needs all>"}
      {"edit": "edge_create", "parent_node_id": "<Short way>", "child_node_id": "<Needs all>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    Then the entry has "<Functions>" at current_node_id
    When recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Short way>", "current_phase": "explaining"}
      """

  Scenario: The transition from quizzing to completed when all concepts are mastered
    # Permitted, although it is not in the list of transitions.
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    Then the session has ended with done
    And the entry has completed at status
    And there are 1 mind_map records at completed
    And there are 0 mind_map records at active

  Scenario: The transition from reviewing branches on the frontier
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "node_create", "node_id": "<Generators>", "label": "Generators"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      {"edit": "edge_create", "parent_node_id": "<Decorators>", "child_node_id": "<Generators>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens
    Then the entry has reviewing at status
    When recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Decorators>", "current_phase": "explaining"}
      """

  Scenario: Abandon from a status that is not final, with a review pending
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
    And advance happens
    Then the entry has teaching at status
    And there are 1 schedule records
    When abandon happens
    Then the entry has abandoned at status
    And there are 0 schedule records
    And there are 1 mind_map records at abandoned
    And advance is refused
    And abandon is refused
    And the entry has abandoned at status

  Scenario Outline: Abandon from any other status that is not final: <status>
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens <advances> times
    Then the entry has <status> at status
    When abandon happens
    Then the entry has abandoned at status
    And the session has ended with user

    Examples:
      | status     | advances |
      | diagnosing | 0        |
      | planning   | 1        |
      | teaching   | 2        |
      | quizzing   | 3        |

  Scenario: Nothing to teach, not everything mastered: the course waits for reviews and never ends
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "reviewing", "current_node_id": "<Functions>", "current_phase": null}
      """
    When advance happens
    Then the entry has reviewing at status
    And the session is still open

  Scenario: An advance that expects another status does not move the course
    When edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    Then advance is refused with `{"expected_status": "teaching"}`
    And the answer has status_moved at code
    And the entry has diagnosing at status
    When advance happens with `{"expected_status": "diagnosing"}`
    Then the entry has planning at status

  Scenario Outline: From planning nothing but teaching follows
    When edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens
    And recorded happens <recalls> times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    Then the mind_map_node record "<Functions>" has <status> at mastery_status
    And advance is refused
    And the answer has nothing_to_teach at code
    And planned is refused
    And the entry has planning at status
    And the entry has null at current_node_id
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Loops>"}
      """

    Examples:
      | status    | recalls |
      | mastered  | 3       |
      | reviewing | 1       |

  Scenario: A course that is resumed goes through the same statuses, and is not asked what is known
    When it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And a new session with the id c0000000-0000-4000-8000-00000000000a
    And abandon happens
    And it is opened with `{"from": "c0000000-0000-4000-8000-00000000000a"}`
    And a new session with the id c0000000-0000-4000-8000-00000000000b
    Then the session went through: pending, recollecting, planning, beginning, explaining, questioning

  Scenario: A course that is resumed with nothing left to teach passes through reviewing
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And abandon happens
    And it is opened with `{"from": "<Course>"}`
    And a new session with the id c0000000-0000-4000-8000-00000000000b
    And advance happens 2 times
    Then the session has ended with done
    And the session went through: pending, diagnosing, planning, beginning, pausing, finishing, completed
