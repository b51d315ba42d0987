Feature: A quiz of one to three questions decides how a concept goes on

  # The comprehension question on the first concept has been put.
  Background:
    Given these names stand for:
      | Course | c0000000-0000-4000-8000-000000000001 |
      | First  | 00000000-0000-4000-8000-000000000001 |
      | Second | 00000000-0000-4000-8000-000000000002 |
      | Alpha  | cfe1b366-1e08-5919-985a-b93d06faa99d |
    And the flow teach
    And the profile record me is:
      """
      {"preferred_channel": "telegram", "telegram_chat": 42, "memory": "sm2", "balances_load": false}
      """
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And the learner writes from chat 42
    And a new session with the id "<Course>"
    And the learner says "I don't know" 3 times
    And go_on happens

  Scenario: The quiz asks at least one question about the current concept
    When the learner says "alpha"
    Then the state is quizzing
    And the outbox has:
      """
      ["…", {"intent": "reply"}, {"channel": "telegram", "intent": "send", "to": "42", "text": "…stands first…"}]
      """
    And the view has "<Alpha>" at data.question.node_id
    And pose_quiz was performed 1 times

  Scenario: The quiz asks at most three questions
    When the learner says "omega"
    And the learner says "alpha"
    And the learner says "omega"
    Then the state is quizzing
    And pose_quiz was performed 3 times
    When the learner says "omega"
    Then pose_quiz was performed 3 times
    And the entry has teaching at status

  Scenario: Each quiz answer is recorded
    When the learner says "alpha"
    And the learner says "It is alpha, I think"
    Then there are 5 quiz_response records
    And a quiz_response record has:
      """
      {
        "node_id": "<Alpha>", "response_type": "teach", "question_text": "…stands first…",
        "user_answer": "It is alpha, I think", "quality": 5
      }
      """

  Scenario: A review is scheduled after a successful quiz, by SM-2 a day later
    When the learner says "alpha"
    And the learner says "alpha"
    Then there are 1 schedule records
    And a schedule record has:
      """
      {
        "name": "review-<Alpha>-rep1", "dispatch_mode": "prompt", "node_id": "<Alpha>",
        "run_at": "2026-01-02T09:00:00Z", "until_at": "2026-01-03T09:00:00Z"
      }
      """
    And the mind_map_node record "<Alpha>" has:
      """
      {"mastery_status": "reviewing", "repetitions": 1, "interval_days": 1.0}
      """

  Scenario: A concept is reset to learning on a failed quiz, and taught again
    When the learner says "omega" 3 times
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "questioning"}
      """
    And the mind_map_node record "<Alpha>" has:
      """
      {"mastery_status": "learning", "repetitions": 0}
      """
    And there are 0 schedule records
    And the coach says "Alpha, once more"

  # The average of the quiz decides, whether Etude or another tutor asks; the same concept comes again, whatever else could be taught.
  Scenario Outline: The average of the quiz decides: <first> and <second> make it <status>
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<First>", "label": "First"}
      {"edit": "node_create", "node_id": "<Second>", "label": "Second"}
      """
    And recorded happens 3 times with `{"node_id": "<First>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with each of:
      """
      {"node_id": "<First>", "question_text": "q", "user_answer": "a", "quality": <first>, "response_type": "teach"}
      {"node_id": "<First>", "question_text": "q", "user_answer": "a", "quality": <second>, "response_type": "teach"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "00000000-0000-4000-8000-00000000000<node>", "current_phase": "explaining"}
      """
    And the mind_map_node record "<First>" has:
      """
      {"mastery_status": "<status>", "repetitions": <repetitions>}
      """
    And there are <repetitions> schedule records

    Examples:
      | first | second | node | status    | repetitions |
      | 5     | 1      | 2    | reviewing | 1           |
      | 3     | 3      | 2    | reviewing | 1           |
      | 4     | 1      | 1    | learning  | 0           |
      | 0     | 5      | 1    | learning  | 0           |

  Scenario: A crash in the middle of a quiz loses nothing
    When the learner says "alpha"
    And the process crashes and starts again
    And the learner says "alpha"
    Then the entry has reviewing at status
    And there are 1 schedule records
    And the coach says "practise now"
