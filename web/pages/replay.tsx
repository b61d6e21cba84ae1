import { useState } from 'preact/hooks';
import { HandsOfFile, UnreadableHands } from '../files/lists.js';
import { ShownHand } from '../files/shown-hand.js';
import { useHandFile, type HandFile, type HandFileReader } from '../files/use-hand-file.js';
import { fileTexts as texts } from '../texts/files.js';
import { Page } from '../ui/page.js';

/** A file of the reader's own: it is read here, and goes nowhere. */
export default function ReplayPage() {
  const { file, open, ask } = useHandFile();
  if (file === null) {
    return (
      <Page title={texts.title} lead={texts.lead} wide>
        <Drop onFile={open} />
      </Page>
    );
  }
  return (
    <Page title={texts.title} lead={<Read file={file} />} actions={<Drop onFile={open} small />} wide>
      <div class="file-page">
        <Opened file={file} ask={ask} />
      </div>
    </Page>
  );
}

/** What was read of the file. */
function Read({ file: { name, progress, refused } }: { file: HandFile }) {
  if (refused !== null) return <strong class="file-name">{name}</strong>;
  const isReading = progress !== null && progress.read < progress.found;
  return (
    <span class="file-read">
      <strong class="file-name">{name}</strong>
      <span role="status">{progress === null ? texts.finding : isReading ? '' : summary(progress)}</span>
      {isReading && (
        <>
          <progress max={progress.found} value={progress.read} aria-label={texts.readingLabel} />
          <span class="figure">{texts.reading(progress.read, progress.found)}</span>
        </>
      )}
    </span>
  );
}

const summary = ({ hands, unreadable }: NonNullable<HandFile['progress']>) =>
  unreadable === 0 ? texts.hands(hands) : `${texts.hands(hands)}, ${texts.unreadable(unreadable)}`;

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
          {texts.noneReadable}
        </p>
      )}
      {progress.unreadable > 0 && <UnreadableHands file={file} count={progress.unreadable} open={none} ask={ask} />}
      {shown !== null && (
        <>
          <ShownHand shown={shown} count={progress.hands} ask={ask} />
          {progress.hands > 1 && <HandsOfFile file={file} shown={shown.index} count={progress.hands} ask={ask} />}
        </>
      )}
    </>
  );
}

function Drop({ onFile, small = false }: { onFile: (file: File) => void; small?: boolean }) {
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
      <span>{small ? texts.another : texts.drop}</span>
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
