/** The names of a coding problem's steps, and where a view stands among them. */
import type { View } from './types';

export const STEPS = ['UNDERSTAND', 'PLAN', 'IMPLEMENT', 'VERIFY', 'REFLECT'];

export const stepOf = (view: View): number => (view.outcome ? STEPS.length : STEPS.indexOf(String(view.data?.v2Step ?? '').toUpperCase()));
