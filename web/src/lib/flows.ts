import type { Progress } from './types';

/** The rooms of Etude's own flows. An icon has the name of its room, and any other flow is in the room of flows. */
const ROOMS = new Map([['drill', 'words'], ['teach', 'courses'], ['review', 'courses'], ['attempt', 'problems'], ['agent', 'agents']]);

export const hasRoom = (flow: string): boolean => ROOMS.has(flow);
export const roomOf = (flow: string): string => ROOMS.get(flow) ?? 'flows';

/** How far a flow is as a whole. The word at hand is not done yet. */
export function wholeOf(progress: Progress[], isOpen: boolean): Progress | undefined {
  const words = progress.find((part) => part.name === 'words' && part.of);
  if (words) return { ...words, done: Math.max(0, words.done - (isOpen ? 1 : 0)) };
  return progress.find((part) => part.name === 'mastered' && part.of) ?? progress.find((part) => part.of && part.name !== 'usage') ?? progress[0];
}
