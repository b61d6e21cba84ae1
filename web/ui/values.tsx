import { useEffect, useState } from 'preact/hooks';
import { moment, second } from '../lib/clock.js';
import { copy } from '../lib/copy.js';
import { count, countdown, exact, fixed, relative, shortId, signed } from '../lib/format.js';
import { unit } from '../lib/settings.js';

/** Chips, or big blinds where the reader wants those and the big blind is known. */
export function Amount({ value, bb, gain = false }: { value: number; bb?: number | undefined; gain?: boolean }) {
  const inBlinds = unit.value === 'bb' && bb !== undefined && bb > 0;
  const number = inBlinds ? value / bb : value;
  const digits = inBlinds ? 1 : 0;
  const text = gain ? signed(number, digits) : digits === 0 ? count(number) : fixed(number, digits);
  return (
    <span class={gain ? `figure ${toneOf(value)}` : 'figure'} title={inBlinds ? `${count(value)} chips` : undefined}>
      {text}
      {inBlinds && <span class="unit"> bb</span>}
    </span>
  );
}

/** A gain or loss that is no amount of chips. */
export const Signed = ({ value, digits = 1, suffix = '' }: { value: number; digits?: number; suffix?: string }) => (
  <span class={`figure ${toneOf(value)}`}>
    {signed(value, digits)}
    {suffix}
  </span>
);

const toneOf = (value: number) => (value > 0 ? 'gain' : value < 0 ? 'loss' : '');

/** "3 h ago", with the exact time as its title. */
export function When({ at }: { at: string }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exact(time)}>
      {relative(time, moment.value)}
    </time>
  );
}

/** Counts down to a time. */
export function Countdown({ to }: { to: string }) {
  const time = Date.parse(to);
  return (
    <time dateTime={to} title={exact(time)} class="figure" role="timer">
      {countdown((time - second.value) / 1000)}
    </time>
  );
}

/** A button that copies, and says so. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, say] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => say(''), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button type="button" class="quiet copy" onClick={() => void copyAndSay(text).then(say)}>
      <span aria-live="polite">{said === '' ? label : said}</span>
    </button>
  );
}

const copyAndSay = async (text: string) => ((await copy(text)) ? 'Copied' : 'Not copied');

/** An id, shortened in the middle or under its name, copied by a click. */
export function Id({ id, name = shortId(id) }: { id: string; name?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="id"
      title={`${id}: copy`}
      onClick={() => void copy(id).then(setCopied)}
      onBlur={() => setCopied(false)}
    >
      {copied ? 'copied' : name}
    </button>
  );
}

/** Code with its copy button. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} />
    </div>
  );
}
