Feature: An agent that stops is told to go on, or the human is asked

  Background:
    Given the flow agent
    And a new session

  Scenario: Three times it goes on, the fourth time the human is asked
    When the learner says "Let me run the tests next."
    Then the coach says "Nothing followed"
    And the state is WATCHING
    When the learner says "I have not finished yet: the parser is still open."
    And the learner says "The importer is 40% complete, its error handling is still missing."
    Then the counter continues is 3
    And the view has continue at data.last.decision
    When the learner says "Next I will write the importer."
    Then the state is WAITING_HUMAN
    And the coach says "told to go on 3 times"
    And the coach does not say "Nothing followed"
    And the view has 3 at data.counts.continues
    And a replay of the log gives the same state

  Scenario: A declared task of many stages may go on more often
    Given max_continues is set to 10
    And a new session
    When the learner says "Let me run the tests next."
    And the learner says "I have not finished yet: the parser is still open."
    And the learner says "The importer is 40% complete, its error handling is still missing."
    And the learner says "Next I will write the importer."
    Then the state is WATCHING
    And the counter continues is 4

  Scenario Outline: <class> is for the human
    When the learner says "<message>"
    Then the view has <class> at data.last.output_type
    And the view has deliver at data.last.decision
    And the state is <state>
    And send_coaching was not performed

    Examples:
      | class      | state         | message                                                            |
      | question   | WAITING_HUMAN | Should I proceed with the refactor?                                |
      | question   | WAITING_HUMAN | Ready to build when approved.                                      |
      | blocker    | WAITING_HUMAN | Blocked: I have no access to the deployment config                 |
      | completion | COMPLETED     | All 42 tests passed, committed abc1234                             |
      | completion | COMPLETED     | Fixed the crash in the parser; 12 passed, 0 failed, commit 3f2a1bc |
      | error      | WAITING_HUMAN | Build failed with exit code 1                                      |

  Scenario: A message without a word leaves it to the human
    When the learner says ""
    Then the view has question at data.last.output_type
    And the state is WAITING_HUMAN

  Scenario: A claim without evidence is sent back twice, then the human hears of it
    When the learner says "Done."
    Then the coach says "[System Coach]"
    And the view has "1b" at data.last.tier
    When the learner says "I think the bug is fixed now. Should work."
    Then the counter rejections is 2
    When the learner says "Everything is implemented, finished."
    Then the state is WAITING_HUMAN
    And the coach says "showed no evidence"
    And the view has 2 at data.counts.rejections

  Scenario: The work under way says what evidence is needed
    When stopped happens with `{"text": "Let me run the tests next.", "signals": {"phase": "test"}}`
    Then the view has `"2"` at data.last.tier
    And the coach says "pass and fail counts"

  Scenario: Skills of the user's own are known as well
    When the learner says "Let me go on with /do-release next."
    Then the coach says "the version that was published"

  Scenario: Criteria of the plan are quoted
    When stopped happens with `{"text": "Let me go on with /do-build next.", "plan": {"path": "plan.md", "text": "# P\n## Success Criteria\n- imports 3 files\n"}}`
    Then the coach says "imports 3 files"

  Scenario: Without anything to name the agent may stop
    When the learner says "Working on it, 40% complete"
    Then the state is WAITING_HUMAN
    And the coach says "cannot name anything open"
    And send_coaching was not performed

  Scenario: A plain continue may do if no human is beside the agent
    When stopped happens with `{"text": "Working on it, 40% complete", "plain_continue": true}`
    Then the view has `"3"` at data.last.tier
    And the coach says "continue"

  Scenario: The human's limit is a law
    When prompted happens with `{"text": "Do only step 1, then stop."}`
    And the learner says "Step 1 is done. Next I will write the importer."
    Then the state is WAITING_HUMAN
    And the coach says "you set a limit"

  Scenario: What only a human decides is not encouraged
    When the learner says "Next I will force-push the branch."
    Then the state is WAITING_HUMAN
    And the coach says "only you should decide"

  Scenario: After a longer prompt the agent's word alone is a doubt, which the human settles
    When prompted happens with `{"text": "Refactor the enemy AI. Boss code belongs to Marek, he's halfway through a rewrite."}`
    And the learner says "The enemies use the table now. Next I will bring BossController.cs onto the same table."
    Then the state is WAITING_HUMAN
    And the coach says "I can't tell whether you want that"
    When prompted happens with `{"text": "Yes, do it."}`
    And the learner says "Next I will bring BossController.cs onto the same table."
    Then the view has continue at data.last.decision

  Scenario: A step that the human ordered is no doubt, however long the prompt is
    When prompted happens with `{"text": "The import is slow, users complain. Write a cache for the parser results. Then write the invalidation tests."}`
    And the learner says "The cache works. Next I will write the invalidation tests."
    Then the view has continue at data.last.decision

  Scenario: The user's own check decides
    When stopped happens with `{"text": "All 42 tests passed, committed abc1234", "check": {"command": "make check", "passed": false, "lines": "lint: 3 errors"}}`
    Then the coach says "lint: 3 errors"
    And the view has "1b" at data.last.tier
    When stopped happens with `{"text": "Done.", "check": {"command": "make check", "passed": true}}`
    Then the state is COMPLETED
    And the coach says "the check passed: make check"

  Scenario: A stop without a text is not taken
    Then stopped is refused
