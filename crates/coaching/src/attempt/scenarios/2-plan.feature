Feature: A pattern is chosen, and nothing betrays the right one

  Background:
    Given the flow attempt
    And it is opened with:
      """
      {"problemId": "market-pair"}
      """
    And a new session
    And explain happens with:
      """
      {"explanation": "We look for two different crates whose prices together make exactly the voucher, and the answer is their positions.",
       "inputOutputDescription": "In: prices and the voucher. Out: two positions, the smaller one first.",
       "constraintsDescription": "At most ten thousand prices, some negative.",
       "exampleWalkthrough": "Prices 3, 2, 4 and voucher 6: 2 and 4 add up, so the result is [1, 2].",
       "wrongApproach": "Trying every pair with two loops is far too slow for 10,000 prices."}
      """

  Scenario: Suggestions stand in the order of their names, each as likely as the others
    When suggest happens with `{"explanation": "two prices"}`
    Then the state is PLAN
    And the view has hash-map at data.reply.candidates.0.patternId
    And the view has sorting at data.reply.candidates.1.patternId
    And the view has two-pointers at data.reply.candidates.2.patternId
    And the view has 0.33 at data.reply.candidates.0.confidence
    And the view has 0.33 at data.reply.candidates.2.confidence

  Scenario Outline: What a beginner's choice comes to
    When choose happens with `{"patternId": "<pattern>", "confidence": <confidence>}`
    Then the state is <state>
    And the view has <match> at data.reply.match
    And the view has <accepted> at data.reply.accepted
    And the view has <discovery> at data.reply.discoveryRecommended

    Examples:
      | pattern      | confidence | state           | match    | accepted | discovery |
      | HASH_MAP     | 1          | BUILD_INVARIANT | GOOD     | true     | false     |
      | two-pointers | 2          | DISCOVER        | MAYBE    | false    | true      |
      | two-pointers | 3          | BUILD_INVARIANT | MAYBE    | true     | false     |
      | dfs          | 5          | DISCOVER        | MISMATCH | false    | true      |

  Scenario: A wrong choice is answered with a question, not with the right pattern
    When choose happens with `{"patternId": "dfs", "confidence": 5}`
    Then the coach says "Where does it get stuck?"
    And the coach does not say "Hash map"
    And the view has true at data.planPayload.discoveryTriggered

  Scenario: Questions narrow the patterns down
    When discover happens
    Then the state is DISCOVER
    And discover is refused with `{"answer": "z"}`
    When discover happens with `{"answer": "a"}`
    Then the state is DISCOVER
    When discover happens with `{"answer": "d"}`
    Then the state is PLAN
    And the view has two-pointers at data.reply.discovery.candidates.0
    And the coach says "What is left: Two pointers"

  Scenario Outline: What cannot be chosen is refused
    Then choose is refused with `<choice>`
    And the state is PLAN

    Examples:
      | choice                                                                                                                |
      | {"patternId": "magic", "confidence": 3}                                                                               |
      | {"patternId": "hash-map", "confidence": 0}                                                                            |
      | {"patternId": "hash-map", "confidence": 6}                                                                            |
      | {"patternId": "hash-map"}                                                                                             |
      | {"patternId": "hash-map", "confidence": 3, "invariantBuilder": {"templateId": "x", "choices": {}}}                    |
      | {"patternId": "hash-map", "confidence": 3, "invariantBuilder": {"templateId": "seen-before", "choices": {"where": 9}}} |

  Scenario: The parts of an invariant come when the pattern is accepted, and not before
    Then the view has [] at data.invariantTemplates
    When choose happens with `{"patternId": "dfs", "confidence": 5, "invariantText": "the map holds every earlier price with its position", "complexity": "O(n)"}`
    Then the view has [] at data.invariantTemplates
    And the coach does not say "Your invariant holds"
    And the coach does not say "The complexity fits"
    When choose happens with `{"patternId": "hash-map", "confidence": 4, "complexity": "O(n)"}`
    Then the state is BUILD_INVARIANT
    And the view has IMPLEMENT at data.v2Step
    And the view has seen-before at data.invariantTemplates.0.templateId
    And choose is refused with `{"patternId": "dfs", "confidence": 4}`
    When choose happens with `{"patternId": "hash-map", "confidence": 4, "invariantBuilder": {"templateId": "seen-before", "choices": {"where": 0, "what": 1}}}`
    Then the state is IMPLEMENT
    And the coach says "Your invariant holds"
    And the view has "O(n)" at data.planPayload.complexity

  Scenario: A close pattern has its own sentence, with gaps that the learner fills
    When choose happens with `{"patternId": "two-pointers", "confidence": 4}`
    Then the state is BUILD_INVARIANT
    And the view has two-pointers at data.invariantTemplates.0.templateId
    And choose is refused with `{"patternId": "two-pointers", "confidence": 4, "invariantBuilder": {"templateId": "seen-before", "choices": {"where": 0, "what": 1}}}`
    When choose happens with `{"patternId": "two-pointers", "confidence": 4, "invariantText": "Nothing outside the two places can change the answer."}`
    Then the state is IMPLEMENT
    And the coach says "Does your invariant hold"
    And the coach says "Why can you give up everything outside the two places?"

  Scenario: A learner who wants to write at once can leave the parts out
    When choose happens with `{"patternId": "hash-map", "confidence": 4}`
    And submit happens with `{"code": "def market_pair(prices, voucher): return []"}`
    Then the state is VERIFY

  Scenario: An invariant is built from parts on the first rungs
    When choose happens with:
      """
      {"patternId": "hash-map", "confidence": 4, "complexity": "O(n)",
       "invariantBuilder": {"templateId": "seen-before", "choices": {"where": 0, "what": 1}}}
      """
    Then the coach says "Your invariant holds"
    And the coach says "The complexity fits"
    And the view has true at data.planPayload.invariant.builderUsed

  Scenario: A wrong part is pointed at, not corrected
    When choose happens with:
      """
      {"patternId": "hash-map", "confidence": 4, "complexity": "O(n^2)",
       "invariantBuilder": {"templateId": "seen-before", "choices": {"where": 0, "what": 0}}}
      """
    Then the state is IMPLEMENT
    And the coach says "above all: “"
    And the coach does not say "every earlier price"
    And the coach says "Count again"

  Scenario: An expert's choice stands, with a warning
    When a new session
    And set_mode happens with `{"mode": "EXPERT"}`
    And skip happens
    And choose happens with `{"patternId": "dfs", "confidence": 5}`
    Then the state is IMPLEMENT
    And the view has MISMATCH at data.reply.match
    And the view has true at data.reply.accepted
    And the coach says "hardly fits"

  Scenario: A beginner does not skip the plan
    Then skip is refused
    And the state is PLAN
