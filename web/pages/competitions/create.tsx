import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { changed } from '../../lib/use-api.js';
import { Form, useSending } from '../../ui/form.js';
import { Page } from '../../ui/page.js';
import { Empty } from '../../ui/states.js';
import { About, bodyOf, Dates, emptyDraft, FIELD_NAMES, Rules } from './fields.js';
import { SignInLink } from '../../ui/sign-in-link.js';

const STEPS = ['About it', 'When', 'Rules'] as const;
/** Where each field of the server's complaint is asked for. */
const stepOf = (field: string) =>
  ['name', 'organization_name', 'description', 'reward_description', 'spectators', 'join_requests'].includes(field)
    ? 0
    : ['enrollment_deadline', 'starts_at', 'ends_at'].includes(field)
      ? 1
      : 2;

/** Three steps to a draft; nobody sees it before enrollment opens. */
export default function Create() {
  const { route } = useLocation();
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState(emptyDraft);
  const sending = useSending(FIELD_NAMES);
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const last = step === STEPS.length - 1;
  const next = async () => {
    if (!last) return setStep(step + 1);
    await sending.send(async () => {
      const { competition_id } = await call('POST /api/competitions', { body: bodyOf(draft) });
      changed('/api/competitions');
      route(pathTo('organize', { competition_id }));
    });
  };
  if (typeof session.value?.agent_id !== 'string') {
    return (
      <Page title="New competition">
        <Empty>
          <p>
            <SignInLink /> with a bot first: a competition is organized by its owner.
          </p>
        </Empty>
      </Page>
    );
  }
  const wrong = Object.keys(sending.fields);
  return (
    <Page title="New competition" lead="It begins as a draft that only you see.">
      <ol class="wizard" aria-label="Steps">
        {STEPS.map((name, index) => (
          <li key={name}>
            <button
              type="button"
              class="switch"
              aria-current={index === step ? 'step' : undefined}
              onClick={() => setStep(index)}
            >
              {index + 1}. {name}
              {wrong.some((field) => stepOf(field) === index) && <span class="badge bad">look here</span>}
            </button>
          </li>
        ))}
      </ol>
      <Form sending={sending} verb={last ? 'Create the draft' : 'Next'} onSend={() => void next()}>
        {step === 0 && <About draft={draft} set={set} errors={sending.fields} />}
        {step === 1 && <Dates draft={draft} set={set} errors={sending.fields} />}
        {step === 2 && <Rules draft={draft} set={set} errors={sending.fields} />}
      </Form>
    </Page>
  );
}
