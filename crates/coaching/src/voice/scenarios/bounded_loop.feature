Feature: A bounded loop of independent turns

  Background:
    Given the flow voice
    And it is opened with:
      """
      {"language": "en"}
      """
    And a new session

  Scenario: Three turns, then the end
    When the learner says "hello there"
    Then the coach says "Hello! How can I help you today?"
    And the state is LISTEN
    When the learner says "hello again"
    And the learner says "hello once more"
    Then the session has ended with cap
    And the counter interactions is 3
    And the view has "voice-reason-cap" at data.reason.key

  Scenario: A stop word ends it early
    When the learner says "hello there"
    And the learner says "goodbye"
    Then the session has ended with user
    And the counter interactions is 2
    And the coach says "Goodbye! See you soon."
    And the view has "goodbye" at data.stop_word
    And the view has "voice-reason-stop-word" at data.reason.key

  Scenario: A stop word inside another word does not count
    When the learner says "tell me about nonstop flights"
    Then the session is still open

  Scenario: Silence is a turn and no error
    When the learner says "..."
    Then the coach says "I didn’t hear anything."
    And the counter interactions is 1
    And the state is LISTEN

  Scenario: The cap is a number of the law
    Given max_interactions is set to 1
    And a new session
    When the learner says "hello"
    Then the session has ended with cap

  Scenario: The wake word never comes
    When 1d passes
    Then the session has ended with timeout
    And the view has "voice-reason-no-wake" at data.reason.key

  Scenario: A surface with sound reports each step
    Given it is opened with:
      """
      {"language": "en", "voice": true}
      """
    And a new session
    When wake happens
    And recorded happens with:
      """
      {"samples": 48000}
      """
    And transcribed happens with:
      """
      {"text": "hello there"}
      """
    Then the state is SPEAK
    And the view has "greeting" at data.intent.kind
    And the view has 0.95 at data.intent.confidence
    When spoken happens
    Then the state is LISTEN
    And the view has "" at data.heard

  Scenario: A recording that never ends is bounded
    When wake happens
    And 60s passes
    Then the session has ended with timeout
    And the view has "voice-reason-timeout" at data.reason.key

  Scenario: An error is said once and ends the run
    When wake happens
    And failed happens with:
      """
      {"reason": "the microphone is gone"}
      """
    Then the session has ended with error
    And the coach says "Sorry, something went wrong. I have to end here."
    And the view has "voice-reason-error" at data.reason.key

  Scenario: A crash in the middle of a turn loses nothing
    When wake happens
    And the process crashes and starts again
    Then the state is RECORD
    When recorded happens with:
      """
      {"samples": 16000}
      """
    And transcribed happens with:
      """
      {"text": "what is due"}
      """
    Then the coach says "You haven’t started anything yet. Say “start a drill”."
    And a replay of the log gives the same state

  Scenario: An answer from outside with a stop word ends it
    Given it is opened with:
      """
      {"answers_outside": true}
      """
    And a new session
    When the learner says "hello"
    And answered happens with:
      """
      {"text": "Thanks for chatting! Goodbye!"}
      """
    Then the session has ended with model
    And the view has "goodbye" at data.stop_word

  Scenario: What a coach can answer
    When the learner says "what does Danke mean?"
    Then the coach says "“Danke” means"
    When the learner says "how far am I"
    Then the coach says "You haven’t started anything yet"
    When the learner says "start the German drill"
    Then the coach says "Let’s practise German: first words."
    And the session has ended with done
    And the view has "drill" at data.next.flow
    And the view has "voice-reason-done" at data.reason.key

  Scenario: In German
    Given it is opened with:
      """
      {"language": "de"}
      """
    And a new session
    When the learner says "Guten Morgen"
    Then the session is still open
    When the learner says "Tschüss"
    Then the session has ended with user
    And the view has "tschüss" at data.stop_word
