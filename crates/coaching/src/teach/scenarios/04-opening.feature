Feature: A course begins by finding out what is known

  Background:
    Given these names stand for:
      | Course     | c0000000-0000-4000-8000-000000000001 |
      | Alpha      | cfe1b366-1e08-5919-985a-b93d06faa99d |
      | Beta       | 99f7d4f4-4aa6-576e-a562-920322856693 |
      | Gamma      | 25d041a9-af63-5e53-9d7c-9b59116b953e |
      | Functions  | 00000000-0000-4000-8000-000000000001 |
      | Decorators | 00000000-0000-4000-8000-000000000002 |
    And the flow teach
    And the profile record me is:
      """
      {"preferred_channel": "telegram", "telegram_chat": 42}
      """
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """

  Scenario: A course is created pending and advances to diagnosing at once
    # Map, state and first step are one commit: no course stays pending.
    When teaching_flow_start is called with `{"topic": "Python", "goal": null}`
    Then the answer has diagnosing at status
    When attention turns to the teach
    Then the session went through: pending, diagnosing
    And a mind_map record has:
      """
      {"title": "Python", "status": "active", "metadata": {"goal": null}}
      """
    And there are 1 mind_map records at active
    And the entry has:
      """
      {"status": "diagnosing", "session_count": 1, "current_node_id": null, "current_phase": null}
      """

  Scenario: The learner receives the first diagnostic probe: one question, of median difficulty
    When no one waits for an answer
    And a new session with the id "<Course>"
    Then the state is diagnosing
    And the outbox has:
      """
      [
        {"channel": "telegram", "intent": "send", "to": "42", "text": "First a few questions…"},
        {"channel": "telegram", "intent": "send", "to": "42", "text": "…stands second…"}
      ]
      """
    And the view has "<Beta>" at data.question.node_id
    And pose_probe was performed 1 times

  Scenario: Adaptive probing narrows the difficulty: harder after a right answer
    When a new session with the id "<Course>"
    And the learner says "beta"
    Then the view has "<Gamma>" at data.question.node_id
    And pose_probe was performed 2 times
    And the coach does not say "Right."

  Scenario: Adaptive probing narrows the difficulty: easier after a wrong answer
    When a new session with the id "<Course>"
    And the learner says "omega"
    Then the view has "<Alpha>" at data.question.node_id
    And pose_probe was performed 2 times

  Scenario: The diagnosis ends after convergence, and its results are kept
    When a new session with the id "<Course>"
    And the learner says "I don't know" 2 times
    Then the state is diagnosing
    When the learner says "I don't know"
    Then the counter probes is 3
    And the session went through: diagnosing, planning, explaining, questioning
    And the entry has:
      """
      {
        "status": "teaching",
        "diagnostic_results": {
          "<Alpha>": {"quality": 0, "inferred_mastery": "0.1 to 0.2"},
          "<Beta>": {"quality": 0, "inferred_mastery": "0.0 to 0.1"},
          "<Gamma>": {"quality": 0, "inferred_mastery": "0.0 to 0.1"}
        }
      }
      """
    And there are 3 quiz_response records
    And a quiz_response record has diagnostic at response_type
    And the coach says "Alpha is the name of a letter"

  Scenario Outline: The diagnosis of a large map takes three to seven probes: <topic>
    When it is opened with:
      """
      {"topic": "<topic>"}
      """
    And a new session with the id "<Course>"
    And the learner says "I don't know" <probes> times
    Then the counter probes is <probes>
    And there are <probes> quiz_response records
    And the entry has teaching at status

    Examples:
      | topic  | probes |
      | Python | 5      |
      | SQL    | 5      |

  Scenario: The diagnosis seeds mastery conservatively
    When a new session with the id "<Course>"
    And the learner says "beta"
    And the learner says "gamma"
    And the learner says "alpha"
    Then the entry has teaching at status
    And there are 0 mind_map_node records at mastered
    # Alpha is taught by now; the others wait with what they were believed to be worth.
    And the mind_map_node record "<Beta>" has:
      """
      {"mastery_status": "diagnosed", "mastery_score": "0.3 to 0.7"}
      """
    And the mind_map_node record "<Gamma>" has:
      """
      {"mastery_status": "diagnosed", "mastery_score": "0.3 to 0.7"}
      """

  Scenario: Another tutor's diagnosis also seeds mastery conservatively
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      """
    And recorded happens with each of:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}
      {"node_id": "<Decorators>", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "diagnostic"}
      """
    Then the mind_map_node record "<Functions>" has:
      """
      {"mastery_status": "diagnosed", "mastery_score": "0.3 to 0.7"}
      """
    And there are 1 mind_map_node records at unseen
    And the entry has:
      """
      {
        "diagnostic_results": {
          "<Functions>": {"quality": 5, "inferred_mastery": "0.7 to 0.9"},
          "<Decorators>": {"quality": 1, "inferred_mastery": "0.0 to 0.3"}
        }
      }
      """
