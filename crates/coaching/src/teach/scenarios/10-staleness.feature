Feature: A course that nobody comes back to is put aside, after a word to the learner

  # Reviews lie far ahead, so that they are still pending when a course has gone stale.
  Background:
    Given the flow teach
    And the profile record me is:
      """
      {"desired_retention": 0.7, "balances_load": false}
      """
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "c0000000-0000-4000-8000-000000000001"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Loops"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens

  Scenario: A stale course is detected and abandoned, with its reviews
    Then the entry has teaching at status
    And there are 1 schedule records
    When 30d passes
    And 1s passes
    Then there are 1 schedule records
    When the job stale-flow-check runs
    Then the answer is "1 abandoned, 0 about to be"
    And the entry has abandoned at status
    And the session has ended with timeout
    And there are 0 schedule records
    And there are 1 mind_map records at abandoned
    And the outbox has:
      """
      [{"channel": "inbox", "text": "…Python…put aside…resume…"}]
      """

  Scenario Outline: A recently active course is not abandoned: <ago>
    # More than thirty days means strictly more; a week before, the learner is told once.
    When <ago> passes
    And the job stale-flow-check runs
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, <told> about to be"
    And the entry has teaching at status
    And there are 1 schedule records
    And there are <told> inbox records

    Examples:
      | ago | told |
      | 1d  | 0    |
      | 23d | 0    |
      | 24d | 1    |
      | 30d | 1    |

  Scenario: Multiple stale courses are abandoned in a single check, each with its reviews
    When a new session with the id "c0000000-0000-4000-8000-000000000002"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000003", "label": "Functions"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000004", "label": "Loops"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000003", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    And a new session with the id "c0000000-0000-4000-8000-000000000003"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000005", "label": "Functions"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000006", "label": "Loops"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000005", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    And 29d passes
    And a new session with the id "c0000000-0000-4000-8000-000000000004"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000007", "label": "Functions"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000008", "label": "Loops"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000007", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    Then there are 4 schedule records
    When 2d passes
    And the job stale-flow-check runs
    Then the answer is "3 abandoned, 0 about to be"
    And there are 3 mind_map records at abandoned
    And the entry "flow:c0000000-0000-4000-8000-000000000001" has:
      """
      {"status": "abandoned"}
      """
    And the entry "flow:c0000000-0000-4000-8000-000000000002" has:
      """
      {"status": "abandoned"}
      """
    And the entry "flow:c0000000-0000-4000-8000-000000000003" has:
      """
      {"status": "abandoned"}
      """
    And the entry "flow:c0000000-0000-4000-8000-000000000004" has:
      """
      {"status": "teaching"}
      """
    And there are 1 schedule records
    And a schedule record has "c0000000-0000-4000-8000-000000000004" at mind_map_id

  Scenario: Completed and already abandoned courses are skipped
    When edited happens with each of:
      """
      {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000001", "mastery_status": "mastered", "mastery_score": 0.95}
      {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000002", "mastery_status": "mastered", "mastery_score": 0.95}
      """
    And advance happens 2 times
    Then the entry has completed at status
    When a new session with the id "c0000000-0000-4000-8000-000000000002"
    And abandon happens
    And 100d passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, 0 about to be"
    And the entry "flow:c0000000-0000-4000-8000-000000000001" has:
      """
      {"status": "completed", "last_session_at": "2026-01-01T09:00:00Z"}
      """
    And the entry "flow:c0000000-0000-4000-8000-000000000002" has:
      """
      {"status": "abandoned", "last_session_at": "2026-01-01T09:00:00Z"}
      """
    # The reviews of a completed course go on; nothing else was said.
    And the outbox has:
      """
      [{"role": "question"}]
      """

  Scenario: A course that waits for a review that lies ahead is not stale
    When edited happens with:
      """
      {"edit": "node_update", "node_id": "00000000-0000-4000-8000-000000000002", "mastery_status": "mastered", "mastery_score": 0.95}
      """
    And advance happens 2 times
    Then the entry has reviewing at status
    When 31d passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, 0 about to be"
    And the entry has reviewing at status

  Scenario: An abandoned course can be resumed: what was learned and its reviews are there again
    When abandon happens
    Then there are 0 schedule records
    When it is opened with:
      """
      {"from": "c0000000-0000-4000-8000-000000000001"}
      """
    And a new session with the id "c0000000-0000-4000-8000-000000000002"
    Then there are 1 schedule records
    And a schedule record has:
      """
      {"name": "review-00000000-0000-4000-8000-000000000001-rep1", "mind_map_id": "c0000000-0000-4000-8000-000000000002"}
      """
    And there are 1 mind_map_node records at reviewing
    And the entry "flow:c0000000-0000-4000-8000-000000000001" has:
      """
      {"status": "abandoned"}
      """
