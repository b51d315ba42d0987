Feature: What was understood comes back

  # The first concept is understood: its quiz is passed. What comes next needs it to be mastered.
  Background:
    Given these names stand for:
      | Course       | c0000000-0000-4000-8000-000000000001 |
      | Other course | c0000000-0000-4000-8000-000000000002 |
      | Alpha        | cfe1b366-1e08-5919-985a-b93d06faa99d |
      | Beta         | 99f7d4f4-4aa6-576e-a562-920322856693 |
      | Gamma        | 25d041a9-af63-5e53-9d7c-9b59116b953e |
      | Delta        | 00000000-0000-4000-8000-000000000001 |
      | Epsilon      | 00000000-0000-4000-8000-000000000002 |
      | Concept      | 00000000-0000-4000-8000-0000000000   |
      | Functions    | 00000000-0000-4000-8000-000000000004 |
    And the flow teach
    And the profile record me is:
      """
      {
        "preferred_channel": "telegram", "telegram_chat": 42, "memory": "sm2", "balances_load": false,
        "gives_implicit_credit": false
      }
      """
    And it is opened with:
      """
      {"topic": "three letters", "curriculum": "three-letters", "gate": "mastered"}
      """
    And a new session with the id "<Course>"
    And the learner says "I don't know" 3 times
    And go_on happens
    And the learner says "alpha" 2 times

  Scenario: A scheduled trigger fires for a review that is due
    Then the entry has reviewing at status
    And there are 1 schedule records
    When 23h passes
    Then there are 1 schedule records
    When 1h passes
    Then there are 0 schedule records
    When attention turns to the review
    Then the state is recalling
    And the view has "schedule:review-<Alpha>-rep1" at data.trigger
    And the view has 1 at data.left
    When teaching_context is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "flow_state": {"status": "reviewing", "current_node_id": "<Alpha>"},
        "frontier": [],
        "recent_responses": ["…", {"response_type": "teach", "user_answer": "alpha"}, "…"]
      }
      """

  Scenario: However often the clock is checked, a review opens once
    When 1d passes
    And 1s passes
    And attention turns to the review
    Then the view has 1 at data.left
    And the outbox has:
      """
      [{"channel": "telegram", "intent": "send", "heading": "Alpha"}]
      """
    When the learner says "alpha"
    Then there are 1 schedule records

  Scenario: A review asks recall questions: one for each concept that is due, the hardest first
    When abandon happens
    And it is opened with:
      """
      {"topic": "Letters", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Delta>", "label": "Delta"}
      {"edit": "node_create", "node_id": "<Epsilon>", "label": "Epsilon"}
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens with each of:
      """
      {"node_id": "<Epsilon>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Delta>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      """
    And 1d passes
    And attention turns to the review
    Then the view has 3 at data.left
    And the outbox has:
      """
      ["…", {"channel": "telegram", "intent": "send", "to": "42", "heading": "Delta", "text": "…Delta…"}]
      """
    When no one waits for an answer
    And the learner says "4 it is a letter"
    Then the outbox has:
      """
      ["…", {"channel": "telegram", "intent": "send", "to": "42", "heading": "Epsilon", "text": "…Epsilon…"}]
      """
    When the learner says "4 it is another"
    Then the outbox has:
      """
      ["…", {"channel": "telegram", "intent": "send", "to": "42", "heading": "Functions", "text": "…Functions…"}]
      """
    And the view has 1 at data.left
    # The first question comes with the review; the others are posed in turn.
    And pose_recall was performed 2 times
    When the learner says "5 they take and give"
    Then the session has ended with done

  Scenario: A batch review when more than twenty are due: one sitting, the hardest first, one schedule for the rest
    When abandon happens
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Concept>01", "label": "Concept 01"}
      {"edit": "node_create", "node_id": "<Concept>02", "label": "Concept 02"}
      {"edit": "node_create", "node_id": "<Concept>03", "label": "Concept 03"}
      {"edit": "node_create", "node_id": "<Concept>04", "label": "Concept 04"}
      {"edit": "node_create", "node_id": "<Concept>05", "label": "Concept 05"}
      {"edit": "node_create", "node_id": "<Concept>06", "label": "Concept 06"}
      {"edit": "node_create", "node_id": "<Concept>07", "label": "Concept 07"}
      {"edit": "node_create", "node_id": "<Concept>08", "label": "Concept 08"}
      {"edit": "node_create", "node_id": "<Concept>09", "label": "Concept 09"}
      {"edit": "node_create", "node_id": "<Concept>10", "label": "Concept 10"}
      {"edit": "node_create", "node_id": "<Concept>11", "label": "Concept 11"}
      {"edit": "node_create", "node_id": "<Concept>12", "label": "Concept 12"}
      {"edit": "node_create", "node_id": "<Concept>13", "label": "Concept 13"}
      {"edit": "node_create", "node_id": "<Concept>14", "label": "Concept 14"}
      {"edit": "node_create", "node_id": "<Concept>15", "label": "Concept 15"}
      {"edit": "node_create", "node_id": "<Concept>16", "label": "Concept 16"}
      {"edit": "node_create", "node_id": "<Concept>17", "label": "Concept 17"}
      {"edit": "node_create", "node_id": "<Concept>18", "label": "Concept 18"}
      {"edit": "node_create", "node_id": "<Concept>19", "label": "Concept 19"}
      {"edit": "node_create", "node_id": "<Concept>20", "label": "Concept 20"}
      {"edit": "node_create", "node_id": "<Concept>21", "label": "Concept 21"}
      {"edit": "node_create", "node_id": "<Concept>22", "label": "Concept 22"}
      {"edit": "node_create", "node_id": "<Concept>23", "label": "Concept 23"}
      {"edit": "node_create", "node_id": "<Concept>24", "label": "Concept 24"}
      {"edit": "node_create", "node_id": "<Concept>25", "label": "Concept 25"}
      """
    And recorded happens with each of:
      """
      {"node_id": "<Concept>01", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>02", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>03", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>04", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>05", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>06", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>07", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>08", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>09", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>10", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>11", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>12", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>13", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>14", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>15", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>16", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>17", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>18", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>19", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>20", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>21", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>22", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>23", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "<Concept>24", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Concept>25", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      """
    Then there are 25 schedule records
    When 1d passes
    And attention turns to the review
    Then the view has 20 at data.left
    # Those that were hard to recall have the lowest ease.
    And the view has "<Concept>01" at data.question.node_id
    And the entry has:
      """
      {"due": ["<Concept>01", "<Concept>03", "<Concept>05", "…", "<Concept>25", "<Concept>02", "…"]}
      """
    And there are 0 schedule records
    When leave happens
    Then there are 1 schedule records
    And a schedule record has:
      """
      {"name": "review-batch-<Other course>", "node_id": null, "dispatch_mode": "prompt"}
      """

  Scenario: The SM-2 parameters are updated after a recall, and the next review is scheduled
    When 1d passes
    And attention turns to the review
    And the learner says "alpha"
    Then the mind_map_node record "<Alpha>" has:
      """
      {"repetitions": 2, "interval_days": 6.0, "ease_factor": 2.7, "next_review_at_us": 1767862800000000}
      """
    And there are 1 schedule records
    And a schedule record has:
      """
      {"name": "review-<Alpha>-rep2", "run_at": "2026-01-08T09:00:00Z", "until_at": "2026-01-09T09:00:00Z"}
      """

  Scenario: The SM-2 parameters are updated after a recall worth 4 that another tutor has asked for
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "teach"}`
    And advance happens
    And 23h passes
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}`
    Then the mind_map_node record "<Functions>" has:
      """
      {"repetitions": 2, "interval_days": 6.0, "ease_factor": 2.6, "next_review_at_us": 1767859200000000}
      """
    And a schedule record has:
      """
      {"name": "review-<Functions>-rep2", "run_at": "2026-01-08T08:00:00Z", "dispatch_mode": "prompt"}
      """

  Scenario: A failed recall resets SM-2 and schedules a short interval; the concept stays in review
    When 1d passes
    And attention turns to the review
    And the learner says "omega"
    Then the mind_map_node record "<Alpha>" has:
      """
      {"repetitions": 0, "interval_days": 1.0, "mastery_status": "reviewing"}
      """
    And there are 0 mind_map_node records at learning
    And a schedule record has:
      """
      {"name": "review-<Alpha>-rep0", "run_at": "2026-01-03T09:00:00Z"}
      """
    When 1d passes
    And attention turns to the review
    Then the state is recalling

  Scenario: A review response is recorded as one, and counts for retention
    When 1d passes
    And attention turns to the review
    And the learner says "alpha"
    Then a quiz_response record has:
      """
      {
        "response_type": "review", "node_id": "<Alpha>", "user_answer": "alpha", "quality": 5,
        "responded_at": "2026-01-02T09:00:00Z"
      }
      """
    # The three failed probes do not count.
    When learning_analytics is called with `{"mind_map_id": "<Course>"}`
    Then the answer has 1.0 at retention_7d

  Scenario: Only recalls count for retention, not probes, lessons or quizzes
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}`
    And learning_analytics is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has 1.0 at retention_7d
    When recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "teach"}`
    And learning_analytics is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has 1.0 at retention_7d
    When recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "review"}`
    And learning_analytics is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has 0.5 at retention_7d

  Scenario: A review advances the course to teaching when the frontier remains: three good recalls open the next concept
    When a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And 1s passes
    And attention turns to the teach
    And a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And 1s passes
    And attention turns to the teach
    Then the entry has reviewing at status
    When a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And attention turns to the teach
    Then there are 1 mind_map_node records at mastered
    And the entry has:
      """
      {"status": "teaching", "current_node_id": "<Beta>", "current_phase": "questioning"}
      """
    And the coach says "Beta is the name of a letter"

  Scenario: A review advances the course to completed when all concepts are mastered
    When edited happens with each of:
      """
      {"edit": "node_remove", "node_id": "<Gamma>"}
      {"edit": "node_remove", "node_id": "<Beta>"}
      """
    And a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And 1s passes
    And attention turns to the teach
    And a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And 1s passes
    And attention turns to the teach
    Then the entry has reviewing at status
    When a review begins beside it with `{"ahead": true}`
    And the learner says "alpha"
    And attention turns to the teach
    Then the entry has completed at status
    And the session has ended with done
    And there are 1 mind_map records at completed

  Scenario: A review beside teaching does not push the course
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Delta>", "label": "Delta"}
      """
    And advance happens
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Delta>", "current_phase": "questioning"}
      """
    When 1d passes
    And attention turns to the review
    And the learner says "alpha"
    Then the session has ended with done
    When attention turns to the teach
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Delta>", "current_phase": "questioning", "session_count": 6}
      """

  Scenario Outline: A failed recall takes nothing out of teaching that was not understood: <status>
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Other course>"
    And edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And edited happens with `{"edit": "node_update", "node_id": "<Functions>", "mastery_status": "<status>"}`
    And recorded happens with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "review"}`
    Then the mind_map_node record "<Functions>" has:
      """
      {"mastery_status": "<status>", "next_review_at_us": null}
      """
    And there are 1 schedule records
    When mind_map_frontier is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has:
      """
      {"result": [{"label": "Functions"}]}
      """

    Examples:
      | status    |
      | unseen    |
      | diagnosed |
      | learning  |

  Scenario: An ignored sitting lapses, and what is due comes back together
    When 1d passes
    And attention turns to the review
    And 25h passes
    Then the session has ended with timeout
    And there are 1 schedule records
    And a schedule record has "review-batch-<Course>" at name

  Scenario: A mastered concept that is forgotten goes back to review
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens with each of:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      """
    Then there are 0 mind_map_node records at mastered
    When recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      """
    Then there are 1 mind_map_node records at mastered
    When recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "review"}
      """
    Then there are 0 mind_map_node records at mastered
    And the mind_map_node record "<Functions>" has reviewing at mastery_status

  Scenario: The classic intervals to the letter, for learners who want them
    When it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens
    Then the mind_map_node record "<Functions>" has:
      """
      {"interval_days": 1.0, "repetitions": 1, "ease_factor": 2.5}
      """
    When 1d passes
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      """
    Then the mind_map_node record "<Functions>" has:
      """
      {"interval_days": 6.0, "repetitions": 2, "ease_factor": 2.5}
      """
    And a schedule record has "review-<Functions>-rep2" at name
    When 6d passes
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      """
    Then the mind_map_node record "<Functions>" has:
      """
      {"interval_days": 15.0, "repetitions": 3, "ease_factor": 2.5}
      """
    When 15d passes
    And recorded happens with:
      """
      {"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 2, "response_type": "review"}
      """
    Then the mind_map_node record "<Functions>" has:
      """
      {"interval_days": 1.0, "repetitions": 0, "ease_factor": 2.18, "mastery_status": "reviewing"}
      """
