Feature: A plan is a map of concepts without cycles, in an order that can be learned

  # Another tutor leads these courses, such as an assistant through tools: nothing happens by itself.
  Background:
    Given these names stand for:
      | Course          | c0000000-0000-4000-8000-000000000001 |
      | Other course    | c0000000-0000-4000-8000-000000000002 |
      | Values          | 00000000-0000-4000-8000-000000000001 |
      | Names           | 00000000-0000-4000-8000-000000000002 |
      | Functions       | 00000000-0000-4000-8000-000000000003 |
      | Closures        | 00000000-0000-4000-8000-000000000004 |
      | Decorators      | 00000000-0000-4000-8000-000000000005 |
      | Generators      | 00000000-0000-4000-8000-000000000006 |
      | Deep            | 00000000-0000-4000-8000-000000000007 |
      | No effort known | 00000000-0000-4000-8000-000000000008 |
      | Long            | 00000000-0000-4000-8000-000000000009 |
      | Unknown         | 00000000-0000-4000-8000-000000000010 |
      | Known a little  | 00000000-0000-4000-8000-000000000011 |
      | Known well      | 00000000-0000-4000-8000-000000000012 |
      | Loops           | 00000000-0000-4000-8000-000000000013 |
      | A little        | 00000000-0000-4000-8000-000000000014 |
      | Well            | 00000000-0000-4000-8000-000000000015 |
      | Concept         | 00000000-0000-4000-8000-0000000001   |
    And the flow teach
    And it is opened with:
      """
      {"topic": "Python", "tutor": "outside"}
      """
    And a new session with the id "<Course>"

  Scenario: A map is created with concepts and prerequisite edges
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Values>", "label": "Values"}
      {"edit": "node_create", "node_id": "<Names>", "label": "Names"}
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Closures>", "label": "Closures"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "edge_create", "parent_node_id": "<Values>", "child_node_id": "<Names>"}
      {"edit": "edge_create", "parent_node_id": "<Names>", "child_node_id": "<Functions>"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Closures>"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      {"edit": "edge_create", "parent_node_id": "<Closures>", "child_node_id": "<Decorators>"}
      """
    And mind_map_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "map": {"title": "Python", "node_count": 5},
        "nodes": [
          {"label": "Values", "depth": 0}, {"label": "Names", "depth": 1}, {"label": "Functions", "depth": 2},
          {"label": "Closures", "depth": 3}, {"label": "Decorators", "depth": 4}
        ],
        "edges": [
          "…",
          {"parent_node_id": "<Functions>", "child_node_id": "<Decorators>", "edge_type": "prerequisite"},
          "…"
        ]
      }
      """

  Scenario: Etude's own plan for Python goes from the foundations to decorators
    When it is opened with:
      """
      {"topic": "Python"}
      """
    And a new session with the id "<Other course>"
    And the learner says "I don't know" 5 times
    Then the session went through: diagnosing, planning, explaining
    When mind_map_get is called with `{"mind_map_id": "<Other course>"}`
    Then the answer has:
      """
      {
        "nodes": [
          {"label": "Values and types", "sequence": 1, "depth": 0}, {}, {}, {}, {}, "…",
          {"label": "Functions"}, "…", {"label": "Scope"}, "…", {"label": "Decorators"}, "…"
        ]
      }
      """

  Scenario: A cycle is refused when its last edge is created, and the plan can be corrected
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators"}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      """
    Then edited is refused with:
      """
      {"edit": "edge_create", "parent_node_id": "<Decorators>", "child_node_id": "<Functions>"}
      """
    And the answer has:
      """
      {"code": "cycle", "message": "…Functions…Decorators…"}
      """
    When mind_map_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {"nodes": [{}, {}], "edges": [{"parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}]}
      """
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Generators>", "label": "Generators"}
      {"edit": "edge_create", "parent_node_id": "<Decorators>", "child_node_id": "<Generators>"}
      """
    And mind_map_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {"edges": [{}, {"parent_node_id": "<Decorators>", "child_node_id": "<Generators>"}]}
      """

  Scenario: An edge to a concept that is not there is refused
    When edited happens with:
      """
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}
      """
    Then edited is refused with:
      """
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "00000000-0000-4000-8000-000000000009"}
      """
    And the answer has unknown_node at code

  Scenario: The learning order is a topological sort: depth, then effort, then what is known best
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Deep>", "label": "Deep", "effort_minutes": 1}
      {"edit": "node_create", "node_id": "<No effort known>", "label": "No effort known"}
      {"edit": "node_create", "node_id": "<Long>", "label": "Long", "effort_minutes": 30}
      {"edit": "node_create", "node_id": "<Unknown>", "label": "Unknown", "effort_minutes": 10}
      {"edit": "node_create", "node_id": "<Known a little>", "label": "Known a little", "effort_minutes": 10}
      {"edit": "node_create", "node_id": "<Known well>", "label": "Known well", "effort_minutes": 10}
      {"edit": "edge_create", "parent_node_id": "<Known well>", "child_node_id": "<Deep>"}
      """
    And recorded happens with each of:
      """
      {"node_id": "<Known a little>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "diagnostic"}
      {"node_id": "<Known well>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}
      {"node_id": "<Unknown>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}
      """
    And advance happens 2 times
    And mind_map_get is called with `{"mind_map_id": "<Course>"}`
    Then the answer has:
      """
      {
        "nodes": [
          {"label": "Known well", "sequence": 1}, {"label": "Known a little", "sequence": 2},
          {"label": "Unknown", "sequence": 3}, {"label": "Long", "sequence": 4},
          {"label": "No effort known", "sequence": 5}, {"label": "Deep", "sequence": 6}
        ]
      }
      """

  Scenario: The course advances to teaching after planning, with the first concept of the frontier
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<Decorators>", "label": "Decorators", "effort_minutes": 1}
      {"edit": "node_create", "node_id": "<Functions>", "label": "Functions", "effort_minutes": 20}
      {"edit": "node_create", "node_id": "<Loops>", "label": "Loops", "effort_minutes": 10}
      {"edit": "edge_create", "parent_node_id": "<Functions>", "child_node_id": "<Decorators>"}
      """
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    Then the entry has:
      """
      {"status": "teaching", "current_node_id": "<Loops>", "current_phase": "explaining"}
      """

  Scenario: Among equally near concepts, the best known comes first
    When edited happens with each of:
      """
      {"edit": "node_create", "node_id": "<A little>", "label": "A little"}
      {"edit": "node_create", "node_id": "<Well>", "label": "Well"}
      """
    And recorded happens with each of:
      """
      {"node_id": "<A little>", "question_text": "q", "user_answer": "a", "quality": 3, "response_type": "diagnostic"}
      {"node_id": "<Well>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}
      {"node_id": "<Well>", "question_text": "q", "user_answer": "a", "quality": 5, "response_type": "diagnostic"}
      """
    And advance happens 2 times
    Then the entry has "<Well>" at current_node_id

  Scenario: A plan without concepts is not taught
    When edited happens with `{"edit": "node_create", "node_id": "<Functions>", "label": "Functions"}`
    And recorded happens 3 times with `{"node_id": "<Functions>", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And edited happens with `{"edit": "node_remove", "node_id": "<Functions>"}`
    And advance happens
    Then the entry has planning at status
    And advance is refused
    And the entry has 2 at session_count

  Scenario: A plan stays small enough to be taken in, also when something is added later
    When edited happens with each of:
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
      {"edit": "node_create", "node_id": "<Concept>26", "label": "Concept 26"}
      {"edit": "node_create", "node_id": "<Concept>27", "label": "Concept 27"}
      {"edit": "node_create", "node_id": "<Concept>28", "label": "Concept 28"}
      {"edit": "node_create", "node_id": "<Concept>29", "label": "Concept 29"}
      {"edit": "node_create", "node_id": "<Concept>30", "label": "Concept 30"}
      """
    And edited happens with each of:
      """
      {"edit": "edge_create", "parent_node_id": "<Concept>01", "child_node_id": "<Concept>02"}
      {"edit": "edge_create", "parent_node_id": "<Concept>02", "child_node_id": "<Concept>03"}
      {"edit": "edge_create", "parent_node_id": "<Concept>03", "child_node_id": "<Concept>04"}
      {"edit": "edge_create", "parent_node_id": "<Concept>04", "child_node_id": "<Concept>05"}
      {"edit": "edge_create", "parent_node_id": "<Concept>05", "child_node_id": "<Concept>06"}
      """
    And recorded happens 3 times with `{"node_id": "<Concept>01", "question_text": "q", "user_answer": "a", "quality": 0, "response_type": "diagnostic"}`
    And advance happens 2 times
    Then the entry has teaching at status
    And edited is refused with `{"edit": "node_create", "node_id": "<Values>", "label": "Values"}`
    And the answer has "the map has 31 nodes and may have 30" at message
    And edited is refused with:
      """
      {"edit": "edge_create", "parent_node_id": "<Concept>06", "child_node_id": "<Concept>07"}
      """
    And the answer has map_refused at code
    And the mind_map record "<Course>" has 30 at node_count
