Feature: A question of the learner's own is answered, and the course stays where it is

  # The first concept has been explained.
  Background:
    Given these names stand for:
      | Course | c0000000-0000-4000-8000-000000000001 |
      | Alpha  | cfe1b366-1e08-5919-985a-b93d06faa99d |
      | Gamma  | 25d041a9-af63-5e53-9d7c-9b59116b953e |
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

  Scenario: A question in between, matched to the current concept
    When asks happens with `{"text": "I don't understand alpha"}`
    Then the outbox has:
      """
      [
        "…",
        {"heading": "Alpha"},
        {"channel": "telegram", "intent": "send", "to": "42", "heading": "About Alpha", "text": "The alphabet carries its name…stands first…"}
      ]
      """
    And the view has:
      """
      {"data": {"question": {"node_id": "<Alpha>", "is_for_help": true}}}
      """
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "questioning"}
      """

  Scenario: After a question or a failed quiz, the explanation uses other words
    When asks happens with `{"text": "I don't understand alpha"}`
    Then the coach says "The alphabet carries its name"
    When go_on happens
    And the learner says "omega" 3 times
    Then the coach says "Alpha, once more"
    And the coach says "The alphabet carries its name"
    And the coach does not say "Alpha is the name of a letter"
    # After a second failure the first explanation has its turn again.
    When go_on happens
    And the learner says "omega" 3 times
    Then the coach says "Alpha is the name of a letter"

  Scenario: A question in between, matched to another concept
    When go_on happens
    And asks happens with `{"text": "what about letter gamma?"}`
    Then the coach says "About Gamma"
    And the coach says "Gamma is the name of a letter"
    And the view has "<Gamma>" at data.question.node_id
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "evaluating"}
      """
    When the learner says "gamma"
    Then the coach says "Back to the question"
    And the view has:
      """
      {"data": {"question": {"node_id": "<Alpha>", "is_for_help": false}}}
      """
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "evaluating"}
      """
    When the learner says "alpha"
    Then the entry has quizzing at status

  Scenario: The response to a question in between is recorded as teaching
    When asks happens with `{"text": "what is letter gamma?"}`
    And the learner says "gamma"
    Then there are 4 quiz_response records
    And a quiz_response record has:
      """
      {"node_id": "<Gamma>", "response_type": "teach", "user_answer": "gamma", "question_text": "…stands third…", "quality": 5}
      """
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "questioning"}
      """

  Scenario: A question in between, outside the scope of the map
    When asks happens with `{"text": "who invented cheese?"}`
    Then the coach says "not on the map"
    And the coach says "a course of its own"
    And the outbox has:
      """
      ["…", {"heading": "Alpha"}, {"channel": "telegram", "intent": "send", "text": "…not on the map…start one…"}]
      """
    And the mind_map record "<Course>" has 3 at node_count
    And the view has null at data.question
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Alpha>", "current_phase": "questioning"}
      """
