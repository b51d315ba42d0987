/** Where the nodes and edges of a drawing go. */
import dagre from '@dagrejs/dagre';

export type Box = { id: string; width: number; height: number };
export type Placed = Box & { x: number; y: number };
export type Link = { from: string; to: string; label?: string };
export type Drawn = Link & { path: string; x: number; y: number };
export type Drawing = { width: number; height: number; nodes: Map<string, Placed>; edges: Drawn[] };

export function layout(boxes: Box[], links: Link[], direction: 'LR' | 'TB', gaps = { node: 26, rank: 60 }): Drawing {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: gaps.node, ranksep: gaps.rank, marginx: 24, marginy: 24 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const box of boxes) graph.setNode(box.id, { ...box });
  const known = new Set(boxes.map((box) => box.id));
  const drawn = links.filter((link) => known.has(link.from) && known.has(link.to));
  drawn.forEach((link, at) => graph.setEdge(link.from, link.to, link.label ? { width: Math.min(70, link.label.length * 5), height: 10, labelpos: 'c' } : {}, String(at)));
  dagre.layout(graph);
  const edges = drawn.map((link, at) => {
    const edge = graph.edge({ v: link.from, w: link.to, name: String(at) });
    const middle = edge.points[Math.floor(edge.points.length / 2)]!;
    return { ...link, path: smooth(edge.points), x: edge.x ?? middle.x, y: edge.y ?? middle.y };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, nodes: new Map(boxes.map((box) => [box.id, graph.node(box.id) as unknown as Placed])), edges };
}

/** A soft line through the points. */
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
