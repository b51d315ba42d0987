/** Lays out the nodes and edges of a drawing. */
import dagre from '@dagrejs/dagre';

export type Box = { id: string; width: number; height: number };
export type Placed = Box & { x: number; y: number };
export type Link = { from: string; to: string; label?: string };
export type Drawn = Link & { path: string; x: number; y: number };
export type Drawing = { width: number; height: number; nodes: Map<string, Placed>; edges: Drawn[]; around: Placed[] };

/** Places boxes and links. `inside` maps a box or a group to the group that holds it; a group is drawn around its members. */
export function layout(boxes: Box[], links: Link[], direction: 'LR' | 'TB', gaps = { node: 26, rank: 60 }, inside: Record<string, string> = {}): Drawing {
  const graph = new dagre.graphlib.Graph({ multigraph: true, compound: true });
  // Each level of grouping adds two ranks to every step.
  const deep = Math.max(0, ...boxes.map((box) => depth(box.id, inside)));
  graph.setGraph({ rankdir: direction, nodesep: gaps.node, ranksep: deep > 0 ? gaps.rank / (2 * deep + 1) + 2 : gaps.rank, marginx: 24, marginy: 24 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const box of boxes) graph.setNode(box.id, { ...box });
  const known = new Set(boxes.map((box) => box.id));
  const groups = new Set<string>();
  for (let { id } of boxes) for (let group = inside[id]; group !== undefined && graph.parent(id) !== group; group = inside[id]) {
    groups.add(group);
    graph.setNode(group, {});
    graph.setParent(id, group);
    id = group;
  }
  const drawn = links.filter((link) => known.has(link.from) && known.has(link.to));
  drawn.forEach((link, at) => graph.setEdge(link.from, link.to, link.label ? { width: Math.min(70, link.label.length * 5), height: 10, labelpos: 'c' } : {}, String(at)));
  dagre.layout(graph);
  const edges = drawn.map((link, at) => {
    const edge = graph.edge({ v: link.from, w: link.to, name: String(at) });
    const middle = edge.points[Math.floor(edge.points.length / 2)]!;
    return { ...link, path: smooth(edge.points), x: edge.x ?? middle.x, y: edge.y ?? middle.y };
  });
  const { width = 0, height = 0 } = graph.graph();
  const around = [...groups].map((id) => ({ ...(graph.node(id) as unknown as Placed), id }));
  return { width, height, around, nodes: new Map(boxes.map((box) => [box.id, graph.node(box.id) as unknown as Placed])), edges };
}

function depth(id: string, inside: Record<string, string>): number {
  const group = inside[id];
  return group === undefined ? 0 : 1 + depth(group, inside);
}

/** Draws a smooth line along the points, as an SVG path. */
function smooth(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const curves = rest.map((point, at) => {
    const before = points[at]!;
    const [mx, my] = [(before.x + point.x) / 2, (before.y + point.y) / 2];
    return at === 0 ? `L${round(mx)} ${round(my)}` : `Q${round(before.x)} ${round(before.y)} ${round(mx)} ${round(my)}`;
  });
  const last = points.at(-1)!;
  return `M${round(first.x)} ${round(first.y)}${curves.join('')}L${round(last.x)} ${round(last.y)}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
