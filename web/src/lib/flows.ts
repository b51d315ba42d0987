import type { Progress } from './types';

/** The rooms of Etude's own flows; every other flow is in the room `flows`. Each room has an icon of the same name. */
const ROOMS = new Map([['drill', 'words'], ['teach', 'courses'], ['review', 'courses'], ['attempt', 'problems'], ['agent', 'agents']]);

export const hasRoom = (flow: string): boolean => ROOMS.has(flow);
export const roomOf = (flow: string): string => ROOMS.get(flow) ?? 'flows';

/** Returns the overall progress of a flow. The current word of an open drill does not count as done. */
export function wholeOf(progress: Progress[], isOpen: boolean): Progress | undefined {
  const words = progress.find((part) => part.name === 'words' && part.of);
  if (words) return { ...words, done: Math.max(0, words.done - (isOpen ? 1 : 0)) };
  return progress.find((part) => part.name === 'mastered' && part.of) ?? progress.find((part) => part.of && part.name !== 'usage') ?? progress[0];
}
