import { useState } from 'preact/hooks';
import { FileError, readHands } from '../files/read.js';
import type { ReplayHand } from '../../src/formats/hand.js';
import { Replayer } from '../replay/replayer.js';
import { texts } from '../texts.js';
import { Page } from '../ui/page.js';

interface Opened {
  name: string;
  hands: readonly ReplayHand[];
}

/** A file of the reader's own: it is read here, and goes nowhere. */
export default function ReplayPage() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (file: File) => {
    try {
      const hands = readHands(await file.text());
      history.replaceState(history.state, '', location.pathname);
      setOpened({ name: file.name, hands });
      setAt(0);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      setProblem(error.message);
    }
  };
  const hand = opened?.hands[at];
  const move = (by: 1 | -1) => {
    const next = at + by;
    if (opened?.hands[next] === undefined) return;
    history.replaceState(history.state, '', location.pathname);
    setAt(next);
  };
  return (
    <Page title={texts.files.title} lead={texts.files.lead} wide>
      <Drop onFile={(file) => void open(file)} small={opened !== null} />
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {opened && hand && (
        <>
          <p class="file-hand">
            <strong>{opened.name}</strong> · {texts.files.place(at + 1, opened.hands.length)} · {hand.title}
          </p>
          <Replayer hand={hand} link={null} {...(opened.hands.length > 1 && { onHand: move })} />
        </>
      )}
    </Page>
  );
}

function Drop({ onFile, small }: { onFile: (file: File) => void; small: boolean }) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  return (
    <label
      class={`drop${over ? ' over' : ''}${small ? ' small' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <span>{texts.files.drop}</span>
      <input
        type="file"
        accept=".phh,.phhs,.txt,.json,.log"
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
