/** The page's own labels, in the learner's language. The words of a coach come from the server. */
import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import de from '../words/de.ftl?raw';
import en from '../words/en.ftl?raw';

const bundles: Record<string, FluentBundle> = { en: bundle('en', en), de: bundle('de', de) };

class Words {
  language = $state(navigator.language.startsWith('de') ? 'de' : 'en');

  set(language: string): void {
    this.language = bundles[language] ? language : 'en';
    document.documentElement.lang = this.language;
  }

  say(key: string, args: Record<string, FluentVariable> = {}): string {
    for (const language of [this.language, 'en']) {
      const known = bundles[language];
      const message = known?.getMessage(key);
      if (known && message?.value) return known.formatPattern(message.value, args);
    }
    return key;
  }
}

export const words = new Words();
words.set(words.language);

/** Returns a label by its key. */
export const t = (key: string, args: Record<string, FluentVariable> = {}): string => words.say(key, args);

/** Whether the page has a label of this name. */
export const has = (key: string): boolean => bundles.en!.hasMessage(key);

const format = (options: Intl.DateTimeFormatOptions) => (at: string | Date): string =>
  new Intl.DateTimeFormat(locale(), options).format(typeof at === 'string' ? instant(at) : at);

/** The browser's locale for dates if it is in the learner's language, otherwise the language alone. */
const locale = (): string => navigator.languages.find((known) => known.startsWith(words.language)) ?? words.language;

/** Parses a time. A bare date means that day in local time, not midnight in Greenwich. */
const instant = (text: string): Date => new Date(text.length === 10 ? `${text}T12:00` : text);

export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
export const shortDay = format({ day: 'numeric', month: 'short' });
export const weekday = format({ weekday: 'short' });
export const clock = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
export const moment = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
export const number = (value: number, digits = 0): string => new Intl.NumberFormat(words.language, { maximumFractionDigits: digits }).format(value);
export const percent = (share: number): string => new Intl.NumberFormat(words.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** Returns the distance from now to a moment, in words. */
export function ago(at: string): string {
  const seconds = (instant(at).getTime() - Date.now()) / 1000;
  const steps: [number, Intl.RelativeTimeFormatUnit][] = [[60, 'second'], [3600, 'minute'], [86400, 'hour'], [604800, 'day'], [2629800, 'week'], [31557600, 'month']];
  const scale = { second: 1, minute: 60, hour: 3600, day: 86400, week: 604800, month: 2629800, year: 31557600 } as Record<string, number>;
  const unit = steps.find(([below]) => Math.abs(seconds) < below)?.[1] ?? 'year';
  return new Intl.RelativeTimeFormat(words.language, { numeric: 'auto' }).format(Math.round(seconds / scale[unit]!), unit);
}

function bundle(language: string, source: string): FluentBundle {
  const made = new FluentBundle(language, { useIsolating: false });
  made.addResource(new FluentResource(source));
  return made;
}
