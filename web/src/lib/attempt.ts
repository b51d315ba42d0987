/** The names of a coding problem's steps, and the step that a view is at: after the last one only if it is solved. */
import type { View } from './types';

export const STEPS = ['UNDERSTAND', 'PLAN', 'IMPLEMENT', 'VERIFY', 'REFLECT'];

export const stepOf = (view: View): number => (view.outcome && view.outcome !== 'abandoned' ? STEPS.length : STEPS.indexOf(String(view.data?.v2Step ?? '').toUpperCase()));
