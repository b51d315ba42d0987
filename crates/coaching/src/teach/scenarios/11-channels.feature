Feature: Lines that no caller waits for go out as messages, each on the channel that fits

  Background:
    Given these names stand for:
      | Course      | c0000000-0000-4000-8000-000000000001 |
      | Alpha       | cfe1b366-1e08-5919-985a-b93d06faa99d |
      | Beta        | 99f7d4f4-4aa6-576e-a562-920322856693 |
      | Gamma       | 25d041a9-af63-5e53-9d7c-9b59116b953e |
      | First       | 00000000-0000-4000-8000-000000000001 |
      | Second      | 00000000-0000-4000-8000-000000000002 |
      | Third       | 00000000-0000-4000-8000-000000000003 |
      | Led outside | c0000000-0000-4000-8000-000000000002 |
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

  Scenario: A teaching explanation is delivered by Telegram send
    Then the outbox has:
      """
      ["…", {"channel": "telegram", "intent": "send", "to": "42", "text": "…Alpha is the name of a letter. If you are asked for it, say alpha.…"}]
      """

  Scenario: A quiz question is delivered by Telegram send, in teaching and in the quiz
    When go_on happens
    Then the outbox has:
      """
      ["…", {"channel": "telegram", "intent": "send", "to": "42", "text": "…stands first…"}]
      """
    When the learner says "alpha"
    Then the state is quizzing
    And the outbox has:
      """
      ["…", {"channel": "telegram", "intent": "send", "to": "42", "text": "…stands first…"}]
      """

  Scenario: The evaluation of an answer is delivered by Telegram reply
    When go_on happens
    And the learner says "omega"
    Then the outbox has:
      """
      [
        "…",
        {"channel": "telegram", "intent": "reply", "text": "Not yet…", "reply_to": {"chat_id": 42, "message_id": 6}},
        {"intent": "send"}
      ]
      """

  # A thumb: bots may not use every emoji.
  Scenario: A correct answer is acknowledged by Telegram react, beside the reply
    When go_on happens
    And the learner says "alpha"
    Then the outbox has:
      """
      [
        "…",
        {"channel": "telegram", "intent": "react", "emoji": "👍", "reply_to": {"chat_id": 42, "message_id": 6}},
        {"channel": "telegram", "intent": "reply", "text": "…alpha…", "reply_to": {"chat_id": 42, "message_id": 6}},
        {"intent": "send"}
      ]
      """
    When the learner says "alpha"
    Then the outbox has:
      """
      [
        "…",
        {"channel": "telegram", "intent": "react", "emoji": "👍", "reply_to": {"chat_id": 42, "message_id": 7}},
        {"channel": "telegram", "intent": "reply", "text": "…alpha…", "reply_to": {"chat_id": 42, "message_id": 7}},
        {"intent": "send"}, {"intent": "send"}
      ]
      """

  Scenario: The weekly progress digest is delivered by mail
    When the profile record me is:
      """
      {"preferred_channel": "telegram", "telegram_chat": 42, "email": "ada@example.org"}
      """
    And abandon happens
    And it is opened with:
      """
      {"topic": "Greek", "tutor": "outside"}
      """
    And a new session with the id "<Led outside>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<First>", "label": "Alpha"}
      {"edit": "node_create", "node_id": "<Second>", "label": "Beta"}
      {"edit": "node_create", "node_id": "<Third>", "label": "Gamma"}
      """
    And the job nightly-analytics-snapshot runs
    And 5d passes
    And recorded happens 3 times with `{"node_id": "<Third>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And recorded happens every 1h with each of:
      """
      {"node_id": "<Second>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      {"node_id": "<First>", "question_text": "q", "user_answer": "a", "quality": 2, "response_type": "teach"}
      {"node_id": "<First>", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "teach"}
      {"node_id": "<First>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "teach"}
      """
    And the job weekly-progress-digest runs
    Then the answer is written
    And the outbox has:
      """
      [
        "…",
        {
          "channel": "email", "intent": "send", "to": "ada@example.org", "subject": "Your weekly learning progress",
          "text": "Mastery: 33 % (1 of 3 concepts, 33 percentage points more than on …).\nPace: …per week.\nRetention: 100 %…One concept is still hard…Still hard\nAlpha…“Greek”: … due this week. To review: etude teach review <Led outside> --learner learner\nTo stop these digests: etude learner set wants_digest false --learner learner"
        }
      ]
      """
    # On the same day it is the same digest.
    When the job weekly-progress-digest runs
    Then the answer is "already written today"
    And the outbox has:
      """
      ["…", {"channel": "telegram"}, {"channel": "email"}]
      """

  # Numbers of an hour ago say nothing about a week.
  Scenario: The digest compares only with a day that is over
    When the profile record me is:
      """
      {"preferred_channel": "inbox"}
      """
    And the job nightly-analytics-snapshot runs
    And 1h passes
    And edited happens with each of:
      """
      {"edit": "node_update", "node_id": "<Gamma>", "mastery_status": "learning"}
      {"edit": "node_update", "node_id": "<Gamma>", "mastery_status": "reviewing"}
      {"edit": "node_update", "node_id": "<Gamma>", "mastery_status": "mastered"}
      """
    And the job weekly-progress-digest runs
    Then the outbox has:
      """
      ["…", {"channel": "inbox", "text": "Mastery: 33 % (1 of 3 concepts).\nPace…"}]
      """

  # A mail cannot be answered.
  Scenario: A mail says which course it is about, what is due, and what to type
    When go_on happens
    And the learner says "alpha" 2 times
    And the profile record me is:
      """
      {"preferred_channel": "email", "email": "ada@example.org"}
      """
    And 30d passes
    Then the outbox has:
      """
      [
        "…",
        {
          "channel": "email", "subject": "Time to recall: Three letters", "heading": "Alpha",
          "text": "…stands first…\n\nOne concept of “Three letters” is due. `etude teach review three-letters --learner learner` asks you about it.\n\nTo stop these mails, run `etude learner set preferred_channel inbox --learner learner`: messages then stay in Etude."
        }
      ]
      """
    When 25h passes
    And the job stale-flow-check runs
    And 8d passes
    And the job stale-flow-check runs
    Then the outbox has:
      """
      ["…", {"channel": "email", "subject": "Three letters was put aside", "text": "…To resume it: `etude teach resume <Course> --learner learner`.…"}, "…"]
      """

  Scenario Outline: The learner's preferred channel is respected: <channel>
    When the profile record me is:
      """
      {"preferred_channel": "<channel>", "telegram_chat": 7, "email": "ada@example.org"}
      """
    And no one waits for an answer
    And go_on happens
    Then the outbox has:
      """
      ["…", {"channel": "<channel>", <more>, "text": "…stands first…"}]
      """

    Examples:
      | channel  | more                                        |
      | telegram | "intent": "send", "to": "7"                 |
      | email    | "intent": "send", "to": "ada@example.org"   |
      | inbox    | "role": "question"                          |
