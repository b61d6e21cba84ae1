import { useEffect, useState } from 'preact/hooks';
import { HandsOfFile, toUnreadable, UnreadableHands } from '../files/lists.js';
import { ShownHand } from '../files/shown-hand.js';
import { useHandFile, type HandFile, type HandFileReader } from '../files/use-hand-file.js';
import { counted, count } from '../lib/format.js';
import { Page } from '../ui/page.js';

/** A file of the reader's own: it is read here, and goes nowhere. */
export default function ReplayPage() {
  const { file, open, ask } = useHandFile();
  if (file === null) {
    return (
      <Page
        title="Replay a file"
        lead="No-Limit Hold'em of two to six players: PHH, PokerStars text in English, or a JSON file of this platform. The file is read in this page and goes nowhere."
        wide
      >
        <Drop onFile={open} />
      </Page>
    );
  }
  return (
    <Page title="Replay a file" lead={<Read file={file} />} actions={<Drop onFile={open} small />} wide>
      <div class="file-page">
        <Opened file={file} ask={ask} />
      </div>
    </Page>
  );
}

/** The part of the file that was read. */
function Read({ file: { name, progress, refused } }: { file: HandFile }) {
  if (refused !== null) return <strong class="file-name">{name}</strong>;
  const isReading = progress !== null && progress.read < progress.found;
  return (
    <span class="file-read">
      <strong class="file-name">{name}</strong>
      <span role="status">
        {progress === null ? (
          'Looking for hands'
        ) : isReading ? (
          ''
        ) : (
          <>
            {counted(progress.hands, 'hand')}
            {progress.unreadable > 0 && (
              <>
                {' '}
                <button type="button" class="as-link" onClick={toUnreadable}>
                  {count(progress.unreadable)} unreadable
                </button>
              </>
            )}
          </>
        )}
      </span>
      {isReading && (
        <>
          <progress max={progress.found} value={progress.read} aria-label="Hands that are read" />
          <span class="figure">
            {count(progress.read)} of {counted(progress.found, 'hand')} read
          </span>
        </>
      )}
    </span>
  );
}

function Opened({ file, ask }: { file: HandFile; ask: HandFileReader['ask'] }) {
  const { progress, refused, shown } = file;
  if (refused !== null) {
    return (
      <p class="problem" role="alert">
        {refused}
      </p>
    );
  }
  if (progress === null) return null;
  const isRead = progress.read === progress.found;
  const none = isRead && progress.hands === 0;
  return (
    <>
      {none && (
        <p class="problem" role="alert">
          No hand of the file can be replayed.
        </p>
      )}
      {shown !== null && <ShownHand shown={shown} count={progress.hands} ask={ask} />}
      {progress.unreadable > 0 && <UnreadableHands file={file} count={progress.unreadable} ask={ask} />}
      {shown !== null && progress.hands > 1 && (
        <HandsOfFile file={file} shown={shown.index} count={progress.hands} ask={ask} />
      )}
    </>
  );
}

function Drop({ onFile, small = false }: { onFile: (file: File) => void; small?: boolean }) {
  const over = useDrop(onFile);
  return (
    <label class={`drop${over ? ' over' : ''}${small ? ' small' : ''}`}>
      <span>{small ? 'Another file' : 'Drop a file here, or choose one'}</span>
      <input
        type="file"
        accept=".phh,.phhs,.txt,.json,.csv,.log"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** A file may be dropped anywhere on the page. True while one is held over it. */
function useDrop(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hold = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    };
    addEventListener('dragover', hold);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  });
  return over;
}
