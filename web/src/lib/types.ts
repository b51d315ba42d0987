/** The types of the server's answers, as /openapi.json describes them. */
export type Piece = { is: 'same'; text: string } | { is: 'missing'; text: string } | { is: 'extra'; text: string } | { is: 'changed'; expected: string; heard: string };
export type Line = { say: string; means?: string; role: string };
export type Found = { idea: string; words: string };
export type TestRow = { index: number; verdict: string; hidden?: boolean; time_ms: number; memory_kb: number; difference?: { input: string; expected: string; actual: string; place?: string } };
/** One step of a traced call: the moment before its line runs, or the end of the function. */
export type Step = { line: number; function: string; variables: Record<string, string>; changed: string[]; returned?: string; stack: { function: string; line: number }[] };
export type Trace = { steps: Step[]; result?: string; error?: string; cut?: boolean };
export type Field = { name: string; label: string; kind: 'text' | 'number' | 'texts'; optional?: boolean; options?: Choice[]; value?: string };
export type Block =
  | ({ kind: 'line' } & Line)
  | { kind: 'text'; text: string }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'difference'; pieces: Piece[] }
  | { kind: 'tests'; tests: TestRow[] }
  | { kind: 'steps'; language: string; code: string; call: string; expected: string; trace: Trace }
  | { kind: 'marks'; quality: number; found: Found[]; missing: string[] };
export type Choice = { label: string; text: string };
export type Ask = { verb: string; question?: string; form: string; options?: Choice[]; gaps?: number; until?: string; fields?: Field[]; language?: string; languages?: string[]; code?: string };
export type Progress = { name: string; label: string; done: number; of?: number };
export type Offer = { name: string; title: string; help: string };
export type Desk = { title: string; blocks: Block[]; ask?: Ask; progress?: Progress[]; verbs?: Offer[]; language?: string };
export type View = {
  id: string; flow: string; law_version: string; learner: string; state: string; version: number;
  counters: Record<string, number>; allowed: string[]; refused?: string; outcome?: string; desk?: Desk;
  data: any; created_at: string; updated_at: string;
};
export type Answer = View & { said?: Line[]; actions?: string[]; repeated?: boolean };
export type Schema = { type?: string | string[]; properties?: Record<string, Schema>; required?: string[]; enum?: unknown[]; description?: string; default?: unknown; anyOf?: Schema[]; minimum?: number; maximum?: number; items?: Schema; [key: string]: unknown };
export type VerbRow = { name: string; title: string; help: string; opens: boolean; for_learner: boolean; takes: Schema | null };
export type FlowRow = { name: string; version: string; about: string; states: string[]; events: string[]; verbs: VerbRow[]; sent?: boolean };
export type Begin = { flow: string; beside?: string; given: Record<string, unknown> };
export type Subject = { flow: string; id: string; title: string; about: string; begin: Begin; known: number; of: number; due: number; next_due_at?: string };
export type OpenRow = { id: string; flow: string; title: string; progress: Progress[]; question: string; updated_at: string };
export type Day = { day: string; count: number };
export type Session = { id: string; agent: string; session: string; state: string; stands: 'working' | 'silent' | 'waiting' | 'finished'; outcome?: string; continues?: Progress; counts: any; last: any; alarms: any; updated_at: string };
export type Home = {
  learner: string; name?: string; language: string; version: string; is_owner: boolean; is_new: boolean; today: string;
  subjects: Subject[]; open: OpenRow[]; waiting: Session[]; forecast: Day[]; practised: Day[];
};
export type NodeView = { node_id: string; label: string; description?: string; depth: number; sequence: number; effort_minutes?: number; mastery_status: Mastery; mastery_score: number; next_review_at?: string; repetitions: number };
export type Mastery = 'unseen' | 'diagnosed' | 'learning' | 'reviewing' | 'mastered';
export type Edge = { parent_node_id: string; child_node_id: string; edge_type: string };
export type MapView = { map: { title: string; status: string }; nodes: NodeView[]; edges: Edge[] };
export type Entry = { version: number; at: string; event: string; source: string; from: string; to: string; changes: any; facts: any; payload: any; outcome?: string };
export type Problem = { code: string; severity: string; state?: string; event?: string; line: number; column: number; message: string; path: string[]; cure: string };
export type LawView = { source: string; machine: any | null; report: { law: string; version: string; configurations: number; complete: boolean; problems: Problem[] }; may_run: boolean };
