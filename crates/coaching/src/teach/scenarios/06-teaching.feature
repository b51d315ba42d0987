Feature: A concept is explained, asked for, and the answer is evaluated

  # Three probes without an answer, then the first concept.
  Background:
    Given these names stand for:
      | Course | c0000000-0000-4000-8000-000000000001 |
      | Alpha  | cfe1b366-1e08-5919-985a-b93d06faa99d |
    And the flow teach
    And the profile record me is:
      """
      {"preferred_channel": "telegram", "telegram_chat": 42}
      """
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And the learner writes from chat 42
    And a new session with the id "<Course>"
    And the learner says "I don't know" 3 times

  Scenario: An explanation of the current concept is delivered, and of nothing else
    Then the outbox has:
      """
      [
        "…",
        {"channel": "telegram", "intent": "send", "to": "42", "heading": "Alpha", "text": "Alpha is the name of a letter…"}
      ]
      """
    And the coach does not say "Beta"
    And the coach does not say "Gamma"
    And the session went through: explaining, questioning
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "questioning"}
      """

  Scenario: A comprehension question is asked after the explanation
    When go_on happens
    Then the outbox has:
      """
      [
        "…",
        {"heading": "Alpha"},
        {"channel": "telegram", "intent": "send", "to": "42", "text": "…stands first…"}
      ]
      """
    And the view has "<Alpha>" at data.question.node_id
    And the entry has evaluating at current_phase

  Scenario: The answer is evaluated and gets feedback: right
    # A thumb: bots may not use every emoji.
    When go_on happens
    And the learner says "alpha"
    Then the outbox has:
      """
      [
        "…",
        {"text": "…stands first…"},
        {"channel": "telegram", "intent": "react", "emoji": "👍", "reply_to": {"chat_id": 42, "message_id": 6}},
        {"channel": "telegram", "intent": "reply", "text": "…alpha…", "reply_to": {"chat_id": 42, "message_id": 6}},
        {"channel": "telegram", "intent": "send", "text": "…stands first…"}
      ]
      """
    And a quiz_response record has:
      """
      {
        "node_id": "<Alpha>", "response_type": "teach", "quality": 5, "user_answer": "alpha",
        "question_text": "…stands first…"
      }
      """

  Scenario: The answer is evaluated and gets feedback: wrong
    When go_on happens
    And the learner says "omega"
    Then the outbox has:
      """
      [
        "…",
        {"text": "…stands first…"},
        {"channel": "telegram", "intent": "reply", "text": "Not yet…alpha…", "reply_to": {"chat_id": 42, "message_id": 6}},
        {"channel": "telegram", "intent": "send", "text": "…stands first…"}
      ]
      """
    And a quiz_response record has:
      """
      {"node_id": "<Alpha>", "response_type": "teach", "quality": 1, "user_answer": "omega"}
      """

  # The quiz that follows decides whether the concept goes on to review.
  Scenario Outline: Mastery is updated after the evaluation: <answer>
    When go_on happens
    And the learner says "<answer>"
    Then the mind_map_node record "<Alpha>" has:
      """
      {"mastery_status": "learning", "mastery_score": <score>}
      """
    When the learner says "<answer>" <more> times
    Then there are 1 mind_map_node records at <then>

    Examples:
      | answer | score | more | then      |
      | alpha  | 1.0   | 1    | reviewing |
      | omega  | 0.2   | 2    | learning  |

  Scenario: The course advances to quizzing after the evaluation, where it has no phase
    When go_on happens
    And the learner says "alpha"
    Then the session went through: explaining, questioning, evaluating, quizzing
    And the entry has:
      """
      {"status": "quizzing", "current_node_id": "<Alpha>", "current_phase": null}
      """

  Scenario: A crash between explanation and question loses nothing
    When the process crashes and starts again
    And go_on happens
    Then explain was performed 1 times
    And the entry has evaluating at current_phase
