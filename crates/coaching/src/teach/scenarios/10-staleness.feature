Feature: A course that the learner stops using is put aside after a warning

  # Reviews lie far ahead, so that they are still pending when a course has gone stale.
  Background:
    Given these names stand for:
      | First     | c0000000-0000-4000-8000-000000000001 |
      | Second    | c0000000-0000-4000-8000-000000000002 |
      | Third     | c0000000-0000-4000-8000-000000000003 |
      | Fourth    | c0000000-0000-4000-8000-000000000004 |
      | Functions | 00000000-0000-4000-8000-000000000001 |
      | Loops     | 00000000-0000-4000-8000-000000000002 |
      | Names     | 00000000-0000-4000-8000-000000000003 |
      | Values    | 00000000-0000-4000-8000-000000000004 |
      | Lists     | 00000000-0000-4000-8000-000000000005 |
      | Tuples    | 00000000-0000-4000-8000-000000000006 |
      | Files     | 00000000-0000-4000-8000-000000000007 |
      | Modules   | 00000000-0000-4000-8000-000000000008 |
    And the flow teach
    And the profile record me is:
      """
      {"desired_retention": 0.7, "balances_load": false}
      """
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<First>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens

  Scenario: A stale course is detected and abandoned, with its reviews
    Then the entry has teaching at status
    And there are 1 schedule records
    When 24d passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, 1 about to be"
    When 6d passes
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
      [
        {"channel": "inbox", "text": "…Python…In a week it will be put aside…"},
        {"channel": "inbox", "text": "…Python…was put aside…resume…"}
      ]
      """

  Scenario: Even after months without a check, a warning comes before a course is abandoned
    When 31d passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, 1 about to be"
    And the entry has teaching at status
    When 5d passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, 0 about to be"
    When 2d passes
    And the job stale-flow-check runs
    Then the answer is "1 abandoned, 0 about to be"

  Scenario Outline: A recently active course is not abandoned: <ago>
    # More than thirty days means strictly more; a week before, the learner is told once.
    When <ago> passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, <told> about to be"
    When the job stale-flow-check runs
    Then the answer is "0 abandoned, 0 about to be"
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
    When a new session with the id "<Second>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Names>", "label": "Names"}
      {"edit": "node_create", "node_id": "<Values>", "label": "Values"}
      """
    And recorded happens 3 times with `{"node_id": "<Names>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Names>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    And a new session with the id "<Third>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Lists>", "label": "Lists"}
      {"edit": "node_create", "node_id": "<Tuples>", "label": "Tuples"}
      """
    And recorded happens 3 times with `{"node_id": "<Lists>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Lists>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    And 24d passes
    And the job stale-flow-check runs
    And 5d passes
    And a new session with the id "<Fourth>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Files>", "label": "Files"}
      {"edit": "node_create", "node_id": "<Modules>", "label": "Modules"}
      """
    And recorded happens 3 times with `{"node_id": "<Files>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Files>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}
      """
    And advance happens
    Then there are 4 schedule records
    When 2d passes
    And the job stale-flow-check runs
    Then the answer is "3 abandoned, 0 about to be"
    And there are 3 mind_map records at abandoned
    And the entry "flow:<First>" has:
      """
      {"status": "abandoned"}
      """
    And the entry "flow:<Second>" has:
      """
      {"status": "abandoned"}
      """
    And the entry "flow:<Third>" has:
      """
      {"status": "abandoned"}
      """
    And the entry "flow:<Fourth>" has:
      """
      {"status": "teaching"}
      """
    And there are 1 schedule records
    And a schedule record has "<Fourth>" at mind_map_id

  Scenario: Completed and already abandoned courses are skipped
    When recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    And recorded happens with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
    Then the entry has completed at status
    When a new session with the id "<Second>"
    And abandon happens
    And 100d passes
    And the job stale-flow-check runs
    Then the answer is "0 abandoned, 0 about to be"
    And the entry "flow:<First>" has:
      """
      {"status": "completed", "last_session_at": "2026-01-01T09:00:00Z"}
      """
    And the entry "flow:<Second>" has:
      """
      {"status": "abandoned", "last_session_at": "2026-01-01T09:00:00Z"}
      """
    # The reviews of a completed course go on; nothing else was said.
    And the outbox has:
      """
      [{"role": "question"}]
      """

  Scenario: A course that waits for a review that lies ahead is not stale
    When advance happens
    And recorded happens with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And recorded happens 3 times with `{"node_id": "<Loops>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And advance happens
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
      {"from": "<First>"}
      """
    And a new session with the id "<Second>"
    Then there are 1 schedule records
    And a schedule record has:
      """
      {"name": "review-…-rep1", "mind_map_id": "<Second>"}
      """
    And there are 2 mind_map_node records at reviewing
    And the entry "flow:<First>" has:
      """
      {"status": "abandoned"}
      """

  Scenario: Only the clock says that a course is stale
    Then went_stale is refused
    And the answer has for_the_clock at code
    And the session is still open
    And the view has:
      """
      {"allowed": ["advance", "edited", "recorded", "abandon", "explained"]}
      """

  Scenario: Only the clock says that a sitting has lapsed
    When a review begins beside it with `{"ahead": true}`
    Then lapsed is refused
    And the answer has for_the_clock at code
