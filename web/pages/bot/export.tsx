import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, urlOf } from '../../lib/api.js';
import { save, wholeFile, type Come } from '../../lib/file.js';
import { count, megabytes } from '../../lib/format.js';
import { Field, Select } from '../../ui/form.js';
import { Section } from '../../ui/page.js';

/** With the beginning of a line that each hand has one of. */
const FORMATS = {
  csv: ['CSV: one line a hand', /^[0-9a-f]{8}-/],
  json: ['JSON: all that is known', /^\{"hand_id"/],
  phh: ['PHH: hand histories for tools', /^\[\d+\]/],
  pokerstars: ['PokerStars text', /^PokerStars Hand #/],
} as const;
type Format = keyof typeof FORMATS;
const NAMES = Object.entries(FORMATS).map(([key, [name]]) => [key as Format, name] as const);

const MOST = 1_000_000;

/** Between two pictures of how far it is, in ms. */
const DRAWN_MS = 100;

type State =
  | { is: 'idle' }
  | { is: 'coming'; come: Come; of: number }
  | { is: 'saved'; come: Come; name: string }
  | { is: 'broken'; why: string };

/** Hands as a file, which tells how far it is. `total`: as many as there are; null while that is not known. */
export function Export({ total }: { total: number | null }) {
  const [format, setFormat] = useState<Format>('csv');
  const [limit, setLimit] = useState('10000');
  const most = Math.min(MOST, Math.max(1, Math.floor(Number(limit)) || 1));
  const { state, begin, stop } = useFile();
  const of = Math.min(most, total ?? most);
  const path = urlOf('/api/me/hand-history/export', {}, { format, limit: most });
  return (
    <Section title="Export">
      <div class="columns narrow">
        <Select label="Format" value={format} onValue={setFormat} options={NAMES} />
        <Field
          label="At most"
          type="number"
          min={1}
          max={MOST}
          value={limit}
          onValue={setLimit}
          hint="hands, the newest first"
        />
      </div>
      <div class="row">
        {state.is === 'coming' ? (
          <button type="button" class="quiet" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => begin(path, FORMATS[format][1], of)}>
            Download
          </button>
        )}
        {state.is === 'coming' && (
          <label class="progress">
            <progress value={state.come.entries} max={Math.max(1, state.of)} />
            <span>
              {count(state.come.entries)} of {count(state.of)} hands, {megabytes(state.come.bytes)}
            </span>
          </label>
        )}
        <span role="status" class="soft">
          {state.is === 'saved' && `${state.name}: ${count(state.come.entries)} hands, ${megabytes(state.come.bytes)}.`}
        </span>
      </div>
      {state.is === 'broken' && (
        <p class="form-error" role="alert">
          {state.why}
        </p>
      )}
    </Section>
  );
}

/** A file on its way; it is given up when the page is left. */
function useFile() {
  const [state, setState] = useState<State>({ is: 'idle' });
  const under = useRef<AbortController | null>(null);
  useEffect(() => () => under.current?.abort(), []);
  const begin = (path: string, entry: RegExp, of: number) => {
    const { signal } = (under.current = new AbortController());
    let come: Come = { bytes: 0, entries: 0 };
    let drawn = 0;
    const onCome = (now: Come) => {
      come = now;
      if (performance.now() - drawn < DRAWN_MS) return;
      drawn = performance.now();
      setState({ is: 'coming', come, of });
    };
    setState({ is: 'coming', come, of });
    void wholeFile({ path, onCome, entry, signal }).then(
      ({ file, name }) => {
        save(file, name);
        setState({ is: 'saved', come, name });
      },
      (error: unknown) => {
        if (signal.aborted) setState({ is: 'idle' });
        else
          setState({
            is: 'broken',
            why:
              error instanceof ApiError
                ? error.message
                : 'The connection broke off before the end of the file. Nothing was saved.',
          });
      },
    );
  };
  return { state, begin, stop: () => under.current?.abort() };
}
