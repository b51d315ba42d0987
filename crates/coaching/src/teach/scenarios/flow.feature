Feature: A course moves only along its permitted transitions

  # Somebody else leads these courses: nothing happens by itself.
  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session

  Scenario: A course is created pending and is diagnosing at once
    Then the session went through: pending, diagnosing
    And the entry has diagnosing at status
    And the entry has 1 at session_count
    And the entry has null at current_node_id
    And the entry has null at current_phase
    And there are 1 mind_map records at active
    And a mind_map record has Python at title

  Scenario: A valid forward transition persists the new status
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And advance happens 2 times
    Then the entry has teaching at status
    And the entry has explaining at current_phase
    And the entry has "00000000-0000-4000-8000-000000000001" at current_node_id
    And the entry has 3 at session_count
    When advance happens
    Then the entry has quizzing at status
    And the entry has null at current_phase
    And the entry has 4 at session_count
    And a replay of the log gives the same state

  Scenario: An invalid transition is refused and changes nothing
    When abandon happens
    Then the entry has abandoned at status
    And there are 1 mind_map records at abandoned
    And advance is refused
    And abandon is refused
    And the entry has abandoned at status

  Scenario: Advancing a plan without concepts is refused
    When advance happens
    Then the entry has planning at status
    And advance is refused
    And the entry has 2 at session_count

  Scenario: Whoever expects another status does not move the course
    Then advance is refused with `{"expected_status": "teaching"}`
    And the entry has diagnosing at status
    When advance happens with `{"expected_status": "diagnosing"}`
    Then the entry has planning at status

  Scenario: An edge that would close a circle is refused by name
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Decorators"}
      """
    And edited happens with:
      """
      {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000001", "child_node_id": "00000000-0000-4000-8000-000000000002"}
      """
    Then edited is refused with:
      """
      {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000002", "child_node_id": "00000000-0000-4000-8000-000000000001"}
      """
    And edited is refused with:
      """
      {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000002", "child_node_id": "00000000-0000-4000-8000-000000000009"}
      """
    And a mind_map record has 2 at node_count

  Scenario Outline: A quality is a whole number from 0 to 5
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    Then recorded is refused with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": <quality>, "response_type": "teach"}
      """
    And there are 0 quiz_response records

    Examples:
      | quality |
      | 6       |
      | -1      |
      | 2.9     |
      | true    |
      | "4"     |

  Scenario: A failed quiz goes back to the same concept
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Another root"}
      """
    And advance happens 2 times
    Then the entry has "00000000-0000-4000-8000-000000000002" at current_node_id
    When advance happens
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000002", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "teach"}
      """
    And advance happens
    Then the entry has teaching at status
    And the entry has "00000000-0000-4000-8000-000000000002" at current_node_id
    And there are 1 mind_map_node records at learning
    And there are 0 schedule records

  Scenario: A passed quiz puts a review down and goes to the next concept
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Loops"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens
    Then the entry has teaching at status
    And the entry has explaining at current_phase
    And the entry has "00000000-0000-4000-8000-000000000002" at current_node_id
    And there are 1 schedule records
    And a schedule record has "review-00000000-0000-4000-8000-000000000001-rep1" at name
    And a schedule record has prompt at dispatch_mode
    When abandon happens
    Then there are 0 schedule records

  Scenario: All concepts mastered ends the course from quizzing
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And advance happens 3 times
    And edited happens with:
      """
      {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "mastered", "mastery_score": 0.95}
      """
    And advance happens
    Then the session has ended with done
    And the entry has completed at status
    And there are 1 mind_map records at completed

  Scenario: Nothing to teach, not everything mastered: the course waits for reviews, never ends
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    Then the entry has reviewing at status
    And the entry has null at current_phase
    And the entry has "00000000-0000-4000-8000-000000000001" at current_node_id
    When advance happens
    Then the entry has reviewing at status

  Scenario: A concept mastered beside it is not taught again
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Decorators"}
      """
    And edited happens with:
      """
      {"edit": "edge_create", "parent_node_id": "00000000-0000-4000-8000-000000000001", "child_node_id": "00000000-0000-4000-8000-000000000002"}
      """
    And edited happens with:
      """
      {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "mastered"}
      """
    And advance happens 2 times
    Then the entry has "00000000-0000-4000-8000-000000000002" at current_node_id

  Scenario: Phases are durable steps
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And advance happens 2 times
    And explained happens
    Then the entry has questioning at current_phase
    When the process crashes and starts again
    And asked happens
    Then the entry has evaluating at current_phase
    And the entry has 3 at session_count
