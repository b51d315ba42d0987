Feature: When a concept comes back

  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session

  Scenario: The classic intervals to the letter, for who wants them
    When the profile record me is:
      """
      {"memory": "sm2", "balances_load": false}
      """
    And edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And advance happens 3 times
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "teach"}
      """
    And advance happens
    Then a mind_map_node record has 1.0 at interval_days
    And a mind_map_node record has 1 at repetitions
    And a schedule record has "2026-01-02T09:00:00Z" at run_at
    And a schedule record has "2026-01-03T09:00:00Z" at until_at
    When 1d passes
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      """
    Then a mind_map_node record has 6.0 at interval_days
    And a schedule record has "review-00000000-0000-4000-8000-000000000001-rep2" at name
    When 6d passes
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      """
    Then a mind_map_node record has 15.0 at interval_days
    And a mind_map_node record has 2.5 at ease_factor
    When 15d passes
    And recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 2, "response_type": "review"}
      """
    Then a mind_map_node record has 1.0 at interval_days
    And a mind_map_node record has 0 at repetitions
    And there are 1 mind_map_node records at reviewing

  Scenario: A backlog of more than twenty is one sitting, the hardest first, and one schedule for the rest
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Concept 01"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000002", "label": "Concept 02"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000003", "label": "Concept 03"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000004", "label": "Concept 04"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000005", "label": "Concept 05"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000006", "label": "Concept 06"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000007", "label": "Concept 07"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000008", "label": "Concept 08"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000009", "label": "Concept 09"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000010", "label": "Concept 10"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000011", "label": "Concept 11"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000012", "label": "Concept 12"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000013", "label": "Concept 13"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000014", "label": "Concept 14"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000015", "label": "Concept 15"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000016", "label": "Concept 16"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000017", "label": "Concept 17"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000018", "label": "Concept 18"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000019", "label": "Concept 19"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000020", "label": "Concept 20"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000021", "label": "Concept 21"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000022", "label": "Concept 22"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000023", "label": "Concept 23"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000024", "label": "Concept 24"}
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000025", "label": "Concept 25"}
      """
    And recorded happens with each of:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000002", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000003", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000004", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000005", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000006", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000007", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000008", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000009", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000010", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000011", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000012", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000013", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000014", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000015", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000016", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000017", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000018", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000019", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000020", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000021", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000022", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000023", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000024", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000025", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "review"}
      """
    Then there are 25 schedule records
    When 400d passes
    And attention turns to the review
    Then the view has 20 at data.left
    And the view has "00000000-0000-4000-8000-000000000001" at data.question.node_id
    And there are 0 schedule records
    When leave happens
    Then there are 1 schedule records
    And a schedule record has null at node_id

  Scenario: A mastered concept that is forgotten goes back to review
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "00000000-0000-4000-8000-000000000001", "label": "Functions"}
      """
    And recorded happens with each of:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "review"}
      """
    Then there are 0 mind_map_node records at mastered
    When recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 4, "response_type": "review"}
      """
    Then there are 1 mind_map_node records at mastered
    When recorded happens with:
      """
      {"node_id": "00000000-0000-4000-8000-000000000001", "question_text": "q", "user_answer": "a", "quality": 1, "response_type": "review"}
      """
    Then there are 0 mind_map_node records at mastered
    And there are 1 mind_map_node records at reviewing
