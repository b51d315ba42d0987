Feature: In doubt the coach says so

  Background:
    Given the flow teach
    And it is opened with:
      """
      {"topic": "bread", "curriculum": "bread"}
      """
    And a new session with the id c0000000-0000-4000-8000-000000000001
    And the learner says "I don't know"
    And go_on happens

  Scenario: A doubtful answer is compared, and counts 3 at most
    When the learner says "There is gas in it from the yeast"
    Then the state is evaluating
    And the coach says "I am not sure about this one"
    And the coach says "Yeast makes gas, and the dough holds the gas."
    And the view has "several" at desk.ask.form
    When the learner says "all"
    Then the coach says "Then it counts as 3, on your word."
    And a quiz_response record has:
      """
      {"user_answer": "There is gas in it from the yeast", "question_text": "Why does bread rise?", "quality": 3}
      """
    And the entry has quizzing at status

  Scenario: A learner who had none of the ideas fails by their own word, not by a guess
    When the learner says "There is gas in it from the yeast"
    And the learner says "none"
    Then a quiz_response record has:
      """
      {"user_answer": "There is gas in it from the yeast", "quality": 1}
      """
    And objects is refused

  Scenario: An answer that does not fit the comparison is asked for again
    When the learner says "There is gas in it from the yeast"
    Then answered is refused with `{"text": "maybe the second"}`
    And the state is evaluating
